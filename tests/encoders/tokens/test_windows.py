"""Windows: every token kept once, none read with less context than need be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from farthing.encoders.tokens.windows import windows


@given(st.integers(0, 5000), st.integers(2, 600))
def test_windows_keep_every_token_once_and_fit(length: int, room: int) -> None:
    found = windows(length, room)
    kept = [place for window in found for place in range(window.keep_from, window.keep_to)]
    assert kept == list(range(length))
    for window in found:
        assert window.stop - window.start <= room
        assert window.start <= window.keep_from <= window.keep_to <= window.stop


@given(st.integers(600, 5000))
def test_a_token_far_from_the_ends_sees_a_quarter_window_on_each_side(length: int) -> None:
    for window in windows(length, 500):
        assert window.start == 0 or window.keep_from - window.start >= 120
        assert window.stop == length or window.stop - window.keep_to >= 120
