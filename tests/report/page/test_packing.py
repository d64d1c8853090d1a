"""What is packed can be unpacked, equally at any time."""

from __future__ import annotations

import base64
import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from farthing.report.page.packing import BLOCK, NONE, Scale, packed, packed_numbers, packed_rows


def unpacked(text: str) -> bytes:
    return gzip.decompress(base64.b64decode(text))


def test_bytes_depend_on_the_content_alone() -> None:
    assert packed(b"x" * 100) == packed(b"x" * 100)
    assert base64.b64decode(packed(b"x"))[4:8] == b"\0\0\0\0"  # the time stamp of gzip


def test_rows_come_in_blocks() -> None:
    rows = [[number, "é</script>"] for number in range(BLOCK + 3)]
    blocks = packed_rows(rows)
    assert [len(json.loads(unpacked(block))) for block in blocks] == [BLOCK, 3]
    assert [row for block in blocks for row in json.loads(unpacked(block))] == rows
    assert not any("<" in block for block in blocks)


@given(some.lists(some.floats(-500, 500), min_size=1), some.integers(0, 4))
def test_scores_are_kept_to_half_a_unit_of_the_last_digit(values: list[float], digits: int) -> None:
    scores = np.array(values)
    scale = Scale.of([scores], digits)
    assert scale.digits <= digits
    back = (scale.low + scale.numbers(scores).astype(float)) / 10.0**scale.digits
    np.testing.assert_allclose(back, scores, atol=0.5 * 10.0**-scale.digits * (1 + 1e-9), rtol=0)
    if np.ptp(scores) * 10.0**digits < NONE - 2:
        assert scale.digits == digits


def test_missing_scores_have_their_own_number() -> None:
    scores = np.array([1.0, np.nan, np.inf])
    assert Scale.of([scores], 2).numbers(scores).tolist() == [0, NONE, NONE]
    assert Scale.of([np.array([np.nan])], 2) == Scale(0, 2)


def test_numbers_are_split_into_high_and_low_bytes() -> None:
    first, second = np.array([1, 258], "<u2"), np.array([65535, 0], "<u2")
    assert list(unpacked(packed_numbers([first, second]))) == [0, 1, 1, 2, 255, 0, 255, 0]


@pytest.mark.parametrize("digits", [2, 4])
def test_a_wide_range_loses_digits_not_scores(digits: int) -> None:
    scale = Scale.of([np.array([-1e6, 1e6])], digits)
    assert scale.digits == -2
