"""Encodings kept on disk between runs, if the user asks for it.

They are in one SQLite file, so several processes may read and write it at once. Every entry carries a checksum: a
damaged one is deleted and made again, never served. If the file outgrows its limit, the entries that were unused for
the longest time are deleted first.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.errors import OutputError, UsageError
from farthing.core.specs import Value, format_value

DATABASE = "encodings.sqlite"
MOST_BYTES = 4 << 30
_PENDING = 256  # entries that wait to be written together
_PATIENCE, _PAUSE = 60.0, 0.05  # seconds for a file that is locked, and between two attempts to open it
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    key BLOB NOT NULL, layer INTEGER NOT NULL, width INTEGER NOT NULL, sum INTEGER NOT NULL,
    used INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (key, layer)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_use ON entries (used);
"""
_chosen: ContextVar[Path | None] = ContextVar("farthing_cache", default=None)


class Cache:
    """Token vectors by text and encoder signature.

    :param folder: the folder of the file; it is made if it is missing
    :param limit: the most bytes that the file may have
    """

    def __init__(self, folder: Path, limit: int = MOST_BYTES) -> None:
        self.path, self.limit = folder / DATABASE, limit
        self._lock = threading.Lock()
        self._pending: list[tuple[bytes, int, int, int, int, bytes]] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"the cache {folder} cannot be made: {error.strerror}") from error
        self._database = self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            return _patiently_connected(self.path)
        except sqlite3.OperationalError as error:
            raise OutputError(f"the cache {self.path} cannot be opened: {error}") from error
        except sqlite3.DatabaseError:
            # it is no longer a database, but what it held can be made again
            self.path.replace(self.path.with_suffix(f".damaged-{os.getpid()}"))
            return _patiently_connected(self.path)

    def key(self, fields: Mapping[str, Value], content: Sequence[int]) -> bytes:
        """Name a text by all that must be equal for its encoding to be equal."""
        return _key(tuple(fields), tuple(map(format_value, fields.values())), tuple(content))

    def get(self, key: bytes, layers: Sequence[int]) -> dict[int, Vectors] | None:
        """Return the states of a text at these layers, or None if one of them is missing or damaged."""
        states: dict[int, Vectors] = {}
        try:
            with self._lock:
                self._flush_if(bool(self._pending))
                marks = ",".join("?" * len(layers))
                rows = self._database.execute(
                    f"SELECT layer, width, sum, data FROM entries WHERE key=? AND layer IN ({marks})", (key, *layers)
                ).fetchall()
                for layer, width, check, data in rows:
                    if zlib.crc32(data) != check or width <= 0 or len(data) % (4 * width):
                        self._database.execute("DELETE FROM entries WHERE key=? AND layer=?", (key, layer))
                    else:
                        states[layer] = np.frombuffer(data, dtype="<f4").reshape(-1, width).astype(np.float32)
                if states:
                    self._database.execute("UPDATE entries SET used=? WHERE key=?", (_now(), key))
        except sqlite3.OperationalError:
            return None  # another process has it locked; that is no damage
        except sqlite3.DatabaseError:
            self._restart()
            return None
        return states if len(states) == len(set(layers)) else None

    def put(self, key: bytes, states: Mapping[int, Vectors]) -> None:
        """Keep the states of a text."""
        with self._lock:
            for layer, state in states.items():
                data = np.ascontiguousarray(state, dtype="<f4").tobytes()
                self._pending.append((key, layer, state.shape[1], zlib.crc32(data), _now(), data))
            self._flush_if(len(self._pending) >= _PENDING)

    def flush(self) -> None:
        """Write the entries that wait, and keep the file within its limit."""
        with self._lock:
            self._flush_if(True)

    def _flush_if(self, now: bool) -> None:
        if not now or not self._pending:
            return
        entries, self._pending = self._pending, []
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("INSERT OR REPLACE INTO entries VALUES (?,?,?,?,?,?)", entries)
            self._shrink()
            self._database.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise OutputError(f"the cache {self.path} cannot be written: {error}") from error
        except sqlite3.DatabaseError:
            self._restart()

    def _shrink(self) -> None:
        """Delete the tenth of the entries that was unused for the longest time, again until the limit is kept."""
        while self.size() > self.limit:
            count = self._database.execute("SELECT COUNT(*) FROM entries").fetchone()[0]
            if not count:
                return
            self._database.execute(
                "DELETE FROM entries WHERE (key, layer) IN (SELECT key, layer FROM entries ORDER BY used LIMIT ?)",
                (max(1, count // 10),),
            )

    def size(self) -> int:
        """Count the bytes of the file that are in use."""
        pages, free, page = (
            self._database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * page)

    def _restart(self) -> None:
        self._database.close()
        for path in self.path.parent.glob(f"{DATABASE}*"):
            path.unlink(missing_ok=True)
        self._database = _patiently_connected(self.path)

    def close(self) -> None:
        """Write the entries that wait and close the file."""
        self.flush()
        self._database.close()


def open_cache(folder: str | None) -> Cache | None:
    """Open the cache of a folder, or the one that `using_cache` chose; None if there is neither."""
    place = Path(folder).expanduser() if folder else _chosen.get()
    return _opened(place.resolve(), os.getpid()) if place else None


@contextmanager
def using_cache(folder: str | Path | None) -> Iterator[None]:
    """Let every encoder metric that is made inside keep its encodings in this folder."""
    if folder is None:
        yield
        return
    if Path(folder).is_file():
        raise UsageError(f"the cache {folder} is a file: name a folder")
    token = _chosen.set(Path(folder).expanduser())
    try:
        yield
    finally:
        _chosen.reset(token)


@lru_cache(maxsize=8)
def _opened(folder: Path, process: int) -> Cache:
    """Open one cache per folder and process: a connection must not cross a fork."""
    return Cache(folder)


def _patiently_connected(path: Path) -> sqlite3.Connection:
    """Connect; if two processes make the file at once, SQLite may tell one that it is locked without waiting."""
    last = time.monotonic() + _PATIENCE
    while True:
        try:
            return _connect(path)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > last:
                raise
            time.sleep(_PAUSE)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    database.executescript(_SCHEMA)
    return database


@lru_cache(maxsize=64)
def _prefix(names: tuple[str, ...], values: tuple[str, ...]) -> bytes:
    return "|".join(f"{name}:{value}" for name, value in zip(names, values, strict=True)).encode()


def _key(names: tuple[str, ...], values: tuple[str, ...], content: tuple[int, ...]) -> bytes:
    # 20 bytes rather than twelve digits: a cache may hold millions of texts, and none may be taken for another
    key = hashlib.blake2b(_prefix(names, values), digest_size=20)
    key.update(np.asarray(content, dtype="<i8").tobytes())
    return key.digest()


def _now() -> int:
    return time.time_ns()
