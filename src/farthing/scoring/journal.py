"""The journal of a run: which run a folder holds, so that only the same one is resumed in it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import cast

import numpy as np

from farthing.core.metric import Metric, SetMetric, State
from farthing.core.types import Pairs, Scores, Sets
from farthing.files.fingerprint import fingerprint
from farthing.files.inputs import Inputs, Source
from farthing.files.journal import Journal, write_shard
from farthing.files.rejects import SKIPPING
from farthing.files.run import shard_table, unique_labels
from farthing.files.run_folder import FINISHED, RESULTS
from farthing.files.write import write_table, write_text
from farthing.scoring.comparison import Comparison
from farthing.scoring.engine import Ready, ScoringEngine, Shard, Stretches, StretchScores
from farthing.scoring.identity import contents, versions
from farthing.scoring.marks import EXPLAINED, mark_columns

SHARD = 1024  # rows of each system in one shard


def open_journal(
    folder: Path,
    metrics: Mapping[str, Metric | SetMetric],
    inputs: Source,
    *,
    overwrite: bool = False,
    explain: bool = False,
) -> Journal:
    """Start a run in a folder, or resume it there.

    :param metrics: loaded metrics by spec
    :param explain: store which words are likely wrong or missing, by every metric that can say so
    """
    pairs = [spec for spec, metric in metrics.items() if not isinstance(metric, SetMetric)]
    about: dict[str, object] = {
        **versions(),
        "systems": inputs.names,
        "metrics": {spec: contents(spec) for spec in pairs},
        "set_metrics": {spec: contents(spec) for spec in metrics if spec not in pairs},
        "higher_is_better": {spec: metric.info.higher_is_better for spec, metric in metrics.items()},
        "input": fingerprint(inputs) if pairs else _fingerprint_sets(inputs.sets()),
        "shard": SHARD,
    }
    if explain:
        about[EXPLAINED] = [spec for spec, metric in metrics.items() if metric.explains]
    return Journal.open(folder, about, overwrite=overwrite)


def prepare_journal(
    journal: Journal, metrics: Sequence[Ready], stretches: Stretches, engine: ScoringEngine
) -> list[Ready]:
    """Let every metric look at the corpus, unless the run has kept what they learned when it began."""
    kept = cast("Mapping[str, State]", journal.states() or {})
    ready = engine.prepare([replace(one, state=kept.get(one.spec)) for one in metrics], stretches)
    learned = {one.spec: one.state for one in ready if one.state is not None}
    if learned and not kept:
        journal.prepare(learned)
    return ready


@dataclass(slots=True)
class ShardKeeper:
    """Writes the shards of a run, in whatever process scores them, and reads their texts there.

    :param labels: the names of the metrics' columns
    :param explained: the specs of the metrics whose marks of words are stored
    :param size: rows of each system in a shard
    :param inputs: the files of the texts, if any process can read them
    """

    folder: Path
    labels: tuple[str, ...]
    explained: tuple[str, ...]
    size: int
    inputs: Inputs | None = None
    _reading: tuple[int, Iterator[list[Pairs]]] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, journal: Journal, metrics: Sequence[Ready], inputs: Source) -> ShardKeeper:
        """Return what writes the shards of a journal."""
        explained = cast("Sequence[str]", journal.about.get(EXPLAINED, ()))
        labels = tuple(unique_labels([one.spec for one in metrics]))
        anywhere = isinstance(inputs, Inputs) and "-" not in inputs.paths() and SKIPPING.get() is None
        return cls(journal.folder, labels, tuple(explained), SHARD, cast(Inputs, inputs) if anywhere else None)

    def absolute(self) -> ShardKeeper:
        """Return the same for processes that run in other folders."""
        inputs = None if self.inputs is None else _absolute(self.inputs)
        return replace(self, folder=self.folder.absolute(), inputs=inputs)

    def texts(self, number: int) -> list[Pairs]:
        """Read the texts of one shard; the next ones are read fastest in their order."""
        place, stretches = self._reading or (0, iter(()))
        if self._reading is None or number < place:
            assert self.inputs is not None
            place, stretches = 0, self.inputs.stretches(self.size)
        found = next(islice(stretches, number - place, None))
        self._reading = (number + 1, stretches)
        return found

    def keep(self, shard: Shard, metrics: Sequence[Ready], found: StretchScores) -> None:
        """Write the texts and scores of one shard."""
        systems = shard.systems or ()
        marks = mark_columns(self.explained, metrics, self.labels, systems)
        table = shard_table(systems, found, self.labels, shard.number * self.size, marks)
        write_shard(self.folder, shard.number, table)


def _absolute(inputs: Inputs) -> Inputs:
    """Return the same files by names that hold in every folder."""
    twin = copy(inputs)
    twin.systems = [replace(one, path=os.path.abspath(one.path)) for one in inputs.systems]
    twin.references = list(map(os.path.abspath, inputs.references))
    twin.source, twin.documents = (path and os.path.abspath(path) for path in (inputs.source, inputs.documents))
    return twin


def write_results(folder: Path, found: Comparison) -> None:
    """Write what was computed from all rows: corpus scores, intervals, tests, notes and signatures."""
    results = found.to_dict()
    results["results"] = [{**one, "segments": None, "parts": _numbers(one["parts"])} for one in found.results()]
    write_text(folder / RESULTS, json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def write_finished(folder: Path, metrics: Mapping[str, Metric], scores: Sequence[Sequence[Scores]]) -> None:
    """Write the final segments of metrics that change them once all rows are known; nothing if there is none.

    :param metrics: by the label of their column
    """
    changing = [label for label, metric in metrics.items() if metric.changes_segments]
    if not changing:
        return
    by_label = dict(zip(metrics, scores, strict=True))
    first = by_label[changing[0]]
    counts = [0 if one.segments is None else len(one.segments) for one in first]
    columns: dict[str, Sequence[object] | np.ndarray] = {
        "system": [one.system for one, count in zip(first, counts, strict=True) for _ in range(count)],
        "row": [row + 1 for count in counts for row in range(count)],
    }
    columns |= {label: np.concatenate([np.asarray(one.segments) for one in by_label[label]]) for label in changing}
    write_table(folder / FINISHED, columns)


def _numbers(parts: object) -> dict[str, object]:
    """The parts that are single numbers; those with one value per pair are in the shards."""
    return {name: part for name, part in parts.items() if not isinstance(part, list)} if isinstance(parts, dict) else {}


def _fingerprint_sets(systems: Sequence[Sets]) -> str:
    content = hashlib.sha256()
    for sets in systems:
        content.update(sets.system.encode())
        for samples in (sets.generated, sets.corpus):
            if isinstance(samples, np.ndarray):
                content.update(f"{samples.dtype}{samples.shape}".encode() + np.ascontiguousarray(samples).tobytes())
            else:
                content.update(json.dumps(list(samples)).encode())
    return content.hexdigest()[:32]
