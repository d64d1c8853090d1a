"""Means in buckets, against loops that are too simple to be wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from farthing.core.types import Pairs
from farthing.files.run import Run
from farthing.report.page.buckets import (
    bucket_names,
    frequency_table,
    length_tables,
    reference_lengths,
)  # fmt: skip
from farthing.report.page.gather import run_content


def test_buckets_are_named_by_their_ends() -> None:
    assert bucket_names((1, 10, 20)) == ["1–9", "10–19", "20+"]


def test_lengths_count_words_of_any_script() -> None:
    pairs = Pairs([""] * 3, [["one two, three!"], ["猫坐"], []], sources=["", "", "a b"])
    assert reference_lengths(pairs).tolist() == [3, 2, 2]


def test_means_by_length(tested_run: Run) -> None:
    content = run_content(tested_run)
    lengths = np.array([3, 12, 15, 75])
    table = length_tables(content, lengths)[1]
    assert (table.title, table.buckets[0], table.buckets[-1]) == ("chrf by the length of the reference", "1–9", "60+")
    assert table.counts == [1, 2, 0, 0, 0, 0, 1]
    scores = tested_run.scores("chrf", "two").segments
    assert scores is not None
    assert table.values[1][:3] == [scores[0], pytest.approx((scores[1] + scores[2]) / 2), None]


def test_f1_of_words_by_frequency() -> None:
    references = [["a a b"], ["a c", "d d d"]]
    pairs = Pairs(["a b x", "d d c"], references, system="one")
    table = frequency_table([pairs])
    words = Counter(["a", "a", "b", "a", "c", "d", "d", "d"])
    assert words == {"a": 3, "b": 1, "c": 1, "d": 3}
    assert table.buckets == ["1", "2", "3"]
    assert table.counts == [2, 0, 6]
    # once: b is found; c is not in the reference that counts. Three times: a (1 of 1 and 2), d (2 of 2 and 3).
    assert table.values[0] == [pytest.approx(2 * 1 / (1 + 1 + 1)), None, pytest.approx(2 * 3 / (3 + 5))]


def test_rows_without_references_count_nothing() -> None:
    assert frequency_table([Pairs(["a"], [[]])]).buckets == []


def test_empty_buckets_at_the_end_are_left_out(tested_run: Run) -> None:
    content = run_content(tested_run)
    tables = length_tables(replace(content), np.array([1, 2, 3, 4]))
    assert [table.buckets for table in tables] == [["1–9"]] * 3
