"""A run on disk: the texts and scores of one `farthing score` or `farthing compare`.

The table has one row per system and segment: the name of the system, the row (from 1), the id, the texts, and for
every metric its score, its parts (`label:part`) and the statistics from which its corpus score is computed
(`label:statistics`). What belongs to a whole shard (signatures, notes, single numbers) is in the metadata of its
Parquet file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np

from farthing.core.errors import InputError, UnknownName, UsageError
from farthing.core.explanation import Explanation
from farthing.core.joining import joined_scores
from farthing.core.normalise import Normaliser
from farthing.core.signature import Signature
from farthing.core.specs import Value, parse_spec
from farthing.core.texts import without_surrogates as whole
from farthing.core.types import Note, Pairs, Part, Scores
from farthing.files.alignments import AlignedRow, read_alignments
from farthing.files.journal import Journal
from farthing.files.marks import MARKS, read_marks
from farthing.files.numeric import column_array
from farthing.files.rows import KIND
from farthing.files.run_folder import ALIGNED, FINISHED

if TYPE_CHECKING:
    import pyarrow

TEXTS = ("system", "row", "id", "document", "candidate", "references", "source")
_META = b"farthing"
PARTIAL = Note("partial", "the run is not complete: some rows are not scored yet")


class _Told(TypedDict):
    """The metadata of one metric and one system in a shard."""

    signature: dict[str, object]
    corpus: float
    numbers: dict[str, float]
    notes: list[tuple[str, str, list[int]]]


@dataclass(frozen=True, slots=True)
class Run:
    """A run that was read from a folder; it may be incomplete."""

    folder: Path
    journal: Journal

    @property
    def complete(self) -> bool:
        """False if the run was interrupted; the same command resumes it."""
        return self.journal.complete

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return list(cast(Sequence[str], self.journal.about["systems"]))

    @property
    def metrics(self) -> list[str]:
        """The specs of the metrics of pairs."""
        return list(cast(Mapping[str, object], self.journal.about["metrics"]))

    @property
    def labels(self) -> list[str]:
        """The names of the metrics' columns."""
        return unique_labels(self.metrics)

    def results(self) -> dict[str, object]:
        """Corpus scores, intervals, tests, notes and signatures, as `--format json` prints them; empty if partial."""
        return self.journal.results()

    def scores(self, metric: str, system: str) -> Scores:
        """The scores of one metric (its spec or label) on one system, joined from all shards."""
        if system not in self.systems:
            raise UnknownName("system of the run", system, self.systems)
        return self.all_scores(metric)[self.systems.index(system)]

    def all_scores(self, metric: str) -> list[Scores]:
        """The scores of one metric (its spec or label) on every system; each shard is read once."""
        place = self._place(metric)
        stretches = [stretch[place] for stretch in self.stretches()]
        return [self._complete(joined_scores(parts), self.labels[place]) for parts in zip(*stretches, strict=True)]

    def _place(self, metric: str) -> int:
        if metric not in (*self.metrics, *self.labels):
            raise UnknownName("metric of the run", metric, self.labels)
        return self.metrics.index(metric) if metric in self.metrics else self.labels.index(metric)

    def marks(self, metric: str, system: str) -> list[Explanation]:
        """Which words of one system's outputs are likely wrong, and which are missing, if the run stores it."""
        if system not in self.systems:
            raise UnknownName("system of the run", system, self.systems)
        place = self._place(metric)
        shards = [_of_system(self.journal.shard(number), system) for number in range(len(self.journal))]
        if any(f"{self.labels[place]}:{MARKS}" not in rows.column_names for rows in shards):
            raise UsageError(f"{self.folder} stores no marks of {metric}: score again with --explain")
        normaliser = Normaliser.of(parse_spec(self.metrics[place]).options.get("normalise"))
        return [mark for rows in shards for mark in read_marks(rows, self.labels[place], normaliser or str)]

    def alignments(self, metric: str, system: str) -> list[AlignedRow]:
        """Which tokens of one system's outputs match which, for the rows of which the run stores it."""
        if system not in self.systems:
            raise UnknownName("system of the run", system, self.systems)
        label = self.labels[self._place(metric)]
        path = self.folder / ALIGNED
        return [one for one in read_alignments(path) if (one.metric, one.system) == (label, system)]

    def _complete(self, found: Scores, label: str) -> Scores:
        whole = self._whole(label, found.system)
        segments = found.segments if whole is None else whole
        notes = found.notes if self.complete else (PARTIAL, *found.notes)
        return replace(found, corpus=self._corpus(found), segments=segments, notes=notes)

    def _corpus(self, found: Scores) -> float:
        """The corpus score that was computed when the run was complete; of a partial run the mean of its segments."""
        results = cast("list[dict[str, object]]", self.results().get("results", []))
        own = (found.system, str(found.signature))
        known = [one["corpus"] for one in results if (one["system"], one["signature"]) == own]
        return float(cast(float, known[0])) if known else found.corpus

    def _whole(self, label: str, system: str) -> np.ndarray | None:
        """The segments of a metric that changes them once all rows are known; None for any other metric."""
        import pyarrow.parquet

        path = self.folder / FINISHED
        if not path.is_file():
            return None
        with pyarrow.parquet.ParquetFile(path) as file:
            table = file.read()
        return column_array(_of_system(table, system).column(label)) if label in table.column_names else None

    def higher_is_better(self, spec: str) -> bool:
        """True if a higher score of this metric is better."""
        return cast(Mapping[str, bool], self.journal.about["higher_is_better"])[spec]

    def stretches(self) -> Iterator[list[list[Scores]]]:
        """Yield the scores of every shard: `[metric][system]`."""
        for number in range(len(self.journal)):
            yield shard_scores(self.journal.shard(number), self.labels, self.systems)

    def pairs(self) -> list[Pairs]:
        """Return the texts of every system."""
        tables = [self.journal.shard(number) for number in range(len(self.journal))]
        return [_pairs([_of_system(table, name) for table in tables], name) for name in self.systems]

    def table(self) -> pyarrow.Table:
        """Return all rows of all shards."""
        import pyarrow

        shards = [self.journal.shard(number) for number in range(len(self.journal))]
        return pyarrow.concat_tables(shards).replace_schema_metadata(None)


def read_run(folder: str | Path) -> Run:
    """Read a run that `farthing score -o FOLDER/` or `farthing compare -o FOLDER/` wrote."""
    journal = Journal.read(Path(folder))
    if KIND in journal.about:
        raise InputError(f"holds {journal.about[KIND]}, not scores of systems", path=str(folder))
    return Run(Path(folder), journal)


def unique_labels(specs: Sequence[str]) -> list[str]:
    """Name every metric: by its own name, or by its whole spec if two have the same name.

    >>> unique_labels(["bleu", "chrf", "chrf(word_order=2)"])
    ['bleu', 'chrf', 'chrf(word_order=2)']
    """
    names = [spec.partition("(")[0] for spec in specs]
    return [name if names.count(name) == 1 else spec for name, spec in zip(names, specs, strict=True)]


def shard_table(
    systems: Sequence[Pairs],
    scores: Sequence[Sequence[Scores]],
    labels: Sequence[str],
    start: int,
    marks: Mapping[str, pyarrow.Array] | None = None,
) -> pyarrow.Table:
    """Build the table of one stretch of rows.

    :param start: how many rows of each system precede the stretch
    :param marks: columns with the marks of words
    """
    import pyarrow

    columns: dict[str, pyarrow.Array] = _text_columns(systems, start)
    for label, row in zip(labels, scores, strict=True):
        columns |= {name: _column(values) for name, values in _score_columns(label, row).items()}
    columns |= marks or {}
    told = [[_told(one) for one in row] for row in scores]
    return pyarrow.table(columns).replace_schema_metadata({_META: json.dumps(told, ensure_ascii=False).encode()})


def _text_columns(systems: Sequence[Pairs], start: int) -> dict[str, pyarrow.Array]:
    import pyarrow

    text, many = pyarrow.string(), pyarrow.list_(pyarrow.string())
    return {
        "system": pyarrow.array([pairs.system for pairs in systems for _ in range(len(pairs))], text),
        "row": pyarrow.array([start + row + 1 for pairs in systems for row in range(len(pairs))], pyarrow.int64()),
        "id": pyarrow.array([one for pairs in systems for one in _column_of(pairs.ids, pairs)], text),
        "document": pyarrow.array([one for pairs in systems for one in _column_of(pairs.documents, pairs)], text),
        "candidate": pyarrow.array([whole(one) for pairs in systems for one in pairs.candidates], text),
        "references": pyarrow.array([list(map(whole, row)) for pairs in systems for row in pairs.references], many),
        "source": pyarrow.array([one for pairs in systems for one in _column_of(pairs.sources, pairs)], text),
    }


def _column_of(values: Sequence[str] | None, pairs: Pairs) -> Sequence[str | None]:
    return [None] * len(pairs) if values is None else values


def _score_columns(label: str, scores: Sequence[Scores]) -> dict[str, list[np.ndarray]]:
    """Return arrays with one entry (or one row) per pair, one array per system."""
    columns = {label: [np.asarray(one.segments) for one in scores]}
    for name, part in scores[0].parts.items():
        if isinstance(part, np.ndarray):
            # the last axis counts the pairs; a part may have several values per pair, such as one per layer
            columns[f"{label}:{name}"] = [np.moveaxis(np.asarray(one.parts[name]), -1, 0) for one in scores]
    if scores[0].statistics is not None:
        columns[f"{label}:statistics"] = [np.asarray(one.statistics) for one in scores]
    return columns


def _column(values: Sequence[np.ndarray]) -> pyarrow.Array:
    import pyarrow

    whole = np.concatenate(values).astype(np.float64)
    if whole.ndim == 1:
        return pyarrow.array(whole)
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(whole.reshape(-1)), int(np.prod(whole.shape[1:])))


def _told(scores: Scores) -> _Told:
    signature = scores.signature
    return {
        "signature": {"metric": signature.metric, "fields": dict(signature.fields), "version": signature.version},
        "corpus": scores.corpus,
        "numbers": {name: float(part) for name, part in scores.parts.items() if not isinstance(part, np.ndarray)},
        "notes": [(note.kind, note.message, list(note.rows)) for note in scores.notes],
    }


def shard_scores(table: pyarrow.Table, labels: Sequence[str], systems: Sequence[str]) -> list[list[Scores]]:
    """Read the scores of one stretch, equal to those that :func:`shard_table` was given: `[metric][system]`."""
    told: list[list[_Told]] = json.loads((table.schema.metadata or {})[_META])
    parts = [_of_system(table, system) for system in systems]
    return [
        [_scores(part, label, one, system) for part, one, system in zip(parts, row, systems, strict=True)]
        for label, row in zip(labels, told, strict=True)
    ]


def _scores(rows: pyarrow.Table, label: str, told: _Told, system: str) -> Scores:
    if label not in rows.column_names:
        raise UnknownName("metric of the run", label, [name for name in rows.column_names if name not in TEXTS])
    own = [name for name in rows.column_names if name.startswith(f"{label}:") and name != f"{label}:{MARKS}"]
    arrays = {name.removeprefix(f"{label}:"): column_array(rows.column(name)) for name in own}
    statistics = arrays.pop("statistics", None)
    parts: dict[str, Part] = {name: np.moveaxis(array, 0, -1) for name, array in arrays.items()}
    signature = told["signature"]
    return Scores(
        corpus=told["corpus"],
        segments=column_array(rows.column(label)),
        signature=Signature(
            str(signature["metric"]), cast(Mapping[str, Value], signature["fields"]), str(signature["version"])
        ),
        parts={**parts, **told["numbers"]},
        statistics=statistics,
        notes=tuple(Note(kind, message, tuple(numbers)) for kind, message, numbers in told["notes"]),
        system=system,
    )


def _of_system(table: pyarrow.Table, system: str) -> pyarrow.Table:
    """The rows of one system, which stand together (a filter of pyarrow would import pandas if it is installed)."""
    names = table.column("system").to_pylist()
    return table.slice(names.index(system), names.count(system)) if system in names else table.slice(0, 0)


def _pairs(tables: Sequence[pyarrow.Table], system: str) -> Pairs:
    known = [name for name in TEXTS if all(name in table.column_names for table in tables)]
    columns = {name: [value for table in tables for value in table.column(name).to_pylist()] for name in known}
    sources, ids, documents = (
        None if None in columns.get(name, [None]) else columns[name] for name in ("source", "id", "document")
    )
    return Pairs(columns["candidate"], columns["references"], sources, ids, system, documents)
