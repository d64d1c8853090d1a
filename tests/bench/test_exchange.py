"""Messages between processes come back as they were."""

from __future__ import annotations

from pathlib import Path

from farthing.bench.cost import Spent
from farthing.bench.exchange import (
    Measured,
    PassCost,
    Request,
    read_message,
    read_texts,
    write_message,
    write_texts,
)
from farthing.core.types import Pairs


def test_requests_and_answers(tmp_path: Path) -> None:
    request = Request("chrf", "texts.json", 4, (1, 2), (), True, False, "scratch")
    cost = Spent(1.0, 0.5, 7)
    passes = (PassCost("1", 4, Spent(1.0, 1.0)),)
    answer = Measured(cost, cost, cost, 2.0, 9, None, (1.0, 2.5), True, {"a": "b"}, passes, notes=("empty",))
    for message in (request, answer):
        write_message(tmp_path / "message.json", message)
        assert read_message(tmp_path / "message.json", type(message)) == message


def test_texts_with_and_without_sources(tmp_path: Path) -> None:
    for pairs in (Pairs(["a\nb", ""], [["c", "d"], ["e"]]), Pairs(["a"], [[]], ["ü"])):
        write_texts(tmp_path / "texts.json", pairs)
        found = read_texts(tmp_path / "texts.json")
        assert (found.candidates, found.references, found.sources) == (
            pairs.candidates,
            pairs.references,
            pairs.sources,
        )
