"""Run a command in this process: torch takes seconds to start in another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from farthing.app.cli import main
from farthing.core.errors import FarthingError


@dataclass
class Done:
    stdout: str = ""
    stderr: str = ""


@pytest.fixture
def farthing(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run a command in this process, since torch takes seconds to start; code=2 expects one sentence."""

    def call(*arguments: str, code: int = 0) -> Done:
        if not code:
            text = main._run(list(arguments)) or ""
            return Done(stdout=capsys.readouterr().out + text)
        with pytest.raises(FarthingError) as caught:
            main._run(list(arguments))
        assert "\n" not in str(caught.value)
        return Done(stderr=str(caught.value))

    return call


@pytest.fixture
def model(tiny_model: Callable[..., Path]) -> str:
    return str(tiny_model("bert"))
