"""The door in Python to the choice among candidates: by their scores, or by minimum Bayes risk."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.errors import UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.nbest import nbest_lists, with_sides
from farthing.core.progress import watching
from farthing.core.registry import DEFAULT
from farthing.core.texts import Texts
from farthing.front import OneMetric, asked_bar, chosen_metrics
from farthing.scoring.choices import Choices
from farthing.scoring.choose import choose_by_risk, choose_by_score


def mbr(
    candidates: Texts,
    references: Texts | None = None,
    metric: OneMetric = DEFAULT,
    *,
    sources: Texts | None = None,
    weights: Sequence[Sequence[float]] | None = None,
    top: int = 1,
    itself: bool = False,
    progress: bool = False,
) -> Choices:
    """Choose the candidate of each list with the best expected score against the others (minimum Bayes risk).

    :param candidates: one list of texts per segment
    :param references: one list of pseudo-references per segment; by default, all other candidates of its list
    :param sources: for each segment the text that the candidates were made from, for metrics that look at it
    :param weights: the weight of each pseudo-reference, such as a count or a probability
    :param top: how many candidates to keep per segment
    :param itself: count every candidate among its own pseudo-references, even if there are no weights
    :param progress: show on standard error how far the work is

    >>> mbr([["the cat sat", "a cat sat", "dogs"]], metric="chrf").texts
    ['the cat sat']
    """
    own, others = (weights, None) if references is None else (None, weights)
    lists = with_sides(nbest_lists(candidates, own), sources=sources)
    pseudo = None if references is None else nbest_lists(references, others, "references")
    with watching(asked_bar(progress)):
        return choose_by_risk(_only(metric), lists, pseudo, top=top, itself=itself)


def rerank(
    candidates: Texts,
    references: Texts | None = None,
    metric: OneMetric = DEFAULT,
    *,
    sources: Texts | None = None,
    top: int = 1,
    progress: bool = False,
) -> Choices:
    """Choose the candidate of each list that scores best: against its source, or against references (an oracle).

    :param candidates: one list of texts per segment
    :param references: for each segment one reference or a list of them
    :param sources: for each segment the text that the candidates were made from
    :param top: how many candidates to keep per segment
    :param progress: show on standard error how far the work is

    >>> rerank([["the cat sat", "dogs"]], ["a cat sat"], "chrf").texts
    ['the cat sat']
    """
    lists = with_sides(nbest_lists(candidates), references, sources)
    with watching(asked_bar(progress)):
        return choose_by_score(_only(metric), lists, top=top)


def _only(metric: OneMetric) -> Metric | SetMetric:
    chosen = chosen_metrics(metric)
    if len(chosen) > 1:
        raise UsageError(f"{len(chosen)} metrics were given, but one chooses")
    return chosen[0].metric
