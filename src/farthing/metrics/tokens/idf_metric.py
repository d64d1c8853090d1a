"""What metrics share that weigh references and each system's candidates by idf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Self, cast

from farthing.core.metric import State
from farthing.core.types import Pairs, Scores
from farthing.metrics.tokens.encoded import OverTokens, TokenMetric, score_encoded
from farthing.metrics.tokens.sided_idf import IdfPlan, SidedIdf
from farthing.text.idf import Idf


class IdfMetric(TokenMetric):
    """A metric over token vectors with a plan for idf; see :class:`farthing.metrics.tokens.encoded.OverTokens`."""

    plan: IdfPlan
    idf: SidedIdf | None  # None until the texts have been counted
    system: str = ""

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State | None:
        """Count the idf of all references and, if asked for, of each system's candidates."""
        return None if self.idf is not None else self.plan.counted(stretches).state()

    def prepared(self, state: State) -> Self:
        """Return the metric with these counts."""
        ready = copy(self)
        ready.idf = SidedIdf.of_state(state)
        return ready

    def _ready(self, systems: Sequence[Pairs]) -> Self:
        state = self.prepare([systems])
        return self if state is None else self.prepared(state)

    def for_system(self, system: str) -> Self:
        """The metric as it weighs one system's candidates."""
        ready = copy(self)
        ready.system = system
        return ready

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems, encoding each text once."""
        return score_encoded([cast(OverTokens, self._ready(systems))], systems)[0]

    def weights(self) -> tuple[Idf | None, Idf | None]:
        """The idf of the candidates and of the references."""
        idf = self.idf or SidedIdf()
        return idf.of_system(self.system), idf.references


def reference_count(pairs: Pairs) -> Any:
    """How many references each row has, for a signature."""
    counts = {len(row) for row in pairs.references}
    return counts.pop() if len(counts) == 1 else "var"
