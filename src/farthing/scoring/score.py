"""The flow that everything goes through: metrics over the texts of several systems, then their comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import count
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
from farthing.files.rejects import SKIPPING
from farthing.scoring.comparison import Comparison, compared
from farthing.scoring.engine import (
    Keeping,
    Ready,
    ScoringEngine,
    Shard,
    Stretch,
    StretchScores,
    join_stretches,
    usual_engine,
)
from farthing.scoring.resampling import SEED, PairedTest

if TYPE_CHECKING:
    from farthing.files.inputs import Source
    from farthing.files.journal import Journal

MOST_ROWS = 100_000  # of inputs with more rows per system, commands keep sums only


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
    most_rows: int | None = None,
    each: Callable[[StretchScores], None] | None = None,
) -> Comparison:
    """Score every system with every metric and put the results side by side; who watches sees the progress.

    :param intervals: add 95 % bootstrap intervals
    :param test: test every system against the baseline (the first one unless named) by so many resamples (0: as usual)
    :param all_pairs: test every system against every other, too; three or more are if no baseline is named
    :param keep_statistics: keep the statistics of every row even if nothing is resampled
    :param run: a folder that keeps texts and scores; an interrupted run in it is resumed
    :param explain: keep in the run which words are likely wrong or missing, by every metric that can say so
    :param align: keep, too, which tokens match in so many segments that differ most; 200 by default if explained
    :param engine: where the work is done; by default what :func:`using_engine` says, else this process
    :param most_rows: of longer inputs, only sums are kept, and intervals are drawn in one pass; None keeps all rows
    :param each: is given the scores of every stretch, in order, before they are joined
    """
    check_scorable(metrics, inputs, test)
    pairs = [Ready(one.spec, one.metric) for one in metrics if isinstance(one.metric, Metric)]
    judges = {one.spec: one.metric for one in metrics if isinstance(one.metric, SetMetric)}
    intervals, found = intervals or test is not None, dict[str, list[Scores]]()
    journal = _opened(run, metrics, inputs, overwrite, explain) if run is not None else None
    if pairs:
        keeping = _keeping(inputs, keep_statistics, intervals, test, most_rows, seed)
        found |= _score_pairs(pairs, inputs, keeping, journal, engine or usual_engine(), each)
    if judges:
        found |= _score_sets(judges, inputs, intervals, resamples, seed)
    found = _amended(found, inputs.provenance)
    result = compared(
        [one.metric for one in metrics], [found[one.spec] for one in metrics], specs=[one.spec for one in metrics],
        intervals=intervals, test=test, baseline=baseline, resamples=resamples, seed=seed,
        all_pairs=all_pairs or _are_many(baseline, inputs),
        documents=_documents(inputs) if pairs and intervals else None,
    )  # fmt: skip
    return result if journal is None else _closed(journal, pairs, found, result, inputs, align, explain)


def _are_many(baseline: str | None, inputs: Source) -> bool:
    """Tell whether there are three or more systems, of which none is the baseline."""
    return baseline is None and len(inputs.names) > 2


def _keeping(
    inputs: Source, statistics: bool, intervals: bool, test: PairedTest | None, most_rows: int | None, seed: int
) -> Keeping:
    """Say what stays in memory: all rows for tests and for resampled documents, else at most so many."""
    whole = test is not None or (intervals and most_rows and _documents(inputs) is not None)
    return Keeping(statistics or intervals, None if whole else most_rows, seed if intervals else None)


def _amended(found: dict[str, list[Scores]], provenance: Provenance) -> dict[str, list[Scores]]:
    if provenance == Provenance() and SKIPPING.get() is None:
        return found
    from farthing.scoring.provenance import with_provenance

    return with_provenance(found, provenance)


def check_scorable(metrics: Sequence[Chosen], inputs: Source, test: PairedTest | None) -> None:
    """Raise a sentence if a metric cannot judge these inputs, or cannot be tested."""
    sets = [one.metric.info.name for one in metrics if isinstance(one.metric, SetMetric)]
    pairs = [one.metric.info.name for one in metrics if isinstance(one.metric, Metric)]
    if test == "randomization" and sets:
        raise UsageError(f"{sets[0]} judges a set, not pairs: test it by bootstrap (omit --test)")
    if (rejects := SKIPPING.get()) is not None:
        infos = [one.metric.info for one in metrics if isinstance(one.metric, Metric)]
        rejects.needs = frozenset(need for info in infos if not info.or_source for need in info.needs)
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
    ready = usual_engine().prepare(metrics, lambda: _read(inputs))
    systems = next(iter(inputs.stretches(2**62)))
    keep_alignments(folder, ready, labels, scores, systems, USUAL if count is None else count)


def _closed(
    journal: Journal,
    metrics: Sequence[Ready],
    found: dict[str, list[Scores]],
    result: Comparison,
    inputs: Source,
    align: int | None,
    explain: bool,
) -> Comparison:
    """Write what is known only at the end, then say that the run is complete."""
    from farthing.files.run import unique_labels
    from farthing.scoring.journal import write_finished, write_results

    labels = unique_labels([ready.spec for ready in metrics])
    named = {label: ready.metric for label, ready in zip(labels, metrics, strict=True)}
    with _resumable(journal):
        write_finished(journal.folder, named, [found[ready.spec] for ready in metrics])
        write_results(journal.folder, result)
        _align(journal.folder, metrics, found, inputs, align if explain else align or 0)
        journal.finish()
    return result


def _score_sets(
    judges: dict[str, SetMetric], inputs: Source, intervals: bool, resamples: int, seed: int
) -> dict[str, list[Scores]]:
    from farthing.scoring.sets import score_sets

    return score_sets(judges, inputs.sets(), intervals=intervals, resamples=resamples, seed=seed, bar=watched())


def _score_pairs(
    metrics: Sequence[Ready],
    inputs: Source,
    keeping: Keeping,
    journal: Journal | None,
    engine: ScoringEngine,
    each: Callable[[StretchScores], None] | None,
) -> dict[str, list[Scores]]:
    total = sum(len(systems[0]) for systems in _read(inputs)) if watched() else None
    ready = _prepared(metrics, inputs, journal, engine, total)
    with phase("scoring", total) as progress, nullcontext() if journal is None else _resumable(journal):
        if journal is None:
            found = engine.map(ready, _reported(inputs.stretches(), progress))
        else:
            found = _journalled(journal, ready, inputs, engine, progress)
        rows = join_stretches(ready, found, keeping, each)
    return dict(zip([one.spec for one in metrics], rows, strict=True))


def _resumable(journal: Journal) -> AbstractContextManager[None]:
    from farthing.files.rows import resumable

    return resumable(journal.folder)


def _prepared(
    metrics: Sequence[Ready], inputs: Source, journal: Journal | None, engine: ScoringEngine, total: int | None
) -> list[Ready]:
    """Let every metric look at the corpus, unless an interrupted run has kept what they learned."""
    if journal is None:
        return engine.prepare(metrics, lambda: _read(inputs, total))
    if journal.complete:
        return list(metrics)
    from farthing.scoring.journal import prepare_journal

    return prepare_journal(journal, metrics, lambda: _read(inputs, total), engine)


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
    """The scores of all shards in order: those of complete ones as they were written, the others scored and written."""
    from farthing.files.run import shard_scores
    from farthing.scoring.journal import SHARD, ShardKeeper

    keeper = ShardKeeper.of(journal, metrics, inputs)
    missing = (Shard(*one) for one in enumerate(inputs.stretches(SHARD)) if one[0] not in journal)
    new = iter(()) if journal.complete else engine.keep(metrics, missing, keeper)
    for number in count():
        done = number in journal
        found = shard_scores(journal.numbered(number), keeper.labels, inputs.names) if done else next(new, None)
        if found is None:
            journal.expected = number
            return
        yield found
        progress(0 if found[0][0].segments is None else len(found[0][0].segments))
