"""Outputs and what a broken system says instead of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.spoiled import REAL

Draw = Callable[..., list[TrainingPair]]
OUTPUTS = {"a": ["a b c d", "e f g h i j"], "b": ["k l m n", "o p"]}


def test_every_segment_has_the_real_output_and_four_that_are_spoiled(tmp_path: Path, pairs_of: Draw) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text(json.dumps({"reference": ["r0", "r1"], "systems": OUTPUTS}) + "\n")
    pairs = pairs_of("spoiled", 500, file=str(file))
    for begin in range(0, 500, 5):
        real, *others = pairs[begin : begin + 5]
        found = {pair.generator: pair.candidate.split() for pair in others}
        words = real.candidate.split()
        assert (real.generator, list(found)) == (REAL, ["twice", "cut", "stuttered", "unrelated"])
        assert {(pair.document, pair.reference) for pair in others} == {(real.document, real.reference)}
        assert found["twice"] == words * 2
        assert found["cut"] == words[: len(found["cut"])]
        assert 0 < len(found["cut"]) < len(words)
        assert set(found["stuttered"]) == set(words)
        assert 3 <= len(found["stuttered"]) - len(words) <= 9
        own = next(texts for texts in OUTPUTS.values() if real.candidate in texts)
        assert " ".join(found["unrelated"]) in own
        assert found["unrelated"] != words


def test_outputs_of_fewer_than_four_words_are_not_spoiled(tmp_path: Path, pairs_of: Draw) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text(json.dumps({"reference": ["r0", "r1"], "systems": OUTPUTS}) + "\n")
    assert "o p" not in {pair.candidate for pair in pairs_of("spoiled", 300, file=str(file)) if pair.generator == REAL}
