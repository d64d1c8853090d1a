"""Files that are compressed or in UTF-16: told by their first bytes, whatever they are called."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest

from farthing.core.errors import InputError
from farthing.files.lines import lines
from farthing.files.read import format_of, records

TEXT = "héllo\r\nsecond \u2028 line\n終わり\n"
WANTED = ["héllo", "second \u2028 line", "終わり"]


def zstd(content: bytes) -> bytes:
    return pyarrow.compress(content, codec="zstd", asbytes=True)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd
}  # fmt: skip


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_packing_gives_the_same_lines(tmp_path: Path, suffix: str, named: bool, encoding: str) -> None:
    path = tmp_path / ("a.txt" + (suffix if named else ""))
    path.write_bytes(PACKERS[suffix](TEXT.encode(encoding)))
    assert [line for _, line in lines(str(path))] == WANTED


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_with_a_byte_order_mark_and_without(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("candidate;reference\r\nüber;unter\r\n".encode(encoding))
    assert [record for _, record in records(str(path))] == [{"candidate": "über", "reference": "unter"}]


def test_the_format_is_told_without_the_packing() -> None:
    names = ["a.csv.zst", "A.JSONL.XZ", "b.json.bz2", "c.tsv.gz", "d.gz", "e.en.zst"]
    assert [format_of(name) for name in names] == ["csv", "jsonl", "json", "tsv", "txt", "txt"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xz", b"plain text, not packed", "a.xz: broken xz data"),
        ("a.bz2", b"plain text, not packed", "a.bz2: broken bzip2 data"),
        ("a.zst", b"plain text, not packed", "a.zst: broken zstd data"),
        ("a", lzma.compress(b"text\n" * 999)[:-30], "a: broken xz data"),
        ("a", bz2.compress(b"text\n" * 999)[:-9], "a: broken bzip2 data"),
        ("a.xlsx", b"PK\x03\x04" + bytes(40), "is a zip archive or a spreadsheet (save it as csv or jsonl)"),
        ("a.txt", "fine\nx".encode("utf-16")[:-1], "a.txt:2: broken UTF-16"),
    ],
)
def test_broken_ones_are_one_sentence(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(lines(str(tmp_path / name)))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["(a bracket", "BZh is a word", "PK is a land", "\0", "a\0b"])
def test_texts_that_begin_like_a_packed_file_are_texts(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    assert [line for _, line in lines(str(tmp_path / "a.txt"))] == [text]
