"""What metrics share that weigh references and each system's candidates by idf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Self, cast

from farthing.core.types import Pairs, Scores
from farthing.metrics.encoded import OverTokens, score_encoded
from farthing.metrics.sided_idf import IdfPlan, SidedIdf
from farthing.text.idf import Idf


class IdfMetric:
    """A metric over token vectors with a plan for idf; see :class:`farthing.metrics.encoded.OverTokens`."""

    plan: IdfPlan
    idf: SidedIdf | None  # None until the texts have been counted
    system: str = ""

    def prepared_systems(self, stretches: Iterable[Sequence[Pairs]]) -> Self:
        """A metric that knows the idf of all references and, where asked for, of each system's candidates."""
        if self.idf is not None:
            return self
        ready = copy(self)
        ready.idf = self.plan.counted(stretches)
        return ready

    def prepared(self, stretches: Iterable[Pairs]) -> Self:
        """The same for one system."""
        return self.prepared_systems([pairs] for pairs in stretches)

    def for_system(self, system: str) -> Self:
        """The metric as it weighs one system's candidates."""
        ready = copy(self)
        ready.system = system
        return ready

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        return self.score_together([pairs])[0]

    def score_together(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems, encoding each text once."""
        return score_encoded([cast(OverTokens, self.prepared_systems([systems]))], systems)[0]

    def weights(self) -> tuple[Idf | None, Idf | None]:
        """The idf of the candidates and of the references."""
        idf = self.idf or SidedIdf()
        return idf.of_system(self.system), idf.references


def reference_count(pairs: Pairs) -> Any:
    """How many references each row has, for a signature."""
    counts = {len(row) for row in pairs.references}
    return counts.pop() if len(counts) == 1 else "var"
