"""TOML files as tables; `core.schema` turns a table into a typed record."""

from __future__ import annotations

import tomllib
from pathlib import Path

from farthing.core.errors import InputError
from farthing.files.lines import check_file


def read_toml(path: str | Path) -> dict[str, object]:
    """Read the table that a TOML file holds."""
    check_file(str(path))
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"broken TOML: {error}", path=str(path)) from error
