"""Stretches joined: as if the input had been scored in one piece."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.joining import joined_scores
from farthing.core.signature import Signature
from farthing.core.types import Note, Scores


def stretch(values: list[float], references: int = 1, **more: object) -> Scores:
    segments = np.array(values)
    parts = {"double": 2 * segments, "layers": np.stack([segments, -segments]), "mean": float(segments.mean())}
    statistics = np.column_stack([segments, np.ones(len(segments))])
    signature = Signature("x", {"nrefs": references})
    return Scores(0.0, segments, signature, parts, statistics, system="a", **more)  # type: ignore[arg-type]


def test_rows_follow_each_other_and_numbers_are_weighted_means() -> None:
    whole = joined_scores([stretch([1.0, 2.0, 3.0]), stretch([10.0], references=2)])
    assert whole.segments is not None
    assert whole.segments.tolist() == [1, 2, 3, 10]
    assert whole.corpus == 4
    assert np.asarray(whole.parts["layers"]).tolist() == [[1, 2, 3, 10], [-1, -2, -3, -10]]
    assert whole.parts["mean"] == pytest.approx((3 * 2 + 10) / 4)
    assert whole.statistics is not None
    assert whole.statistics.sum(axis=0).tolist() == [16, 4]
    assert "nrefs:var" in str(whole.signature)


def test_notes_of_one_wording_become_one_with_all_rows() -> None:
    first = stretch([1.0, 2.0], notes=(Note("empty", "no text", (1,)), Note("layer", "guessed")))
    second = stretch([3.0], notes=(Note("empty", "no text", (0,)), Note("layer", "guessed")))
    assert joined_scores([first, second]).notes == (Note("empty", "no text", (1, 2)), Note("layer", "guessed"))


def test_one_stretch_is_itself() -> None:
    one = stretch([1.0])
    assert joined_scores([one]) is one
