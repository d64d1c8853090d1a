"""The front door in Python: load a metric, score one system, compare several, read a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast, overload

from farthing.core.errors import MissingInput, SpecError, UnknownName, UsageError
from farthing.core.frames import names_of_column, system_columns
from farthing.core.metric import Metric, SetMetric
from farthing.core.progress import Bar, watching
from farthing.core.registry import DEFAULT, load
from farthing.core.specs import Spec, parse_specs
from farthing.core.texts import Texts, TextTable, as_list, as_table
from farthing.core.types import Pairs, Scores, Sets, TextsOrVectors
from farthing.files.inputs import Given
from farthing.scoring.score import Chosen, score

if TYPE_CHECKING:
    from farthing.scoring.comparison import Comparison
    from farthing.scoring.resampling import PairedTest

OneMetric: TypeAlias = str | Spec | Metric | SetMetric  #: a spec, or a loaded metric
ManyMetrics: TypeAlias = list[Any] | tuple[OneMetric, ...]  #: several of them
OutputTexts: TypeAlias = "Pairs | Texts | TextTable | TextsOrVectors"
References: TypeAlias = "Texts | TextTable | TextsOrVectors"


@lru_cache(maxsize=8)
def _kept(canonical: str) -> Metric | SetMetric:
    return load(canonical)


@overload
def score_texts(
    candidates: OutputTexts,
    references: References | None = None,
    metric: OneMetric = DEFAULT,
    *,
    sources: Texts | None = None,
    progress: bool = False,
) -> Scores: ...


@overload
def score_texts(
    candidates: OutputTexts,
    references: References | None,
    metric: ManyMetrics,
    *,
    sources: Texts | None = None,
    progress: bool = False,
) -> Comparison: ...


@overload
def score_texts(
    candidates: OutputTexts,
    references: References | None = None,
    *,
    metric: ManyMetrics,
    sources: Texts | None = None,
    progress: bool = False,
) -> Comparison: ...


def score_texts(
    candidates: OutputTexts,
    references: References | None = None,
    metric: OneMetric | ManyMetrics = DEFAULT,
    *,
    sources: Texts | None = None,
    progress: bool = False,
) -> Scores | Comparison:
    """Score one system's outputs.

    Texts may be lists, tuples, generators, columns of pandas, polars or Arrow, or arrays of numpy.

    :param candidates: the texts to judge; or `Pairs`, or a whole table (a data frame, a dict of columns)
    :param references: for each candidate one reference or a list of them, or a table with one column per reference
    :param metric: a spec or a loaded metric; a list of them gives a `Comparison` with one column per metric
    :param sources: for each candidate the text it was made from, for metrics that look at it
    :param progress: show on standard error how far the work is

    >>> score_texts(["the cat sat"], ["the cat sat down"], "ter").corpus
    25.0
    >>> score_texts(["the cat sat"], ["the cat sat down"], ["ter", "bleu"]).labels
    ('ter', 'bleu')
    """
    chosen = chosen_metrics(metric)
    if _is_one(metric) and len(chosen) > 1:
        raise UsageError(f"{len(chosen)} metrics in one text: pass a list, metric={[one.spec for one in chosen]}")
    judges = [one.metric for one in chosen if isinstance(one.metric, SetMetric)]
    pairs = [Pairs.of(candidates, references, sources)] if len(judges) < len(chosen) else []
    sets = [_sets(judges[0], candidates, references)] if judges else []
    with watching(asked_bar(progress)):
        result = score(chosen, Given(pairs, sets), keep_statistics=True)
    return result.rows[0].cells[0].scores if _is_one(metric) else result


def asked_bar(progress: bool) -> Bar | None:
    """Return a bar for somebody who asked for it."""
    if not progress:
        return None
    from farthing.report.progress import requested_bars

    return requested_bars()


def _is_one(metric: object) -> bool:
    return isinstance(metric, str | Spec | Metric | SetMetric)


def chosen_metrics(metrics: OneMetric | ManyMetrics) -> list[Chosen]:
    """Return the metrics that a spec, a loaded metric or a list of them names."""
    listed = [metrics] if isinstance(metrics, str | Spec | Metric | SetMetric) else metrics
    if not isinstance(listed, list | tuple):
        raise _no_metric(metrics)
    try:
        chosen = [found for one in listed for found in _choices(one)]
    except (SpecError, UnknownName) as error:
        if listed == [metrics]:
            raise
        raise UsageError(f"{error}; a list here names metrics, and sources are passed as sources=[…]") from error
    specs = [one.spec for one in chosen]
    if not specs:
        raise UsageError("the list of metrics is empty: name at least one, such as 'chrf'")
    if twice := [spec for place, spec in enumerate(specs) if spec in specs[:place]]:
        raise UsageError(f"the metric {twice[0]} is asked for twice")
    return chosen


def _choices(metric: object) -> list[Chosen]:
    if isinstance(metric, Metric | SetMetric):
        return [Chosen(metric.origin.spec if metric.origin else metric.info.name, metric)]
    if not isinstance(metric, str | Spec):
        raise _no_metric(metric)
    specs = [str(spec) for spec in (parse_specs(metric) if isinstance(metric, str) else [metric])]
    return [Chosen(spec, _kept(spec)) for spec in specs]


def _no_metric(found: object) -> UsageError:
    return UsageError(
        f"a metric is a spec such as 'chrf', a loaded metric or a list of them, found {type(found).__name__}; "
        "sources are passed as sources=…"
    )


def _sets(judge: SetMetric, generated: Any, corpus: Any) -> Sets:
    """A set and its corpus, which may be vectors, texts, or lists of texts, which are taken together."""
    if corpus is None and (isinstance(generated, Pairs) or as_table(generated) is not None):
        pairs = Pairs.of(generated)
        generated, corpus = pairs.candidates, [text for row in pairs.references for text in row] or None
    if corpus is None and "reference" in judge.info.needs:
        raise MissingInput(f"{judge.info.name} needs a corpus to judge against (references= in Python)")
    return Sets.of(generated, corpus)


def compare(
    systems: Mapping[str, Texts] | Sequence[Pairs] | TextTable,
    references: Texts | TextTable | None = None,
    metrics: OneMetric | ManyMetrics = DEFAULT,
    *,
    sources: Texts | None = None,
    baseline: str | None = None,
    test: PairedTest = "bootstrap",
    resamples: int = 0,
    seed: int = 12345,
    all_pairs: bool = False,
    documents: Iterable[str | int] | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare systems on the same segments, with a paired significance test against a baseline.

    :param systems: name of each system to its outputs; or a data frame with one column per system, and perhaps the
        references and sources; or a table (a file, a data frame, a list of dicts) with one row per system and segment
        and a column `system`; or a list of `Pairs`
    :param metrics: a spec (or several with commas between them), a loaded metric, or a list of these
    :param baseline: the system that the others are tested against; the first by default
    :param all_pairs: rank the systems by tests of all pairs; three or more are ranked anyway if no baseline is named
    :param documents: for each segment the id of its document; whole documents are resampled then
    :param progress: show on standard error how far the work is

    >>> result = compare({"a": ["the cat"], "b": ["a dog"]}, ["the cat"], "chrf")
    >>> [row.system for row in result.rows]
    ['a', 'b']
    """
    chosen = chosen_metrics(metrics)
    judges = [one.metric for one in chosen if isinstance(one.metric, SetMetric)]
    pairs = _systems(systems, references, sources) if len(judges) < len(chosen) else []
    if documents is not None:
        ids = names_of_column(documents, "documents")
        pairs = [replace(one, documents=ids) for one in pairs]
    sets = _set_systems(judges[0], systems, references) if judges else []
    with watching(asked_bar(progress)):
        return score(
            chosen, Given(pairs, sets), test=test, baseline=baseline, resamples=resamples, seed=seed,
            all_pairs=all_pairs,
        )  # fmt: skip


def _set_systems(judge: SetMetric, systems: object, corpus: object) -> list[Sets]:
    """The sets of all systems, with one corpus object, so that it is encoded once."""
    if isinstance(systems, Mapping) and corpus is not None:
        sets = [(name, _sets(judge, generated, corpus)) for name, generated in systems.items()]
    else:
        sets = [(one.system, _sets(judge, one, None)) for one in _systems(systems, cast(Texts | None, corpus), None)]
    return [Sets(one.generated, sets[0][1].corpus, name) for name, one in sets]


def _systems(systems: object, references: Texts | TextTable | None, sources: Texts | None) -> list[Pairs]:
    """Return the outputs of each system with what all systems share."""
    if isinstance(systems, list | tuple) and systems and all(isinstance(one, Pairs) for one in systems):
        return [Pairs.of(one, references, sources) for one in systems]
    if (found := _rows_of_systems(systems)) is not None:
        return [Pairs.of(one, references, sources) for one in found]
    table = as_table(systems)
    if table is None:
        raise UsageError(
            f"systems is a {type(systems).__name__}: pass a dict from the name of each system to its outputs, "
            "such as {'a': […], 'b': […]}, or a data frame with one column per system"
        )
    if isinstance(systems, Mapping) and (
        references is not None or any(isinstance(texts, Pairs) for texts in table.values())
    ):
        return [Pairs.of(cast(Texts, texts), references, sources, name) for name, texts in table.items()]
    outputs, rest = system_columns(table)
    first: dict[str, object] = {"candidate": next(iter(outputs.values()), [])}
    shared = Pairs.of(first | dict(rest), references, sources)
    return [
        replace(
            Pairs.of(texts, system=name),
            references=shared.references,
            sources=shared.sources,
            documents=shared.documents,
        )
        for name, texts in outputs.items()
    ]


def _rows_of_systems(systems: object) -> list[Pairs] | None:
    """Return the pairs of every system in a table with one row per system and segment; None for anything else."""
    from farthing.core.columns import SYSTEM, Columns
    from farthing.files.read import format_of

    if hasattr(systems, "__fspath__") or (isinstance(systems, str) and format_of(systems) != "txt"):
        from farthing.files.inputs import Inputs

        return Inputs([str(systems)]).pairs()
    rows: list[Mapping[str, object]] = []
    if isinstance(systems, list | tuple) and all(isinstance(row, Mapping) for row in systems):
        rows = list(systems)
    elif (table := as_table(systems)) is not None:
        named = any(name.lower() in SYSTEM for name in table)
        columns = [as_list(column, name) for name, column in table.items()] if named else []
        rows = [dict(zip(table, values, strict=True)) for values in zip(*columns, strict=True)]
    if not rows or not {str(name).lower() for name in rows[0]} & {*SYSTEM}:
        return None
    from farthing.files.memory import systems_of_records

    return systems_of_records(rows, Columns())


def read(
    data: Any,
    *,
    candidate: str | None = None,
    reference: str | Sequence[str] = (),
    source: str | None = None,
    system: str = "system",
) -> Pairs:
    """Pairs from a table file, or from anything with rows or columns: a data frame, a dataset, a list of dicts.

    All rows are taken together; :func:`compare` takes those of each system apart.

    :param data: a path (txt, tsv, csv, jsonl, json, also compressed, or parquet), a table in memory, or rows as dicts
    :param candidate: the column of candidates; usual names are guessed, for the others as well

    >>> read([{"mt": "a b", "ref1": "a c", "ref2": "b"}]).references
    [('a c', 'b')]
    """
    from farthing.core.columns import Columns
    from farthing.files.inputs import Inputs
    from farthing.files.memory import pairs_of_records

    if data is None or isinstance(data, int | float | bytes | set | frozenset):
        raise UsageError(
            f"data is {'None' if data is None else type(data).__name__}: pass the path of a file, a data frame, a dict "
            "of columns or a list of dicts"
        )
    references = (reference,) if isinstance(reference, str) else tuple(reference)
    columns = Columns(candidate, references, source, system="none")
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return Inputs([str(data)], columns=columns, names=[system]).pairs()[0]
    if (table := as_table(data)) is not None:
        return Pairs.of(table, system=system, columns=columns)
    return pairs_of_records(data, columns, system)
