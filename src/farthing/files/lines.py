"""The lines of a text file, plain or compressed; `-` is standard input."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import IO

from farthing.core.errors import InputError
from farthing.files.rejects import broken_line

PACKED = (".gz", ".bz2", ".xz", ".zst")
# How a file begins that is compressed, a spreadsheet, or in UTF-16 (with a byte-order mark or without).
_UNUSUAL = re.compile(
    rb"\x1f\x8b|BZh\d1AY&SY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|PK\x03\x04|\xff\xfe|\xfe\xff|([^\0]\0){4}|(\0[^\0]){4}"
)
_BOM = b"\xef\xbb\xbf"


def lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines, decoded as UTF-8, without line ends (LF or CRLF) and without a byte-order mark."""
    with _opened(path) as stream:
        for number, raw in enumerate(stream, start=1):
            if number == 1:
                raw = raw.removeprefix(_BOM)
            yield number, _decoded(path, number, _bare(raw))


def blocks_of_lines(paths: Sequence[str], size: int) -> Iterator[list[list[str]]]:
    """Yield the next lines of all files, `size` of each at a time, until the last file has ended.

    This is several times as fast as line by line.
    """
    with ExitStack() as stack:
        streams = [iter(stack.enter_context(_opened(path))) for path in paths]
        first = 1
        while any(blocks := [list(islice(stream, size)) for stream in streams]):
            yield [_decoded_block(path, first, block) for path, block in zip(paths, blocks, strict=True)]
            first += size


def _decoded_block(path: str, first: int, block: list[bytes]) -> list[str]:
    """Decode consecutive lines, of which the first has the given number."""
    if first == 1 and block:
        block[0] = block[0].removeprefix(_BOM)
    try:
        texts = b"".join(block).decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return [_decoded(path, first + place, _bare(raw)) for place, raw in enumerate(block)]
    del texts[len(block) :]  # after the last line end there is no line
    return [text.removesuffix("\r") for text in texts]


def _bare(raw: bytes) -> bytes:
    """Take the line end away."""
    return raw.removesuffix(b"\n").removesuffix(b"\r")


def _decoded(path: str, number: int, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return broken_line(path, number, raw, error.start)


def _opened(path: str) -> AbstractContextManager[Iterable[bytes]]:
    file = spooled_stdin() if path == "-" else path
    head = check_file(file)
    if not _UNUSUAL.match(head) and not path.lower().endswith(PACKED):
        return Path(file).open("rb")
    from farthing.files.packed import unpacked

    return unpacked(file, path, head)


def check_file(path: str) -> bytes:
    """Return the first bytes of a file; raise an error if there is no file with content to read."""
    place = Path(path)
    if place.is_dir():
        raise InputError("is a directory", path=path, remedy="name a file")
    if not place.exists():
        raise InputError("no such file", path=path, remedy="check the name")
    try:
        with place.open("rb") as stream:
            head = stream.read(16)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    if not head:
        raise InputError("the file is empty", path=path, remedy="give a file with at least one line")
    return head


@lru_cache(maxsize=1)
def spooled_stdin() -> str:
    """Copy standard input to a file, because some metrics read the corpus twice."""
    spool = tempfile.NamedTemporaryFile(prefix="farthing-", suffix=".stdin")  # noqa: SIM115  lives as long as the process
    shutil.copyfileobj(sys.stdin.buffer, spool)
    spool.flush()
    if not Path(spool.name).stat().st_size:
        raise InputError("standard input is empty", path="-", remedy="pipe at least one line into it")
    _SPOOLS.append(spool)
    return spool.name


_SPOOLS: list[IO[bytes]] = []  # keeps the temporary file alive
