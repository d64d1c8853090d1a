"""The flow that everything goes through: metrics over the texts of several systems, then their comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.arrays import Indices
from farthing.core.errors import UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.progress import Progress, phase, watched
from farthing.core.registry import METRICS, load
from farthing.core.specs import Spec, parse_specs
from farthing.core.types import Scores
from farthing.files.inputs import Provenance
from farthing.scoring.comparison import Comparison, compared
from farthing.scoring.engine import LocalEngine, Ready, ScoringEngine, Stretch, StretchScores
from farthing.scoring.resampling import SEED, PairedTest

if TYPE_CHECKING:
    from farthing.files.inputs import Source
    from farthing.files.journal import Journal


@dataclass(frozen=True, slots=True)
class Chosen:
    """A loaded metric and the spec that it was loaded from."""

    spec: str
    metric: Metric | SetMetric


def choose(text: str, *, encoder: str | None = None, cache: str | None = None) -> list[Chosen]:
    """Load the metrics of a comma-separated list; the same one twice is a mistake.

    :param encoder: the model of metrics over an encoder that do not name one
    :param cache: a folder in which encoders keep what they have encoded
    """
    specs = parse_specs(text)
    if encoder is not None:
        specs = _with_encoder(specs, encoder)
    for place, spec in enumerate(specs):
        if spec in specs[:place]:
            raise UsageError(f"the metric {spec} is asked for twice")
    if cache is None:
        return _loaded(specs)
    from farthing.encoders.cache import using_cache

    with using_cache(cache):
        return _loaded(specs)


def _loaded(specs: Sequence[Spec]) -> list[Chosen]:
    return [Chosen(str(spec), load(spec)) for spec in specs]


def _with_encoder(specs: Sequence[Spec], encoder: str) -> list[Spec]:
    """Name the encoder for every metric over an encoder that names none; no such metric is a mistake."""
    takes = [METRICS.get(spec.name).takes_encoder for spec in specs]
    if not any(takes):
        names = ", ".join(spec.name for spec in specs)
        raise UsageError(f"the encoder {encoder} has nothing to do: {names} uses no encoder")
    return [
        Spec(spec.name, {**spec.options, "model": encoder}) if use and "model" not in spec.options else spec
        for spec, use in zip(specs, takes, strict=True)
    ]


def score(
    metrics: Sequence[Chosen],
    inputs: Source,
    *,
    intervals: bool = False,
    test: PairedTest | None = None,
    baseline: str | None = None,
    resamples: int = 0,
    seed: int = SEED,
    all_pairs: bool = False,
    keep_statistics: bool = False,
    run: Path | None = None,
    overwrite: bool = False,
    explain: bool = False,
    align: int | None = None,
    engine: ScoringEngine | None = None,
) -> Comparison:
    """Score every system with every metric and put the results side by side; who watches sees the progress.

    :param intervals: add 95 % bootstrap intervals
    :param test: test every system against the baseline, which is the first system unless it is named
    :param resamples: how many resamples the test draws; 0 takes the usual number
    :param all_pairs: test every system against every other, too; three or more are if no baseline is named
    :param keep_statistics: keep the statistics of every row even if nothing is resampled
    :param run: a folder that keeps texts and scores; an interrupted run in it is resumed
    :param explain: keep in the run which words are likely wrong or missing, by every metric that can say so
    :param align: keep, too, which tokens match in so many segments that differ most; 200 by default if explained
    :param engine: where the work is done; this process if not given
    """
    check_scorable(metrics, inputs, test)
    pairs = [Ready(one.spec, one.metric) for one in metrics if isinstance(one.metric, Metric)]
    judges = {one.spec: one.metric for one in metrics if isinstance(one.metric, SetMetric)}
    intervals = intervals or test is not None
    journal = _opened(run, metrics, inputs, overwrite, explain) if run is not None else None
    found: dict[str, list[Scores]] = {}
    if pairs:
        rows = _score_pairs(pairs, inputs, keep_statistics or intervals, journal, engine or LocalEngine())
        found |= zip([ready.spec for ready in pairs], rows, strict=True)
    if judges:
        found |= _score_sets(judges, inputs, intervals, resamples, seed)
    found = found if inputs.provenance == Provenance() else _amended(found, inputs.provenance)
    result = compared(
        [one.metric for one in metrics], [found[one.spec] for one in metrics], specs=[one.spec for one in metrics],
        intervals=intervals, test=test, baseline=baseline, resamples=resamples, seed=seed,
        documents=_documents(inputs) if pairs and intervals else None,
        all_pairs=all_pairs or (baseline is None and len(inputs.names) > 2),
    )  # fmt: skip
    if journal is not None:
        _close(journal, pairs, found, result, inputs, align if explain else align or 0)
    return result


def _amended(found: dict[str, list[Scores]], provenance: Provenance) -> dict[str, list[Scores]]:
    from farthing.scoring.provenance import with_provenance

    return with_provenance(found, provenance)


def check_scorable(metrics: Sequence[Chosen], inputs: Source, test: PairedTest | None) -> None:
    """Raise a sentence if a metric cannot judge these inputs, or cannot be tested."""
    sets = [one.metric.info.name for one in metrics if isinstance(one.metric, SetMetric)]
    pairs = [one.metric.info.name for one in metrics if isinstance(one.metric, Metric)]
    if test == "randomization" and sets:
        raise UsageError(f"{sets[0]} judges a set, not pairs: test it by bootstrap (omit --test)")
    if pairs and (path := inputs.vectors()):
        raise UsageError(f"{path} holds vectors, but {pairs[0]} compares texts")


def _documents(inputs: Source) -> Indices | None:
    from farthing.scoring.documents import document_numbers

    return document_numbers(inputs)


def _opened(run: Path, metrics: Sequence[Chosen], inputs: Source, overwrite: bool, explain: bool) -> Journal:
    from farthing.scoring.journal import open_journal

    loaded = {one.spec: one.metric for one in metrics}
    return open_journal(run, loaded, inputs, overwrite=overwrite, explain=explain)


def _align(
    folder: Path, metrics: Sequence[Ready], found: dict[str, list[Scores]], inputs: Source, count: int | None
) -> None:
    """Keep the alignments of so many segments (None: the usual number); the metrics look at the corpus once more."""
    if count == 0 or not metrics:
        return
    from farthing.files.run import unique_labels
    from farthing.scoring.alignments import USUAL, keep_alignments

    labels, scores = unique_labels([one.spec for one in metrics]), [found[one.spec] for one in metrics]
    ready = LocalEngine().prepare(metrics, lambda: _read(inputs))
    systems = next(iter(inputs.stretches(2**62)))
    keep_alignments(folder, ready, labels, scores, systems, USUAL if count is None else count)


def _close(
    journal: Journal,
    metrics: Sequence[Ready],
    found: dict[str, list[Scores]],
    result: Comparison,
    inputs: Source,
    align: int | None,
) -> None:
    """Write what is known only at the end, then say that the run is complete."""
    from farthing.files.run import unique_labels
    from farthing.scoring.journal import write_finished, write_results

    labels = unique_labels([ready.spec for ready in metrics])
    named = {label: ready.metric for label, ready in zip(labels, metrics, strict=True)}
    write_finished(journal.folder, named, [found[ready.spec] for ready in metrics])
    write_results(journal.folder, result)
    _align(journal.folder, metrics, found, inputs, align)
    journal.finish()


def _score_sets(
    judges: dict[str, SetMetric], inputs: Source, intervals: bool, resamples: int, seed: int
) -> dict[str, list[Scores]]:
    from farthing.scoring.sets import score_sets

    return score_sets(judges, inputs.sets(), intervals=intervals, resamples=resamples, seed=seed, bar=watched())


def _score_pairs(
    metrics: Sequence[Ready],
    inputs: Source,
    keep: bool,
    journal: Journal | None,
    engine: ScoringEngine,
) -> StretchScores:
    total = sum(len(systems[0]) for systems in _read(inputs)) if watched() else None
    ready = metrics
    if journal is None or not journal.complete:
        ready = engine.prepare(metrics, lambda: _read(inputs, total))
    with phase("scoring", total) as progress:
        if journal is not None:
            found = _journalled(journal, ready, inputs, engine, progress)
        else:
            found = engine.map(ready, _reported(inputs.stretches(), progress))
        return engine.finish(ready, found, keep_statistics=keep)


def _read(inputs: Source, total: int | None = None) -> Iterator[Stretch]:
    """Read the input once, and report it."""
    with phase("reading", total) as progress:
        yield from _reported(inputs.stretches(), progress)


def _reported(stretches: Iterable[Stretch], progress: Progress) -> Iterator[Stretch]:
    """The stretches; one counts as done when the next is asked for."""
    for systems in stretches:
        yield systems
        progress(len(systems[0]))


def _journalled(
    journal: Journal, metrics: Sequence[Ready], inputs: Source, engine: ScoringEngine, progress: Progress
) -> Iterator[StretchScores]:
    """Scores of complete shards as they were written, then those of the other stretches, each written at once."""
    from farthing.files.run import shard_scores, shard_table, unique_labels
    from farthing.scoring.journal import SHARD
    from farthing.scoring.marks import mark_columns

    labels, done = unique_labels([ready.spec for ready in metrics]), len(journal)
    for number in range(done):
        rows = journal.shard(number)
        progress(rows.num_rows // len(inputs.names))
        yield shard_scores(rows, labels, inputs.names)
    waiting: list[Stretch] = []
    for number, found in enumerate(engine.map(metrics, _remembered(inputs, done, SHARD, waiting)), start=done):
        systems = waiting.pop(0)
        marks = mark_columns(journal, metrics, labels, systems)
        journal.add(shard_table(systems, found, labels, number * SHARD, marks))
        progress(len(systems[0]))
        yield found


def _remembered(inputs: Source, skip: int, size: int, waiting: list[Stretch]) -> Iterator[Stretch]:
    """The stretches after the first `skip`; each is kept until its scores are there."""
    for systems in islice(inputs.stretches(size), skip, None):
        waiting.append(systems)
        yield systems
