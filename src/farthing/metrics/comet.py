"""COMET: an estimator over the vectors of whole texts, trained on human scores or on another metric's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from farthing.core.errors import ModelError, SpecError
from farthing.core.metric import Metric, check_pairs, empty_notes
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.encoders.folder.locate import locate
from farthing.encoders.load import name_of
from farthing.students.layout import StudentFolder, open_student
from farthing.students.student import LongPairs, PairOptions, PairScores

KIND = "estimator"


class Comet(Metric):
    """Scores candidates with a trained estimator, which reads each text alone.

    What it needs (references, sources or both) is what it was trained with. With several references, the best counts.
    """

    about = MetricInfo(
        name="comet",
        summary="A trained estimator over the vectors of source, candidate and reference.",
        paper="Rei et al. 2020, https://aclanthology.org/2020.emnlp-main.213",
        range=(None, None),
        needs=frozenset({"reference", "source"}),
    )

    def __init__(
        self,
        *,
        model: Annotated[str | None, "folder of an estimator, from learn regress or models convert"] = None,
        long: Annotated[LongPairs, "texts over the limit: truncate, read in windows, or an error"] = "truncate",
        threads: Annotated[int | None, "how many cores to use"] = None,
    ) -> None:
        if model is None:
            raise SpecError(
                "comet needs the option model: the folder of an estimator, which `farthing learn regress` trains and "
                "`farthing models convert` makes of a published checkpoint"
            )
        folder = locate(model)
        if StudentFolder.read(folder).kind != KIND:
            raise ModelError(
                f"{model} is no estimator: train one on it with `farthing learn regress`, or convert a published "
                "checkpoint with `farthing models convert`"
            )
        self.model = name_of(model)
        self.student = open_student(folder, PairOptions(long=long), threads=threads)

    @property
    def info(self) -> MetricInfo:
        """What this estimator needs."""
        return replace(self.about, needs=self.student.needs)

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems; a text that they share, such as a source, is encoded once."""
        for pairs in systems:
            check_pairs(self.info, pairs)
        return list(map(self._gathered, systems, self.student.score_systems(systems)))

    def _gathered(self, pairs: Pairs, scored: PairScores) -> Scores:
        empty = dict.fromkeys(note for need in sorted(self.student.needs) for note in empty_notes(pairs, need))
        return Scores(
            corpus=float(scored.segments.mean()),
            segments=scored.segments,
            signature=self.signature,
            notes=(*empty, *scored.notes),
            system=pairs.system,
        )

    @property
    def signature(self) -> Signature:
        """All that changes a score."""
        return Signature(self.about.name, {"model": Path(self.model).name, **self.student.fields()})
