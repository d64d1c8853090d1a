"""The front door in Python: load a metric, score one system, compare several, read a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from farthing.core.errors import MissingInput, UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.registry import DEFAULT, load
from farthing.core.specs import parse_spec, parse_specs
from farthing.core.types import Pairs, Scores, Sets
from farthing.files.inputs import Given
from farthing.scoring.score import Chosen, score

if TYPE_CHECKING:
    from farthing.core.nbest import NBest
    from farthing.scoring.choices import Choices
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
) -> Scores:
    """Score one system's outputs.

    :param candidates: the texts to judge
    :param references: for each candidate one reference or a list of them
    :param sources: for each candidate the text it was made from, for metrics that look at it
    :param metric: a metric's spec; the loaded metric is kept for the next call

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
    return score([Chosen(spec, judge)], inputs, keep_statistics=True).rows[0].cells[0].scores


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
) -> Comparison:
    """Compare systems on the same segments, with a paired significance test against a baseline.

    :param systems: name of each system to its outputs
    :param metrics: one spec or several with commas between them
    :param baseline: the system that the others are tested against; the first by default

    >>> result = compare({"a": ["the cat"], "b": ["a dog"]}, ["the cat"], metrics="chrf")
    >>> [row.system for row in result.rows]
    ['a', 'b']
    """
    pairs = [Pairs.of(texts, references, sources, name) for name, texts in systems.items()]
    specs = [str(spec) for spec in parse_specs(metrics)]
    chosen = [Chosen(spec, _kept(spec)) for spec in specs]
    return score(chosen, Given(pairs), test=test, baseline=baseline, resamples=resamples, seed=seed)


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


def mbr(
    candidates: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]] | None = None,
    *,
    metric: str | Metric = DEFAULT,
    sources: Sequence[str] | None = None,
    weights: Sequence[Sequence[float]] | None = None,
    top: int = 1,
    itself: bool = False,
) -> Choices:
    """Choose the candidate of each list with the best expected score against the others (minimum Bayes risk).

    :param candidates: one list of texts per segment
    :param references: one list of pseudo-references per segment; by default, all other candidates of its list
    :param weights: the weight of each pseudo-reference, such as a count or a probability
    :param top: how many candidates to keep per segment
    :param itself: count every candidate among its own pseudo-references

    >>> mbr([["the cat sat", "a cat sat", "dogs"]], metric="chrf").texts
    ['the cat sat']
    """
    from farthing.files.nbest import with_sides
    from farthing.scoring.choose import choose_by_risk

    lists = with_sides(_lists(candidates, weights if references is None else None), sources=sources)
    pseudo = None if references is None else _lists(references, weights)
    return choose_by_risk(_loaded(metric), lists, pseudo, top=top, itself=itself)


def rerank(
    candidates: Sequence[Sequence[str]],
    references: References | None = None,
    *,
    metric: str | Metric = DEFAULT,
    sources: Sequence[str] | None = None,
    top: int = 1,
) -> Choices:
    """Choose the candidate of each list that scores best: against its source, or against references (an oracle).

    :param candidates: one list of texts per segment
    :param references: for each segment one reference or a list of them
    :param sources: for each segment the text that the candidates were made from
    :param top: how many candidates to keep per segment

    >>> rerank([["the cat sat", "dogs"]], ["a cat sat"], metric="chrf").texts
    ['the cat sat']
    """
    from farthing.files.nbest import with_sides
    from farthing.scoring.choose import choose_by_score

    given = None if references is None else [[one] if isinstance(one, str) else one for one in references]
    return choose_by_score(_loaded(metric), with_sides(_lists(candidates, None), given, sources), top=top)


def _loaded(metric: str | Metric) -> Metric | SetMetric:
    return _kept(str(parse_spec(metric))) if isinstance(metric, str) else metric


def _lists(texts: Sequence[Sequence[str]], weights: Sequence[Sequence[float]] | None) -> list[NBest]:
    from farthing.core.nbest import NBest

    if isinstance(texts, str) or any(isinstance(one, str) for one in texts):
        raise UsageError("candidates are one list of texts per segment, such as [['a', 'b'], ['c', 'd', 'e']]")
    if weights is not None and len(weights) != len(texts):
        raise UsageError(f"{len(texts)} lists of texts but {len(weights)} lists of weights: give one per segment")
    return [NBest(one, weights=None if weights is None else weights[row]) for row, one in enumerate(texts)]
