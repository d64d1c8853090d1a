"""Choose among candidates: by their own scores, or by what they share with each other (minimum Bayes risk).

Both ways score each distinct text of a list once, however often it occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from farthing.core.arrays import Segments, Weights
from farthing.core.errors import MissingInput, UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.nbest import NBest
from farthing.core.progress import phase
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.scoring.choices import Choice, Choices
from farthing.scoring.engine import Gathered, Keeping, LocalEngine, Ready, Stretches, score_stretch

PAIRS = 1 << 16  # pairs that are scored together
TEXTS = 1 << 11  # texts that are encoded together
DIGITS = 6  # scores that are equal up to here are ties, so that no rounding error chooses

ListScores: TypeAlias = Callable[[Metric, Sequence[NBest]], Scores]  #: how the pairs of some lists are scored


class DistinctTexts(NamedTuple):
    """The distinct texts of a list in their order.

    :param places: where each text occurs first
    :param weights: the sum of the weights of each text's occurrences
    """

    texts: list[str]
    places: list[int]
    weights: Weights


def distinct_texts(texts: Sequence[str], weights: Sequence[float] | None = None) -> DistinctTexts:
    """Find the distinct texts of a list.

    >>> distinct_texts(["a", "b", "a"]).weights.tolist()
    [2.0, 1.0]
    """
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        first.setdefault(text, place)
    numbers = {text: number for number, text in enumerate(first)}
    owners = [numbers[text] for text in texts]
    total = np.bincount(owners, weights=np.ones(len(texts)) if weights is None else weights).astype(np.float64)
    return DistinctTexts(list(first), list(first.values()), total)


def choose_by_risk(
    metric: Metric | SetMetric,
    lists: Sequence[NBest],
    pseudo: Sequence[NBest] | None = None,
    *,
    top: int = 1,
    itself: bool = False,
) -> Choices:
    """Choose the candidates with the best expected score (minimum Bayes risk).

    The expected score of a candidate is its mean score against pseudo-references. If a list has weights, the mean is
    weighted, and every candidate is a pseudo-reference of itself with its own weight.

    :param pseudo: the pseudo-references of every segment; by default, all other candidates of its list
    :param top: how many candidates to keep per segment
    :param itself: count every candidate among its own pseudo-references, even if there are no weights
    """
    judge = _checked(metric, lists, top)
    if "reference" not in judge.info.needs:
        raise UsageError(f"{judge.info.name} does not compare a candidate with another one: use rerank")
    candidates = [distinct_texts(one.candidates, one.weights) for one in lists]
    others = candidates if pseudo is None else _pseudo(pseudo, len(lists))
    crossed = [
        replace(one, candidates=own.texts, references=other.texts, weights=None)
        for one, own, other in zip(lists, candidates, others, strict=True)
    ]
    scores = _scored(
        judge,
        crossed,
        lambda: [[texts_once(crossed)]],
        lambda ready, some: ready.score_crossed(_normalised(ready, some)),
    )
    sizes = [one.size for one in crossed]
    expected = [
        _expected(values, own, other, itself or other is not own or one.weights is not None)
        for one, values, own, other in zip(lists, _split(scores, sizes), candidates, others, strict=True)
    ]
    return _ranked(judge, lists, candidates, expected, scores, sizes, top)


def texts_once(lists: Sequence[NBest]) -> Pairs:
    """Return pairs with every candidate and every reference once, for metrics that learn from a corpus.

    >>> texts_once([NBest(["a", "b"], ["c", "d"])]).references
    [['c', 'd'], []]
    """
    candidates = [text for one in lists for text in one.candidates]
    rows = ([one.references, *[[]] * (len(one.candidates) - 1)] for one in lists)
    return Pairs(candidates, [list(row) for one in rows for row in one])


def _pseudo(lists: Sequence[NBest], count: int) -> list[DistinctTexts]:
    if len(lists) != count:
        raise UsageError(
            f"{count} lists of candidates but {len(lists)} lists of pseudo-references: give one per segment"
        )
    return [distinct_texts(one.candidates, one.weights) for one in lists]


def _expected(values: Segments, own: DistinctTexts, other: DistinctTexts, itself: bool) -> Segments:
    """Average the scores of every candidate over its references."""
    matrix = values.reshape(len(own.texts), len(other.texts))
    sums, count = matrix @ other.weights, other.weights.sum()
    if itself or count == 1:  # a candidate without others is compared with itself
        return np.asarray(sums / count)
    return np.asarray((sums - matrix.diagonal()) / (count - 1))


def choose_by_score(metric: Metric | SetMetric, lists: Sequence[NBest], *, top: int = 1) -> Choices:
    """Choose the candidates that score best by themselves: against the source, or against references.

    :param top: how many candidates to keep per segment
    """
    judge = check_lists(metric, lists, top)
    reduced = distinct_lists(lists)
    scores = _scored(
        judge,
        reduced,
        lambda: ([listed_pairs(some)] for some in _stretches(reduced)),
        lambda ready, some: score_stretch([ready], [listed_pairs(some)])[0][0],
    )
    return ranked_lists(judge, lists, scores, top)


def check_lists(metric: Metric | SetMetric, lists: Sequence[NBest], top: int) -> Metric:
    """Return a metric that can choose among these lists by their scores, or raise a sentence."""
    judge = _checked(metric, lists, top)
    _check_sides(judge.info, lists)
    return judge


def distinct_lists(lists: Sequence[NBest]) -> list[NBest]:
    """Return lists with each distinct candidate once."""
    return [replace(one, candidates=distinct_texts(one.candidates).texts, weights=None) for one in lists]


def ranked_lists(metric: Metric, lists: Sequence[NBest], scores: Scores, top: int) -> Choices:
    """Choose by the scores of :func:`listed_pairs` of :func:`distinct_lists`."""
    candidates = [distinct_texts(one.candidates) for one in lists]
    sizes = [len(own.texts) for own in candidates]
    return _ranked(metric, lists, candidates, _split(scores, sizes), scores, sizes, top)


def _check_sides(info: MetricInfo, lists: Sequence[NBest]) -> None:
    """Raise a sentence if there is nothing that the candidates of a list can be compared with."""
    if "reference" not in info.needs or all(one.references for one in lists):
        return
    if info.or_source and not any(one.references for one in lists):
        if all(one.source is not None for one in lists):
            return
        raise MissingInput(
            f"{info.name} needs sources or references: give them (-s or -r on the command line, sources= or "
            "references= in Python), or use mbr, which compares the candidates with each other"
        )
    raise MissingInput(
        f"{info.name} needs references: give them (-r on the command line, references= in Python), take a "
        "metric that compares with the source, or use mbr, which compares the candidates with each other"
    )


def listed_pairs(lists: Sequence[NBest]) -> Pairs:
    """Pair every candidate with all references and the source of its list.

    >>> listed_pairs([NBest(["a", "b"], ["c", "d"])]).references
    [['c', 'd'], ['c', 'd']]
    """
    rows = [(text, list(one.references), one.source) for one in lists for text in one.candidates]
    sources = [source for _, _, source in rows if source is not None]
    return Pairs(
        [text for text, _, _ in rows], [references for _, references, _ in rows],
        sources if len(sources) == len(rows) else None,
    )  # fmt: skip


def _checked(metric: Metric | SetMetric, lists: Sequence[NBest], top: int) -> Metric:
    if isinstance(metric, SetMetric):
        raise UsageError(f"{metric.info.name} judges a set, not single texts, so it cannot choose among candidates")
    if not lists:
        raise UsageError("there is nothing to choose from: give at least one list of candidates")
    if top < 1:
        raise UsageError(f"top={top} must be at least 1")
    return metric


def _scored(metric: Metric, lists: Sequence[NBest], corpus: Stretches, score: ListScores) -> Scores:
    """Let the metric look at the whole corpus if it needs to, then score some lists at a time."""
    [ready] = LocalEngine().prepare([Ready(metric.info.name, metric)], corpus)
    gathered = Gathered(ready.metric, Keeping(statistics=False))
    with phase("scoring", len(lists)) as progress:
        for some in _stretches(lists):
            gathered.add(score(ready.metric, some))
            progress(len(some))
    return metric.signed(gathered.scores())


def _normalised(metric: Metric, lists: Sequence[NBest]) -> Sequence[NBest]:
    """Return lists as the metric reads them."""
    if metric.normaliser is None:
        return lists
    texts = metric.normaliser.texts
    sources = [None if one.source is None else metric.normaliser(one.source) for one in lists]
    return [
        replace(one, candidates=texts(one.candidates), references=texts(one.references), source=source)
        for one, source in zip(lists, sources, strict=True)
    ]


def _stretches(lists: Sequence[NBest]) -> Iterator[list[NBest]]:
    """Cut lists into stretches of about :data:`PAIRS` pairs or :data:`TEXTS` texts."""
    stretch: list[NBest] = []
    pairs = texts = 0
    for one in lists:
        stretch.append(one)
        pairs += one.size
        texts += len(one.candidates) + len(one.references)
        if pairs >= PAIRS or texts >= TEXTS:
            yield stretch
            stretch, pairs, texts = [], 0, 0
    if stretch:
        yield stretch


def _split(scores: Scores, sizes: Sequence[int]) -> list[Segments]:
    assert scores.segments is not None  # a metric of pairs scores every pair
    return np.split(scores.segments, np.cumsum(sizes)[:-1])


def _ranked(
    metric: Metric,
    lists: Sequence[NBest],
    candidates: Sequence[DistinctTexts],
    expected: Sequence[Segments],
    scores: Scores,
    sizes: Sequence[int],
    top: int,
) -> Choices:
    sign = -1 if metric.info.higher_is_better else 1
    rows = []
    for one, own, values in zip(lists, candidates, expected, strict=True):
        order = np.argsort(sign * np.round(values, DIGITS), kind="stable")[:top].tolist()
        rows.append(
            Choice(
                tuple(own.texts[number] for number in order), tuple(float(values[number]) for number in order),
                tuple(own.places[number] for number in order), one.id,
            )
        )  # fmt: skip
    ends = np.cumsum(sizes)
    notes = tuple(_by_segment(note, ends) for note in scores.notes)
    return Choices(tuple(rows), scores.signature, notes)


def _by_segment(note: Note, ends: np.ndarray) -> Note:
    """Return a note with the numbers of segments in the place of those of pairs."""
    return replace(note, rows=tuple(np.unique(np.searchsorted(ends, note.rows, side="right")).tolist()))
