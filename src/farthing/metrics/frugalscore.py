"""FrugalScore: a small model that learnt the scores of a large metric (Kamal Eddine et al. 2022)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from farthing.core.errors import UnknownName, UsageError
from farthing.core.metric import Metric, State, check_pairs, empty_notes
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import Alignment, MetricInfo, Pairs, Scores
from farthing.encoders.folder.locate import EMBEDDED, find_local, locate
from farthing.students.layout import open_student
from farthing.students.student import LongPairs, PairOptions, PairScores
from farthing.text.languages import foreign, listed

if TYPE_CHECKING:
    from farthing.core.nbest import NBest

PUBLISHED = tuple(
    f"moussaKam/frugalscore_{size}_{teacher}"
    for teacher in ("bert-base_bert-score", "roberta_bert-score", "deberta_bert-score", "bert-base_mover-score")
    for size in ("tiny", "small", "medium")
)
SHORT = 36  # pairs of a list; with fewer, pair by pair is faster than all at a time
Size = Literal["nano", "tiny", "small"]
LOOKED_AT = 1000  #: references by which a run's language is decided


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
        self.folder = locate(_full_name(model)) if model else EMBEDDED / size
        self.student = open_student(self.folder, PairOptions(long, limit, symmetric, compat), threads=threads)
        self.reads = self.student.reads or (("en",) if _full_name(self.model) in PUBLISHED else ())
        self._decided = False

    @property
    def info(self) -> MetricInfo:
        """What this metric needs, and which way is up; students that match tokens have an upper bound."""
        return replace(self.about, range=self.student.range)

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the folder of the student that these options choose, or its name if it is not on this machine."""
        name = _full_name(str(options.get("model") or options.get("size") or "small"))
        return [str(find_local(name) or name)]

    @classmethod
    def options_told(cls, fields: Mapping[str, str]) -> dict[str, Value]:
        """Return the student that a signature names; only students of the kind cross have a limit that can be set."""
        model = fields.get("model", "small")
        chosen: dict[str, Value] = {"size": model, "model": None} if model in get_args(Size) else {"model": model}
        return chosen if fields.get("kind") == "cross" else {**chosen, "limit": None}

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State | None:
        """Decide by the references of the first stretch whether the model reads this run; if not, raise a sentence."""
        systems = next(iter(stretches), None)
        texts = [text for references in systems[0].references for text in references] if systems else []
        return {"model": reader(texts[:: 1 + len(texts) // LOOKED_AT], {self.model: self.reads})}

    def prepared(self, state: State) -> FrugalScore:
        """Return the metric for a run that it can read: a later stretch cannot stop it any more."""
        decided = copy(self)
        decided._decided = True
        return decided

    def learned(self) -> State | None:
        """Return what another process must know of the run: that the model reads it."""
        return {"model": self.model} if self._decided else None

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair; with several references the best one counts."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems; a reference that they share is read once."""
        for pairs in systems:
            check_pairs(self.about, pairs)
        if not self._decided:
            self.prepare([systems])
        return list(map(self._gathered, systems, self.student.score_systems(systems)))

    def score_crossed(self, lists: Sequence[NBest]) -> Scores:
        """Score every candidate against every reference; a student that matches tokens reads each text once."""
        from farthing.students.match import MatchStudent

        short = sum(one.size for one in lists) < SHORT * len(lists)
        if short or not isinstance(self.student, MatchStudent):
            return super().score_crossed(lists)
        from farthing.core.nbest import crossed_pairs
        from farthing.metrics.crossed import crossed_empty_notes
        from farthing.students.crossed import crossed_scores

        if not self._decided:
            self.prepare([[crossed_pairs(lists)]])
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


def reader(texts: Sequence[str], models: Mapping[str, Collection[str]]) -> str:
    """Return the first of some models that reads at least half of the texts; if none does, raise a sentence.

    Texts that tell no language (names, numbers, single words, code) count as readable.

    :param models: the codes of the languages that each model reads; a model without any is not checked
    """
    texts = [text for text in texts if text.strip()]
    for model, reads in models.items():
        languages = Counter(filter(None, foreign(texts, reads))) if reads else Counter()
        if 2 * languages.total() <= len(texts):
            return model
    [(most, _)] = languages.most_common(1)
    raise UsageError(
        f"{model} reads only {listed(reads)}, but {languages.total()} of {len(texts)} references look like something "
        f"else (mostly {most}): use chrf, or bertscore with a multilingual encoder"
    )


def _full_name(model: str) -> str:
    """A published name may be given without its owner."""
    if not model.startswith("frugalscore_"):
        return model
    full = f"moussaKam/{model}"
    if full not in PUBLISHED:
        raise UnknownName("published FrugalScore", model, [name.partition("/")[2] for name in PUBLISHED])
    return full
