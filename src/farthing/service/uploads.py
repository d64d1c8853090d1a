"""Files that a client sends: read as the command line reads files, but never from a path that the client names."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias, TypedDict

from farthing.core.columns import Columns, InputRow
from farthing.core.errors import FarthingError, InputError
from farthing.files.inputs import Inputs
from farthing.files.packed import packing_of
from farthing.files.read import table_rows

UploadRole: TypeAlias = Literal["outputs", "references", "sources"]  #: what a file holds
FORMATS = (".txt", ".tsv", ".csv", ".jsonl", ".json")


class Upload(TypedDict):
    """The texts of a file, by system."""

    systems: dict[str, list[str]]
    references: list[list[str]] | None
    sources: list[str] | None


def read_upload(name: str, content: bytes, role: UploadRole = "outputs") -> Upload:
    """Read the texts of a file that a client sent.

    :param name: its name; the suffix tells the format, and messages call it by its name
    :param role: a table of outputs may hold references and sources, too
    """
    suffix = Path(name).suffix.lower()
    shown = re.sub(r"[^\w. -]", "_", Path(name).name)[:80] or "file"
    known = suffix if suffix in FORMATS else ".txt"
    if packing_of(content):  # a few bytes may unpack to more than there is memory
        raise InputError("the file is compressed", path=shown, remedy="send it as it is before")
    if suffix not in FORMATS and b"\0" in content[:4096]:
        raise InputError("the file is no text", path=shown, remedy=f"send one of {', '.join(FORMATS)}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{known}"
        path.write_bytes(content)
        try:
            return _outputs(str(path), shown) if role == "outputs" else _side(str(path), role)
        except FarthingError as error:
            raise InputError(str(error).replace(str(path), shown)) from error


def _outputs(path: str, shown: str) -> Upload:
    inputs = Inputs([path])
    systems = inputs.pairs()
    first = systems[0]
    return {
        "systems": {shown if one.system == path else one.system: list(one.candidates) for one in systems},
        "references": [list(row) for row in first.references] if first.has_references else None,
        "sources": None if first.sources is None else list(first.sources),
    }


def _side(path: str, role: UploadRole) -> Upload:
    rows: list[InputRow] = list(table_rows(path, Columns(), role.removesuffix("s"), "txt"))
    if role == "sources":
        return {"systems": {}, "references": None, "sources": [row.source or "" for row in rows]}
    return {"systems": {}, "references": [list(row.references) for row in rows], "sources": None}
