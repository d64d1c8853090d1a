"""Folders that are written completely or not at all, and folders that one process at a time may write to."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from farthing.core.errors import OutputError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

CALL = "call.json"  # in the folder of a training run: its settings


@contextmanager
def new_folder(target: Path, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary folder, which replaces `target` once everything has been written into it.

    If anything fails, the temporary folder is removed and `target` is left unchanged.
    """
    check_new(target, overwrite)
    temporary = None
    try:
        temporary = Path(tempfile.mkdtemp(dir=target.absolute().parent, prefix=f".{target.name}."))
        temporary.chmod(0o755)
        yield temporary
        if target.exists():
            shutil.rmtree(target)
        temporary.replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}; nothing was changed") from error
    except Exception as error:
        if type(error).__name__ != "SafetensorError":  # how safetensors reports a full disk
            raise
        raise OutputError(f"{target}: cannot be written: {error}; nothing was changed") from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def check_new(target: Path, overwrite: bool = False) -> None:
    """Raise an error early, before any work is done, if :func:`new_folder` would refuse the folder."""
    if target.exists() and not overwrite:
        raise OutputError(f"{target}: already exists; choose another name or pass --overwrite")
    if target.exists() and not (target / "config.json").exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(f"{target}: is not the folder of a model and is not overwritten; choose another name")
    if not target.absolute().parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist; make it first")


def claim_run(run: Path, call: object) -> None:
    """Create the folder of a training run, or accept one that holds an interrupted run with the same settings.

    :param call: everything that must be equal for the run to be resumed
    """
    described = json.dumps(call, sort_keys=True, default=str)
    note = run / CALL
    if note.exists() and note.read_text(encoding="utf-8") != described:
        raise OutputError(f"{run}: holds a run with other settings or data; remove it or choose another name")
    try:
        run.mkdir(parents=True, exist_ok=True)
        note.write_text(described, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{run}: cannot be written: {error.strerror}") from error


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Write an indented JSON file."""
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


_CLAIMED: dict[tuple[int, int], int] = {}  # the open folders that this process has claimed, by device and inode


def claim_folder(folder: Path) -> None:
    """Raise an error if another process writes to a folder; none may from now on, until this one ends or releases it.

    File systems that know no locks, such as some of networks, are trusted.
    """
    if fcntl is None:
        return
    held = os.open(folder, os.O_RDONLY)
    status = os.fstat(held)
    key = (status.st_dev, status.st_ino)
    if key in _CLAIMED:
        os.close(held)
        return
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise OutputError(f"{folder}: another process is writing to it; wait for its end or name another") from None
    except OSError:
        os.close(held)
        return
    _CLAIMED[key] = held


def release_folder(folder: Path) -> None:
    """Let other processes write to a folder again."""
    status = folder.stat()
    held = _CLAIMED.pop((status.st_dev, status.st_ino), None)
    if held is not None:
        os.close(held)


def flush_folder(folder: Path) -> None:
    """Force the names of the files in a folder to disk, so that a loss of power cannot take them back."""
    if fcntl is None:
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(held)
    except OSError:  # a file system that cannot
        pass
    finally:
        os.close(held)
