"""A scorer for evaluations with inspect_ai.

    from farthing.integrations.inspect_ai import text_scorer

    Task(dataset=…, solver=generate(), scorer=text_scorer("frugalscore"))

Every sample gets its score; the whole gets the metric's own score of a corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from farthing.core.errors import UsageError
from farthing.core.metric import SetMetric
from farthing.core.registry import DEFAULT, METRICS
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.integrations.loaded import LoadedMetrics

if TYPE_CHECKING:
    from inspect_ai.scorer import Metric, Score, Scorer, Target
    from inspect_ai.solver import TaskState

KEPT = ("candidate", "references", "source")  # the texts of a sample in the metadata of its score


class ScoredSample(Protocol):
    """What is asked of inspect_ai's SampleScore, whose name would have to be known when inspect_ai reads the types."""

    score: Score


def text_scorer(metric: str = DEFAULT, answer: Callable[[str], str] | None = None) -> Scorer:
    """Return a scorer: a metric's score per sample, and over all samples `corpus`, the mean and its standard error.

    The targets of a sample are its references, its input is the source for metrics that look at one. The default metric
    looks at it if there are no targets, and chooses its model for each sample and for `corpus`: name a size if the
    targets are in several languages. With several epochs `corpus` takes the first answer to each sample.

    :param metric: a spec
    :param answer: takes the completion and returns the part of it that is scored
    """
    try:
        from inspect_ai.scorer import mean, scorer, stderr
    except ImportError as error:
        raise UsageError("text_scorer needs the package inspect_ai: pip install inspect_ai") from error

    spec = parse_spec(metric)
    if issubclass(METRICS.get(spec.name), SetMetric):
        raise UsageError(f"{spec.name} judges a set: it has no score for a sample")
    loaded = LoadedMetrics(metric)

    def build(metric: str) -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            completion = state.output.completion
            return _score(loaded, answer(completion) if answer else completion, list(target), state.input_text)

        return score

    registered: Callable[[str], Scorer] = scorer([_corpus_metric(loaded), mean(), stderr()], name=spec.name)(build)
    return registered(str(spec))


def _score(loaded: LoadedMetrics, candidate: str, references: Sequence[str], source: str) -> Score:
    """Score one sample, and keep its texts for the score of all samples."""
    from inspect_ai.scorer import Score

    [found] = loaded.scores(_pairs(loaded, [candidate], [references], [source])).values()
    kept = dict(zip(KEPT, (candidate, list(references), source), strict=True))
    told = "\n".join(map(str, [*found.notes, found.signature]))
    return Score(value=float(found.corpus), answer=candidate, explanation=told, metadata=kept)


def _pairs(
    loaded: LoadedMetrics, candidates: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str]
) -> Pairs:
    """Pair answers with their targets; empty targets are none for a metric that can do without references."""
    empty = not any(text.strip() for row in references for text in row)
    without = empty and loaded.chosen[0].metric.info.or_source
    return Pairs.of(candidates, None if without else references, sources)


def _corpus_metric(loaded: LoadedMetrics) -> Metric:
    """Return the metric over the texts of all samples: for BLEU, say, not the mean of the samples' scores."""
    from inspect_ai.scorer import metric

    def corpus() -> Metric:
        def compute(scores: list[ScoredSample]) -> float:
            kept = [one.score.metadata for one in scores if one.score.metadata]
            candidates, references, sources = ([row[name] for row in kept] for name in KEPT)
            [number] = loaded.numbers(_pairs(loaded, candidates, references, sources)).values()
            return number

        return compute

    registered: Callable[[], Metric] = metric(name="corpus")(corpus)
    return registered()
