"""Generated texts kept in one SQLite file, so that an interrupted run resumes."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from farthing.core.errors import OutputError


class Generations:
    """The answers of models to texts.

    :param path: the file, or None to keep nothing
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def find(self, model: str, texts: Sequence[str]) -> dict[str, str]:
        """Return the known answers to some texts.

        :param model: names the model and all settings that change its answers
        """
        if self.path is None or not self.path.exists():
            return {}
        with self._opened() as store:
            rows = (
                (text, store.execute("SELECT answer FROM answers WHERE key=?", [_key(model, text)])) for text in texts
            )
            return {text: answer[0] for text, row in rows if (answer := row.fetchone())}

    def keep(self, model: str, answers: dict[str, str]) -> None:
        """Keep some answers."""
        if self.path is None:
            return
        rows = [(_key(model, text), answer) for text, answer in answers.items()]
        with self._opened() as store, store:
            store.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(str(self.path), timeout=60)) as store:
                store.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT) WITHOUT ROWID")
                yield store
        except sqlite3.Error as error:
            raise OutputError(f"{self.path}: the store of generated texts cannot be used: {error}") from error


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\0{text}".encode()).digest()
