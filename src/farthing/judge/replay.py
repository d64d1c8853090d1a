"""A judge whose verdicts are known already: a table of texts and scores stands for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from farthing.core.columns import Columns, InputRow, RowReader
from farthing.core.errors import InputError
from farthing.files.read import records
from farthing.judge.reply import JudgeQuestion, Reply, RowRefused

_Key: TypeAlias = tuple[str, str, str]
# `farthing judge -o` writes verdicts beside scores, some of which are only expected.
SCORES = ("verdict", "score", "judge", "judge_score", "rating")


class Replay:
    """Answers with the verdict that a table has for the same texts.

    :param path: a table with candidates, references or sources, and scores
    :param column: the column of the scores; a dot reaches into an object: `judges.gpt4_da`
    """

    def __init__(self, path: str, column: str | None = None) -> None:
        self.path = path
        self._scores: dict[_Key, float] = {}
        for row, score in judged_rows(path, column):
            for key in _keys(row.candidate, "\n".join(row.references), row.source or ""):
                self._scores.setdefault(key, score)

    def ask(self, question: JudgeQuestion) -> Reply:
        """Return the score as text."""
        fields = question.fields
        references = fields.get("references", fields.get("reference", ""))
        for key in _keys(fields["candidate"], references, fields.get("source", "")):
            if key in self._scores:
                return Reply(repr(self._scores[key]))
        raise RowRefused(f"{self.path} has no verdict for these texts")

    def close(self) -> None:
        """Do nothing."""


def _keys(candidate: str, references: str, source: str) -> list[_Key]:
    """Return what identifies a row, from all of its texts to fewer of them."""
    keys = [(candidate, references, source), (candidate, references, ""), (candidate, "", source)]
    return keys if references or source else [(candidate, "", "")]


def judged_rows(path: str, column: str | None = None) -> Iterator[tuple[InputRow, float]]:
    """Yield the rows of a table that have a score."""
    reader: RowReader | None = None
    for number, record in records(path, "jsonl"):
        if reader is None:
            reader = RowReader(path, Columns(), record)
            column = column or _score_column(path, record)
        value = value_at(record, column or "")
        if value is None or value == "":
            continue
        try:
            yield reader.row(number, record), float(str(value))
        except ValueError:
            raise InputError(f"the score {value!r} is no number", path=path, line=number) from None


def value_at(record: Mapping[str, object], name: str) -> object:
    """Return a cell of a record; a dot reaches into an object."""
    found: object = record
    if name in record:
        return record[name]
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _score_column(path: str, record: Mapping[str, object]) -> str:
    for name in SCORES:
        if name in record:
            return name
    there = ", ".join(record)
    raise InputError(f"there is no column of scores (there are: {there})", path=path, remedy="name it: column=…")
