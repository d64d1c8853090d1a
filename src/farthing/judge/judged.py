"""The result of routing: one score per row with its origin, one mean per system with its interval, and the bill."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.signature import Signature
from farthing.core.types import Pairs
from farthing.core.version import __version__
from farthing.judge.bill import Bill
from farthing.judge.estimates import Estimate
from farthing.judge.routing import Routed
from farthing.scoring.comparison import PrintedForm
from farthing.tables.sheet import Sheet, SheetCell, sheet_latex, sheet_markdown, sheet_text

if TYPE_CHECKING:
    from farthing.scoring.output import Column

JUDGE, KEPT, STUDENT = "judge", "kept", "student"  # who scored a row; kept: a verdict from before, not asked for now


@dataclass(frozen=True, slots=True)
class JudgedSystem:
    """One system.

    :param score: the mean of its rows' scores, verdicts and expectations alike; systems are ranked by it
    :param estimate: the mean verdict with its interval, which needs no trust in the student
    :param rank: 1 is the best
    """

    name: str
    score: float
    estimate: Estimate
    rank: int
    judged: int


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRun:
    """Systems whose outputs were judged in part.

    :param pairs: the texts of each system
    """

    systems: tuple[JudgedSystem, ...]
    pairs: Sequence[Pairs]
    routed: Routed
    bill: Bill
    policy: str
    signatures: tuple[Signature, ...]
    notes: tuple[str, ...] = ()

    @property
    def origins(self) -> list[str]:
        """Who scored each row."""
        known = np.isfinite(self.routed.verdicts)
        before = np.zeros(len(known), dtype=bool) if self.routed.kept is None else np.isfinite(self.routed.kept)
        return [JUDGE if one else KEPT if old else STUDENT for one, old in zip(known, before, strict=True)]

    def columns(self) -> dict[str, Column]:
        """Return one row per output: its texts, its score and origin, and how likely it was to be judged."""
        verdicts = [None if np.isnan(value) else float(value) for value in self.routed.verdicts]
        return {
            "system": [one.system for one in self.pairs for _ in range(len(one))],
            "row": [row + 1 for one in self.pairs for row in range(len(one))],
            **text_columns_of(self.pairs),
            "score": self.routed.scores,
            "origin": self.origins,
            "verdict": verdicts,
            "probability": self.routed.probabilities,
        }

    def to_dict(self) -> dict[str, object]:
        """Return everything but the rows as plain values."""
        systems = [
            {
                "system": one.name, "rank": one.rank, "score": one.score, "mean": one.estimate.interval().mean,
                "ci": [one.estimate.interval().low, one.estimate.interval().high], "judged": one.judged,
            }
            for one in self.systems
        ]  # fmt: skip
        about = {"farthing": __version__, "policy": self.policy, "bill": self.bill.to_dict()}
        return {**about, "systems": systems, "signatures": list(map(str, self.signatures)), "notes": list(self.notes)}

    def printed(self, form: PrintedForm = "table", *, width: int | None = None, digits: int | None = None) -> str:
        """Return the systems and the bill in one of the usual forms."""
        if form == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
        if form == "csv":
            return "\n".join(",".join(map(str, line)) for line in self._lines())
        sheet = self._sheet(2 if digits is None else digits)
        if form == "table":
            return sheet_text(sheet, width=width)
        return {"latex": sheet_latex, "markdown": sheet_markdown}[form](sheet)

    def __str__(self) -> str:
        return self.printed()

    def _lines(self) -> list[tuple[object, ...]]:
        head = ("system", "rank", "score", "mean", "ci_low", "ci_high", "judged")
        limits = [(one, one.estimate.interval()) for one in self.systems]
        return [head, *((o.name, o.rank, o.score, i.mean, i.low, i.high, o.judged) for o, i in limits)]

    def _sheet(self, digits: int) -> Sheet:
        head = ["system", "rank", "score", "mean verdict, 95 %", "judged"]
        rows = [[SheetCell(text) for text in _cells(one, digits)] for one in self.systems]
        legend = ["", *self.bill.lines(), *map(str, self.signatures), *(f"note: {note}" for note in self.notes)]
        return Sheet([SheetCell(text) for text in head], rows, legend, list(map(str, self.signatures)))


def _cells(one: JudgedSystem, digits: int) -> list[str]:
    limits = one.estimate.interval()
    mean = f"{limits.mean:.{digits}f} [{limits.low:.{digits}f}, {limits.high:.{digits}f}]"
    return [one.name, str(one.rank), f"{one.score:.{digits}f}", mean, str(one.judged)]


def text_columns_of(systems: Sequence[Pairs]) -> dict[str, Column]:
    """Return the texts of all systems in columns; several references are numbered."""
    most = max((len(row) for one in systems for row in one.references), default=0)
    names = ["reference"] if most == 1 else [f"reference_{number + 1}" for number in range(most)]
    sources = [text for one in systems for text in one.sources or ()]
    references = {
        name: [row[place] if place < len(row) else None for one in systems for row in one.references]
        for place, name in enumerate(names)
    }
    return {
        **({"source": sources} if all(one.sources is not None for one in systems) else {}),
        "candidate": [text for one in systems for text in one.candidates],
        **references,
    }
