"""Metrics for tasks of EleutherAI's lm-evaluation-harness that generate text.

In a file beside the task's YAML, here metrics.py:

    from farthing.integrations.lm_eval import task_metric

    chrf, chrf_of_all = task_metric("chrf")

and in the YAML:

    metric_list:
      - metric: !function metrics.chrf
        aggregation: !function metrics.chrf_of_all
        higher_is_better: true
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

from farthing.core.errors import UsageError
from farthing.core.registry import DEFAULT
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.integrations.loaded import LoadedMetrics

Reference: TypeAlias = str | Sequence[str]
KeptTexts: TypeAlias = tuple[Reference, str]  #: what is kept of a document: one or several references, and the output
KeepTexts: TypeAlias = Callable[..., KeptTexts]
ScoreTexts: TypeAlias = Callable[[Sequence[KeptTexts]], float]


def task_metric(metric: str = DEFAULT, name: str | None = None) -> tuple[KeepTexts, ScoreTexts]:
    """Return a metric and its aggregation: the first keeps texts, the second scores those of all documents at once.

    :param metric: a spec
    :param name: what the harness calls the scores; the metric's name by default

    >>> ter, ter_of_all = task_metric("ter")
    >>> ter_of_all([ter(references=["the cat sat down"], predictions=["the cat sat"])])
    25.0
    """

    @cache  # loaded when the first task ends, not when a YAML file is read
    def loaded() -> LoadedMetrics:
        return LoadedMetrics(metric)

    def keep(references: Sequence[Reference], predictions: Sequence[str], **options: object) -> KeptTexts:
        return references[0], predictions[0]

    def score_items(items: Sequence[KeptTexts]) -> float:
        [number] = loaded().numbers(_pairs(items)).values()
        return number

    keep.__name__ = name or parse_spec(metric).name
    score_items.__name__ = f"{keep.__name__}_of_all"
    return keep, score_items


def _pairs(items: Sequence[KeptTexts]) -> Pairs:
    # The harness reduces the items of a document with several targets to the number 1.0.
    if any(isinstance(item, int | float) for item in items):
        raise UsageError(
            "lm_eval passes on no texts if a document has several targets: "
            'return {"name of the metric": (references, output)} from a process_results of the task'
        )
    return Pairs.of([output for _, output in items], [references for references, _ in items])
