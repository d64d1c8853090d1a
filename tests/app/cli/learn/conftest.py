"""Run commands of `farthing learn` in this process, and see what reaches the library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.app.cli.main import main


class Calls:
    """Stands in for a function of the library and keeps what it was called with."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.given: list[tuple[tuple[object, ...], dict[str, object]]] = []

    def __call__(self, *arguments: object, **options: object) -> object:
        self.given.append((arguments, options))
        return self.answer


@pytest.fixture
def learn() -> Callable[..., None]:
    """`learn("pairs", …)` runs the command and expects an exit code."""

    def run(*arguments: object, code: int = 0) -> None:
        with pytest.raises(SystemExit) as left:
            main(["learn", *map(str, arguments)])
        assert left.value.code == code

    return run


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, object], Calls]:
    """`calls("farthing.learn.x.y", answer)` puts a stand-in there."""

    def replace(target: str, answer: object = None) -> Calls:
        stand_in = Calls(answer)
        monkeypatch.setattr(target, stand_in)
        return stand_in

    return replace


@pytest.fixture
def judgements(tmp_path: Path) -> Path:
    """Six judged pairs of two language pairs."""
    rows = [
        {
            "candidate": "a b c d e f"[: 2 * n + 1],
            "reference": "a c b e d f",
            "score": n,
            "fluency": -n,
            "lp": ("de-en", "en-de")[n % 2],
        }
        for n in range(6)
    ]
    path = tmp_path / "human.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
