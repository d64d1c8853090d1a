"""Metrics that are loaded once and then score texts again and again, as every integration needs them."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.metric import Metric, SetMetric
from farthing.core.registry import DEFAULT
from farthing.core.types import Pairs, Scores, Sets
from farthing.files.inputs import Given
from farthing.files.run import unique_labels
from farthing.front import ManyMetrics, OneMetric
from farthing.scoring.engine import ScoringEngine
from farthing.scoring.score import Chosen, choose, score


class LoadedMetrics:
    """One or several metrics, loaded once.

    :param metrics: a spec (or several with commas between them), a loaded metric, or a list of these

    >>> LoadedMetrics("chrf,ter").numbers(Pairs.of(["the cat sat"], ["the cat sat down"]))["ter"]
    25.0
    """

    def __init__(self, metrics: OneMetric | ManyMetrics = DEFAULT) -> None:
        listed = metrics if isinstance(metrics, list | tuple) else [metrics]
        self.chosen = [found for one in listed for found in _chosen(one)]
        self.labels = unique_labels([one.spec for one in self.chosen])

    def scores(self, pairs: Pairs, engine: ScoringEngine | None = None) -> dict[str, Scores]:
        """Return the scores of every metric by its name, or by its spec if two have the same name.

        Metrics of whole sets compare all candidates with all references.
        """
        sets = Sets(pairs.candidates, [text for row in pairs.references for text in row])
        found = score(self.chosen, Given([pairs], [sets]), engine=engine)
        return {label: cell.scores for label, cell in zip(self.labels, found.rows[0].cells, strict=True)}

    def numbers(self, pairs: Pairs, engine: ScoringEngine | None = None) -> dict[str, float]:
        """Return the corpus scores of every metric."""
        return {label: float(scores.corpus) for label, scores in self.scores(pairs, engine).items()}


def _chosen(metric: OneMetric) -> list[Chosen]:
    if isinstance(metric, Metric | SetMetric):
        return [Chosen(metric.origin.spec if metric.origin else metric.info.name, metric)]
    return choose(str(metric))


def joined_pairs(batches: Sequence[Pairs]) -> Pairs:
    """Join pairs that came in several batches.

    >>> joined_pairs([Pairs.of(["a"], ["b"]), Pairs.of(["c"], [["d", "e"]])]).references
    [['b'], ['d', 'e']]
    """
    sources = [pairs.sources for pairs in batches if pairs.sources is not None]
    return Pairs(
        [text for pairs in batches for text in pairs.candidates],
        [row for pairs in batches for row in pairs.references],
        [text for column in sources for text in column] if sources else None,
    )
