"""The front door in Python: load a metric, score one system, compare several, read a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from farthing.core.errors import MissingInput
from farthing.core.metric import Metric, SetMetric
from farthing.core.registry import DEFAULT, load
from farthing.core.specs import parse_spec, parse_specs
from farthing.core.types import Pairs, Scores, Sets
from farthing.files.inputs import Given
from farthing.scoring.score import Chosen, score

if TYPE_CHECKING:
    from farthing.core.progress import Bar
    from farthing.scoring.comparison import Comparison
    from farthing.scoring.resampling import PairedTest

References = Sequence[str | Sequence[str]]


@lru_cache(maxsize=8)
def _kept(canonical: str) -> Metric | SetMetric:
    return load(canonical)


def score_texts(
    candidates: Sequence[str],
    references: References | None = None,
    sources: Sequence[str] | None = None,
    metric: str = DEFAULT,
    *,
    progress: bool = False,
) -> Scores:
    """Score one system's outputs.

    :param candidates: the texts to judge
    :param references: for each candidate one reference or a list of them
    :param sources: for each candidate the text it was made from, for metrics that look at it
    :param metric: a metric's spec; the loaded metric is kept for the next call
    :param progress: show on standard error how far the work is

    >>> score_texts(["the cat sat"], ["the cat sat down"], metric="ter").corpus
    25.0
    """
    spec = str(parse_spec(metric))
    judge = _kept(spec)
    inputs = (
        Given(sets=[_sets(judge, candidates, references)])
        if isinstance(judge, SetMetric)
        else Given([Pairs.of(candidates, references, sources)])
    )
    bar = _bar(progress)
    return score([Chosen(spec, judge)], inputs, keep_statistics=True, bar=bar).rows[0].cells[0].scores


def _bar(progress: bool) -> Bar | None:
    if not progress:
        return None
    from farthing.report.progress import requested_bars

    return requested_bars()


def _sets(judge: SetMetric, generated: Any, corpus: Any) -> Sets:
    """A set and its corpus, which may be vectors, texts, or lists of texts, which are taken together."""
    if corpus is None:
        raise MissingInput(f"{judge.info.name} needs a corpus to judge against (references= in Python)")
    if not hasattr(corpus, "dtype"):
        corpus = [text for entry in corpus for text in ([entry] if isinstance(entry, str) else entry)]
    return Sets(generated, corpus)


def compare(
    systems: Mapping[str, Sequence[str]],
    references: References | None = None,
    sources: Sequence[str] | None = None,
    metrics: str = DEFAULT,
    baseline: str | None = None,
    test: PairedTest = "bootstrap",
    resamples: int = 0,
    seed: int = 12345,
    *,
    all_pairs: bool = False,
    documents: Sequence[str] | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare systems on the same segments, with a paired significance test against a baseline.

    :param systems: name of each system to its outputs
    :param metrics: one spec or several with commas between them
    :param baseline: the system that the others are tested against; the first by default
    :param all_pairs: rank the systems by tests of all pairs; three or more are ranked anyway if no baseline is named
    :param documents: for each segment the id of its document; whole documents are resampled then
    :param progress: show on standard error how far the work is

    >>> result = compare({"a": ["the cat"], "b": ["a dog"]}, ["the cat"], metrics="chrf")
    >>> [row.system for row in result.rows]
    ['a', 'b']
    """
    specs = [str(spec) for spec in parse_specs(metrics)]
    chosen = [Chosen(spec, _kept(spec)) for spec in specs]
    judges = [one.metric for one in chosen if isinstance(one.metric, SetMetric)]
    pairs = []
    if len(judges) < len(chosen):
        pairs = [Pairs.of(texts, references, sources, name) for name, texts in systems.items()]
        pairs = pairs if documents is None else [replace(one, documents=list(documents)) for one in pairs]
    return score(
        chosen, Given(pairs, _set_systems(judges[0], systems, references) if judges else []), test=test,
        baseline=baseline, resamples=resamples, seed=seed, all_pairs=all_pairs,
        bar=_bar(progress),
    )  # fmt: skip


def _set_systems(judge: SetMetric, systems: Mapping[str, Sequence[str]], corpus: Any) -> list[Sets]:
    """The sets of all systems, with one corpus object, so that it is encoded once."""
    first, *others = [_sets(judge, texts, corpus) for texts in systems.values()]
    return [replace(one, corpus=first.corpus, system=name) for name, one in zip(systems, [first, *others], strict=True)]


def read(
    data: Any,
    *,
    candidate: str | None = None,
    reference: str | Sequence[str] = (),
    source: str | None = None,
    system: str = "system",
) -> Pairs:
    """Pairs from a table file, or from anything with rows: a Hugging Face dataset, a list of dicts.

    :param data: a path (txt, tsv, csv, jsonl, each also .gz, or parquet), or an iterable of dicts
    :param candidate: the column of candidates; usual names are guessed, for the others as well

    >>> read([{"mt": "a b", "ref1": "a c", "ref2": "b"}]).references
    [('a c', 'b')]
    """
    from farthing.files.columns import Columns
    from farthing.files.inputs import Inputs, pairs_of_records

    columns = Columns(candidate, (reference,) if isinstance(reference, str) else tuple(reference), source)
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return Inputs([str(data)], columns=columns, names=[system]).pairs()[0]
    return pairs_of_records(data, columns, system)
