"""The service without a network: checked requests in, orders for the scoring thread and their answers out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from farthing.core.alignment import Aligns
from farthing.core.errors import UsageError
from farthing.core.metric import Metric
from farthing.core.nbest import NBest
from farthing.core.specs import Spec
from farthing.core.types import Pairs
from farthing.scoring.choices import Choices
from farthing.scoring.choose import check_lists, distinct_lists, listed_pairs, ranked_lists
from farthing.service.allowed import AllowedMetrics
from farthing.service.catalogue import MetricForm, metric_forms
from farthing.service.limits import Limits, all_tokens
from farthing.service.order import Order, Resampling
from farthing.service.work import CallWork, RowScores
from farthing.service.worker import Worker


class Service:
    """Checks requests and gives them to the scoring thread.

    :param metrics: the names of the metrics that it offers; all that can be served by default
    """

    def __init__(self, limits: Limits | None = None, metrics: Sequence[str] = ()) -> None:
        self.limits, self.allowed = limits or Limits(), AllowedMetrics(metrics)
        self.worker = Worker(self.limits)

    def start(self) -> Service:
        """Start the scoring thread."""
        self.worker.start()
        return self

    def close(self) -> None:
        """Finish what was accepted, then stop."""
        self.worker.close()

    def forms(self) -> list[MetricForm]:
        """Describe the offered metrics."""
        return metric_forms(self.allowed)

    def score(
        self,
        systems: Sequence[Pairs],
        metrics: Sequence[str] = (),
        resampling: Resampling | None = None,
        told: RowScores | None = None,
    ) -> Order:
        """Accept systems to be scored.

        :param metrics: specs; the default metric if there are none
        :param told: is called with rows as soon as they are scored
        """
        specs = self._specs(metrics)
        plan = resampling or Resampling()
        self.limits.check_count("resamples", plan.resamples, self.limits.resamples)
        self._check(specs, systems)
        return Order(
            self.worker, specs, systems, sets=self.allowed.is_set, resampling=plan, told=told
        ).submit()  # fmt: skip

    def compare(
        self,
        outputs: Mapping[str, Sequence[str]],
        references: Sequence[Sequence[str]] | None,
        sources: Sequence[str] | None,
        metrics: Sequence[str] = (),
        resampling: Resampling | None = None,
        told: RowScores | None = None,
    ) -> Order:
        """Accept the outputs of systems for the same segments."""
        plan = resampling or Resampling()
        if plan.baseline is not None and plan.baseline not in outputs:
            raise UsageError(f"the baseline {plan.baseline[:40]!r} is none of the systems: {', '.join(outputs)[:200]}")
        if plan.test is not None and len(outputs) < 2:
            raise UsageError("a test needs at least two systems")
        systems = [
            Pairs(texts, [[]] * len(texts) if references is None else references, sources, system=name)
            for name, texts in outputs.items()
        ]
        return self.score(systems, metrics, plan, told)

    def rerank(self, lists: Sequence[NBest], metric: str = "", top: int = 1) -> Order:
        """Accept lists of candidates; :meth:`choices` reads the answer."""
        specs = self._specs([metric] if metric else [])
        pairs = listed_pairs(distinct_lists(lists))
        self._check(specs, [pairs])
        if self.allowed.is_set(specs[0]):
            raise UsageError(f"{specs[0].name} judges a set, not single texts, so it cannot choose among candidates")
        return Order(
            self.worker, specs, [pairs], sets=self.allowed.is_set,
            check=lambda metric: check_lists(metric, lists, top),
        ).submit()  # fmt: skip

    def choices(self, order: Order, lists: Sequence[NBest], top: int = 1) -> Choices:
        """Return what was chosen among the candidates of lists."""
        return ranked_lists(order.metric(), lists, order.scores()[0][0], top)

    def align(self, candidate: str, reference: str, metric: str = "") -> CallWork[dict[str, object]]:
        """Accept two texts whose tokens are to be aligned."""
        [spec] = self._specs([metric] if metric else [])
        self.limits.check_texts([candidate, reference], self.limits.aligned)
        work = CallWork(lambda: self._aligned(spec, candidate, reference), all_tokens([candidate, reference]))
        self.worker.submit(work)
        return work

    def _aligned(self, spec: Spec, candidate: str, reference: str) -> dict[str, object]:
        from farthing.report.alignment import alignment_values

        metric = self.worker.metric(spec)
        if not isinstance(metric, Aligns) or not isinstance(metric, Metric):
            raise UsageError(f"{spec.name} cannot show which tokens match: use frugalscore or bertscore")
        found = metric.align(metric.normalised(candidate), metric.normalised(reference))
        marks = metric.explain(candidate, reference).to_dict() if metric.explains else {}
        return {**alignment_values(found), **marks}

    def _specs(self, metrics: Sequence[str]) -> list[Spec]:
        self.limits.check_count("metrics", len(metrics), self.limits.metrics)
        return self.allowed.specs(metrics)

    def _check(self, specs: Sequence[Spec], systems: Sequence[Pairs]) -> None:
        """Raise a sentence if a request is larger than one may be."""
        limits, rows = self.limits, sum(map(len, systems))
        if not rows:
            raise UsageError("there is nothing to score: give at least one candidate")
        limits.check_count("systems", len(systems), limits.systems)
        limits.check_count("rows", rows, limits.set_rows if any(map(self.allowed.is_set, specs)) else limits.rows)
        most = max((len(row) for pairs in systems for row in pairs.references), default=0)
        limits.check_count("references of a segment", most, limits.references)
        longest = self.allowed.characters(specs)
        for pairs in systems:
            limits.check_texts([*pairs.texts(), *(pairs.sources or [])], longest)
