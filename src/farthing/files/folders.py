"""Model folders that appear whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from farthing.core.errors import OutputError

CALL = "call.json"  # in the folder of a run: what was asked for


@contextmanager
def new_folder(target: Path, overwrite: bool = False) -> Iterator[Path]:
    """A folder to fill that takes its place when all of it has been written.

    On any failure nothing is left behind, and what was there before is untouched.
    """
    check_new(target, overwrite)
    beside = None
    try:
        beside = Path(tempfile.mkdtemp(dir=target.absolute().parent, prefix=f".{target.name}."))
        beside.chmod(0o755)
        yield beside
        if target.exists():
            shutil.rmtree(target)
        beside.replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}; nothing was changed") from error
    except Exception as error:
        if type(error).__name__ != "SafetensorError":  # safetensors' own word for a full disk
            raise
        raise OutputError(f"{target}: cannot be written: {error}; nothing was changed") from error
    finally:
        if beside is not None:
            shutil.rmtree(beside, ignore_errors=True)


def check_new(target: Path, overwrite: bool = False) -> None:
    """Raise early, before the work is done, where the folder cannot be made."""
    if target.exists() and not overwrite:
        raise OutputError(f"{target}: is there already; choose another name, or allow it with --overwrite")
    if target.exists() and not (target / "config.json").exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(f"{target}: is not a model's folder, so it is not overwritten; choose another name")
    if not target.absolute().parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist; make it first")


def claim_run(run: Path, call: Any) -> None:
    """Make the folder of a run, or find the stopped run of the same call in it.

    :param call: everything that two runs must share to be the same
    """
    described = json.dumps(call, sort_keys=True, default=str)
    note = run / CALL
    if note.exists() and note.read_text(encoding="utf-8") != described:
        raise OutputError(f"{run}: holds a run with other settings or data; remove it, or choose another name")
    try:
        run.mkdir(parents=True, exist_ok=True)
        note.write_text(described, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{run}: cannot be written: {error.strerror}") from error


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """A readable JSON file."""
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
