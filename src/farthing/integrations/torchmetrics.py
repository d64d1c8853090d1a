"""Metrics in the manner of torchmetrics: `update()` per batch, `compute()` per epoch, `reset()` in between.

    from farthing.integrations.torchmetrics import TextMetric

    chrf = TextMetric("chrf")
    for predictions, references in batches:
        chrf.update(predictions, references)
    chrf.compute()

Torch is not needed. In a job of torch.distributed `compute()` returns the score of all processes' texts in each of
them, as one process would; the processes share the work.
"""

from __future__ import annotations

from farthing.core.errors import UsageError
from farthing.core.registry import DEFAULT
from farthing.core.specs import parse_spec
from farthing.core.texts import Texts
from farthing.core.types import Pairs, Scores
from farthing.front import ManyMetrics, OneMetric
from farthing.integrations.distributed import SharedEngine, processes
from farthing.integrations.loaded import LoadedMetrics, joined_pairs


class RunningTexts:
    """The texts of all batches since the last reset, and their scores."""

    def __init__(self, metrics: OneMetric | ManyMetrics, sync_on_compute: bool, process_group: object | None) -> None:
        self._metrics = LoadedMetrics(metrics)
        self.sync_on_compute, self.process_group = sync_on_compute, process_group
        self._batches: list[Pairs] = []
        self._found: dict[str, Scores] | None = None

    def update(self, preds: Texts, target: Texts | None = None, sources: Texts | None = None) -> None:
        """Remember a batch: one text per segment, and one reference or a list of references for each."""
        self._batches.append(joined_pairs([_batch(preds, target, sources)]))  # a copy: callers may reuse their lists
        self._found = None

    def reset(self) -> None:
        """Forget all batches; the models stay loaded."""
        self._batches = []
        self._found = None

    def scores(self) -> dict[str, Scores]:
        """Return everything that the metrics found: scores per segment, parts, notes and the signature."""
        if self._found is None:
            self._found = self._scored()
        return self._found

    def _scored(self) -> dict[str, Scores]:
        shared = processes(self.process_group) if self.sync_on_compute else None
        batches = self._batches
        if shared is not None:
            batches = [pairs for column in shared.gathered(lambda: self._batches) for pairs in column]
        if not batches:
            raise UsageError("there is nothing to compute: call update(preds, target) first")
        return self._metrics.scores(joined_pairs(batches), None if shared is None else SharedEngine(shared))


class TextMetrics(RunningTexts):
    """Several metrics over the same texts, which are encoded once for all of them.

    :param metrics: a spec (or several with commas between them), a loaded metric, or a list of these
    :param sync_on_compute: whether `compute` takes the texts of all processes
    :param process_group: the group of processes whose texts belong together; None for all of them

    >>> both = TextMetrics("chrf,ter")
    >>> both.update(["the cat sat"], ["the cat sat down"])
    >>> both.update("rain", "rain")
    >>> both.compute()["ter"]
    20.0
    """

    def __init__(
        self,
        metrics: OneMetric | ManyMetrics = DEFAULT,
        *,
        sync_on_compute: bool = True,
        process_group: object | None = None,
    ) -> None:
        super().__init__(metrics, sync_on_compute, process_group)

    def compute(self) -> dict[str, float]:
        """Return the corpus score of every metric over all batches since the last reset."""
        return {label: float(scores.corpus) for label, scores in self.scores().items()}

    def __call__(self, preds: Texts, target: Texts | None = None, sources: Texts | None = None) -> dict[str, float]:
        """Remember a batch and return the scores of this batch alone."""
        self.update(preds, target, sources)
        return self._metrics.numbers(self._batches[-1])


class TextMetric(RunningTexts):
    """One metric, whose `compute` returns a number.

    :param metric: a spec or a loaded metric
    :param sync_on_compute: whether `compute` takes the texts of all processes
    :param process_group: the group of processes whose texts belong together; None for all of them

    >>> ter = TextMetric("ter")
    >>> ter(["the cat sat"], ["the cat sat down"]), ter.compute()
    (25.0, 25.0)
    """

    def __init__(
        self, metric: OneMetric = DEFAULT, *, sync_on_compute: bool = True, process_group: object | None = None
    ) -> None:
        super().__init__(str(parse_spec(metric)) if isinstance(metric, str) else metric, sync_on_compute, process_group)

    def compute(self) -> float:
        """Return the corpus score over all batches since the last reset."""
        [scores] = self.scores().values()
        return float(scores.corpus)

    def __call__(self, preds: Texts, target: Texts | None = None, sources: Texts | None = None) -> float:
        """Remember a batch and return the score of this batch alone."""
        self.update(preds, target, sources)
        [number] = self._metrics.numbers(self._batches[-1]).values()
        return number


def _batch(preds: Texts, target: Texts | None, sources: Texts | None) -> Pairs:
    """One batch of pairs; a single text with its reference or references is a batch of one, as in torchmetrics."""
    if isinstance(preds, str):
        target, sources = (None if column is None else [column] for column in (target, sources))
        preds = [preds]
    return Pairs.of(preds, target, sources)
