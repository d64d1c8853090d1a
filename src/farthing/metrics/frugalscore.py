"""FrugalScore: a small model that learnt the scores of a large metric (Kamal Eddine et al. 2022)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.core.errors import UnknownName
from farthing.core.metric import Metric, check_pairs, empty_notes
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import Alignment, MetricInfo, Pairs, Scores
from farthing.encoders.folder.locate import find_local, locate
from farthing.students.layout import open_student
from farthing.students.student import LongPairs, PairOptions, PairScores

if TYPE_CHECKING:
    from farthing.core.nbest import NBest

PUBLISHED = tuple(
    f"moussaKam/frugalscore_{size}_{teacher}"
    for teacher in ("bert-base_bert-score", "roberta_bert-score", "deberta_bert-score", "bert-base_mover-score")
    for size in ("tiny", "small", "medium")
)
Size = Literal["nano", "tiny", "small"]


class FrugalScore(Metric):
    """Scores pairs with a student, whatever its teacher cost.

    A student of the kind `cross` reads both texts of a pair as one. The kinds `match` and `static`, Farthing's
    own ones among them, read each text alone and show which token matched which.
    """

    about = MetricInfo(
        name="frugalscore",
        summary="A small model that learnt the scores of a large metric.",
        paper="Kamal Eddine et al. 2022, https://aclanthology.org/2022.acl-long.93",
        range=(None, None),
    )

    def __init__(
        self,
        *,
        size: Annotated[Size, "which of Farthing's own students, if no model is named"] = "small",
        model: Annotated[str | None, "an exported folder, a Hugging Face folder, or a published name"] = None,
        symmetric: Annotated[bool, "mean of both orders of a pair"] = False,
        long: Annotated[LongPairs, "texts over the limit: truncate, average over windows, or an error"] = "truncate",
        limit: Annotated[int | None, "most tokens of a pair; by default what the model can read"] = None,
        compat: Annotated[Literal["evaluate"] | None, "evaluate: 128 tokens per pair, as the published code"] = None,
        threads: Annotated[int | None, "how many cores to use"] = None,
    ) -> None:
        self.model = model or size
        self.folder = locate(_full_name(self.model))
        self.student = open_student(self.folder, PairOptions(long, limit, symmetric, compat), threads=threads)

    @property
    def info(self) -> MetricInfo:
        """What this metric needs, and which way is up; students that match tokens have an upper bound."""
        return replace(self.about, range=self.student.range)

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the folder of the student that these options choose, or its name if it is not on this machine."""
        name = _full_name(str(options.get("model") or options.get("size") or "small"))
        return [str(find_local(name) or name)]

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair; with several references the best one counts."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems; a reference that they share is read once."""
        for pairs in systems:
            check_pairs(self.about, pairs)
        return list(map(self._gathered, systems, self.student.score_systems(systems)))

    def score_crossed(self, lists: Sequence[NBest]) -> Scores:
        """Score every candidate against every reference; a student that matches tokens reads each text once."""
        from farthing.students.match import MatchStudent

        if not isinstance(self.student, MatchStudent):
            return super().score_crossed(lists)
        from farthing.metrics.crossed import crossed_empty_notes
        from farthing.students.crossed import crossed_scores

        scored = crossed_scores(self.student, lists)
        notes = (*crossed_empty_notes(lists), *scored.notes)
        return Scores(float(scored.segments.mean()), scored.segments, self.signature, notes=notes)

    def _gathered(self, pairs: Pairs, scored: PairScores) -> Scores:
        return Scores(
            corpus=float(scored.segments.mean()),
            segments=scored.segments,
            signature=self.signature,
            notes=(*empty_notes(pairs), *scored.notes),
            system=pairs.system,
        )

    def align(self, candidate: str, reference: str) -> Alignment:
        """Return which token matched which, for students that match tokens."""
        return self.student.align(candidate, reference)

    @cached_property
    def signature(self) -> Signature:
        """All that changes a score."""
        name = Path(self.model).name if Path(self.model).is_dir() else self.model
        return Signature(self.about.name, {"model": name, **self.student.fields()})


def _full_name(model: str) -> str:
    """A published name may be given without its owner."""
    if not model.startswith("frugalscore_"):
        return model
    full = f"moussaKam/{model}"
    if full not in PUBLISHED:
        raise UnknownName("published FrugalScore", model, [name.partition("/")[2] for name in PUBLISHED])
    return full
