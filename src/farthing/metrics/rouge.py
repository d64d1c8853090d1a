"""ROUGE-1, ROUGE-2 and ROUGE-L, with the scores of Google's rouge-score."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from farthing.core.metric import Metric, check_pairs, empty_notes
from farthing.core.progress import counted
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Pairs, Scores

if TYPE_CHECKING:
    from rouge_score.scoring import Score

TYPES = ("rouge1", "rouge2", "rougeL")


class Rouge(Metric):
    """ROUGE F-measures between 0 and 1; of several references, the one with the best F-measure counts."""

    about = MetricInfo(
        name="rouge",
        summary="Overlap of words, word pairs and the longest common subsequence.",
        paper="Lin 2004, https://aclanthology.org/W04-1013",
        range=(0, 1),
        extra="rouge",
    )

    def __init__(
        self,
        *,
        type: Annotated[Literal["rouge1", "rouge2", "rougeL"], "which is the score; all three are parts"] = "rougeL",
        stemmer: Annotated[bool, "compare stems (Porter's) instead of words"] = False,
    ) -> None:
        self.type, self.stemmer = type, stemmer
        self._scorer = RougeScorer(list(TYPES), use_stemmer=stemmer)

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair; the corpus score is the mean of the segments."""
        check_pairs(self.info, pairs)
        both = counted("rouge", list(zip(pairs.candidates, pairs.references, strict=True)))
        rows = [self._best(candidate, row) for candidate, row in both]
        parts = {
            f"{name}{suffix}": np.array([getattr(row[name], field) for row in rows])
            for name in TYPES
            for suffix, field in (("", "fmeasure"), ("_precision", "precision"), ("_recall", "recall"))
        }
        segments = parts[self.type]
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            statistics=None,
            notes=empty_notes(pairs),
            signature=Signature("rouge", self._fields()),
            system=pairs.system,
        )

    def _best(self, candidate: str, references: Sequence[str]) -> dict[str, Score]:
        best: dict[str, Score] = self._scorer.score_multi(list(references), candidate)
        return best

    def _fields(self) -> dict[str, Value]:
        return {"type": self.type, "stemmer": self.stemmer, "rouge_score": version("rouge_score")}
