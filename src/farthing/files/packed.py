"""Open files that are compressed or in UTF-16, told by their first bytes rather than by their names."""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from farthing.core.errors import InputError

_MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\0", "zstd": b"\x28\xb5\x2f\xfd"}
_SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


@contextmanager
def unpacked(file: str, shown: str, head: bytes) -> Iterator[Iterable[bytes]]:
    """Yield the lines of a file as UTF-8 bytes.

    :param file: the file to read
    :param shown: what messages call it
    :param head: its first bytes
    """
    if head.startswith(b"PK\x03\x04"):
        raise InputError("is a zip archive or a spreadsheet", path=shown, remedy="save it as csv or jsonl")
    kind = packing_of(head) or _SUFFIXES.get(Path(file).suffix.lower())
    try:
        with _opened(file, kind) as stream:
            yield _as_utf8(stream, shown)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"broken {kind} data: {error}", path=shown, remedy="compress it again") from error


def packing_of(head: bytes) -> str | None:
    """Return how a file is compressed, told by its first bytes; None if it is not.

    >>> packing_of(b"\\x1f\\x8b\\x08"), packing_of(b"plain text")
    ('gzip', None)
    """
    return next((kind for kind, magic in _MAGIC.items() if head.startswith(magic)), None)


def _opened(file: str, kind: str | None) -> io.BufferedReader:
    if kind is None:
        return Path(file).open("rb")
    return io.BufferedReader(cast(io.RawIOBase, _decompressed(file, kind)))


def _decompressed(file: str, kind: str) -> BinaryIO:
    if kind == "zstd":  # Python's own module is new in 3.14
        import pyarrow

        return cast(BinaryIO, pyarrow.input_stream(file, compression="zstd"))
    if kind == "gzip":
        import gzip

        return cast(BinaryIO, gzip.open(file, "rb"))
    if kind == "xz":
        return cast(BinaryIO, lzma.open(file, "rb"))
    import bz2

    return cast(BinaryIO, bz2.open(file, "rb"))


def _as_utf8(stream: io.BufferedReader, shown: str) -> Iterable[bytes]:
    head = stream.peek(8)[:8]
    if head[:2] in _BYTE_ORDER_MARKS:
        return _recoded(stream, "utf-16", shown)
    if len(head) == 8 and (not any(head[::2]) or not any(head[1::2])):  # a letter, a zero byte, a letter …
        return _recoded(stream, "utf-16-le" if head[0] else "utf-16-be", shown)
    return stream


def _recoded(stream: io.BufferedReader, encoding: str, shown: str) -> Iterator[bytes]:
    text = io.TextIOWrapper(stream, encoding=encoding, newline="\n")
    number = 0
    try:
        for line in text:
            yield line.encode()
            number += 1
    except UnicodeError as error:
        remedy = "convert the file to UTF-8, for example with iconv"
        raise InputError("broken UTF-16", path=shown, line=number + 1, remedy=remedy) from error
    finally:
        text.detach()  # the stream is closed by whoever opened it
