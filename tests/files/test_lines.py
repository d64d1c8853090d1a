"""Lines of text files: one by one, or by blocks."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from farthing.core.errors import InputError
from farthing.files.lines import blocks_of_lines, lines

# Text that a line-based file can hold: no line ends (nor surrogates, which are not UTF-8).
LINE = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))
reuse = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def all_blocks(path: Path, size: int) -> list[str]:
    """Read a file by blocks, all of which are full but the last."""
    blocks = [block for [block] in blocks_of_lines([str(path)], size)]
    assert all(len(block) == size for block in blocks[:-1])
    return [line for block in blocks for line in block]


@reuse
@given(
    st.lists(LINE, min_size=1).filter(lambda rows: not rows[0].startswith("\ufeff")),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(1, 5),
)
def test_text_lines_survive(tmp_path: Path, rows: list[str], end: str, size: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("".join(row + end for row in rows).encode("utf-8"))
    assert [line for _, line in lines(str(path))] == rows
    assert all_blocks(path, size) == rows


@reuse
@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"\xef\xbb\xbf", "é\u2028".encode()]), min_size=1))
def test_blocks_have_the_same_lines(tmp_path: Path, parts: list[bytes]) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"".join(parts))
    expected = [line for _, line in lines(str(path))]
    assert [all_blocks(path, size) for size in (1, 2, 100)] == 3 * [expected]


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    """Other characters that Unicode calls line ends stand inside sentences."""
    path = tmp_path / "a.txt"
    path.write_bytes("a\u2028b\x0bc\x85d\n".encode())
    assert [line for _, line in lines(str(path))] == all_blocks(path, 9) == ["a\u2028b\x0bc\x85d"]


def test_byte_order_mark_is_dropped_once(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\n\xef\xbb\xbfb")
    assert [line for _, line in lines(str(path))] == all_blocks(path, 1) == ["a", "\ufeffb"]


def test_files_of_different_lengths_and_kinds_go_on_to_the_end_of_the_last(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\nthree")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"1\n"))
    paths = [str(tmp_path / name) for name in ("a.txt", "b.txt.gz")]
    assert list(blocks_of_lines(paths, 2)) == [[["one", "two"], ["1"]], [["three"], []]]


def test_a_broken_line_is_named_in_a_block_too(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo\nbroken \xe9 line\n")
    with pytest.raises(InputError, match=r"a\.txt:3: not UTF-8: byte 0xe9 at position 8 of the line"):
        all_blocks(path, 2)
