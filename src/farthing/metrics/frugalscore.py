"""FrugalScore: a small model that learnt the scores of a large metric (Kamal Eddine et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from farthing.core.errors import ModelError, UnknownName, UsageError
from farthing.core.metric import Metric, check_pairs, empty_notes
from farthing.core.signature import Signature
from farthing.core.types import Alignment, MetricInfo, Note, Pairs, Scores
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Ids, read_json
from farthing.students.cross import CrossEncoder, PairIds, pair_ids, special_count
from farthing.students.match import KINDS as MATCHING
from farthing.students.match import Student
from farthing.students.scorer import student_scores

PUBLISHED = tuple(
    f"moussaKam/frugalscore_{size}_{teacher}"
    for teacher in ("bert-base_bert-score", "roberta_bert-score", "deberta_bert-score", "bert-base_mover-score")
    for size in ("tiny", "small", "medium")
)
PUBLISHED_LIMIT = 128
KINDS = ("cross", *MATCHING)
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
        size: Annotated[Size, "which of Farthing's own students, where no model is named"] = "small",
        model: Annotated[str | None, "an exported folder, a Hugging Face folder, or a published name"] = None,
        symmetric: Annotated[bool, "mean of both orders of a pair"] = False,
        long: Annotated[Literal["cut", "window"], "texts over the limit: cut them, or average over windows"] = "cut",
        limit: Annotated[int | None, "most tokens of a pair; by default what the model can read"] = None,
        compat: Annotated[Literal["none", "evaluate"], "evaluate: 128 tokens a pair as the published code"] = "none",
        threads: Annotated[int | None, "how many cores to use"] = None,
    ) -> None:
        self.model, self.symmetric, self.long, self.compat = model or size, symmetric, long, compat
        self.folder = locate(_full_name(self.model))
        kind = read_json(self.folder / "config.json").get("farthing", {}).get("kind", "cross")
        if kind not in KINDS:
            raise ModelError(f"{self.folder} is a student of the kind {kind!r}, which this version does not know")
        self.student: Student | None = None
        if kind in MATCHING:
            self._check_cross_options(kind, limit)
            self.student = Student(self.folder, threads=threads)
            return
        self.encoder = CrossEncoder(self.folder, threads=threads)
        self.limit = self._limit(limit)

    @property
    def info(self) -> MetricInfo:
        """What this metric needs, and which way is up; students that match tokens have an upper end."""
        return self.about if self.student is None else replace(self.about, range=(None, 100))

    def _check_cross_options(self, kind: str, limit: int | None) -> None:
        given = {
            "symmetric": self.symmetric,
            "long": self.long != "cut",
            "limit": limit,
            "compat": self.compat != "none",
        }
        for name, is_set in given.items():
            if is_set:
                raise UsageError(f"frugalscore: {name} is for students of the kind cross, and {self.model} is {kind}")

    def _limit(self, asked: int | None) -> int:
        most, specials = self.encoder.tokenizer.limit, special_count(self.encoder.tokenizer)
        if asked is None:
            return min(most, PUBLISHED_LIMIT) if self.compat == "evaluate" else most
        if not specials + 2 <= asked <= most:
            raise UsageError(f"frugalscore: limit={asked} is not between {specials + 2} and the model's {most} tokens")
        return asked

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair; of several references the best counts."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems; students that read texts alone read their common references once."""
        if self.student is not None:
            return student_scores(self.student, self.info, self.signature, systems)
        return [self._score(pairs) for pairs in systems]

    def align(self, candidate: str, reference: str) -> Alignment:
        """Which token matched which, for students that match tokens."""
        if self.student is None:
            raise UsageError(f"{self.model} is a cross-encoder and has no alignment: use a student of the kind match")
        return self.student.align(candidate, reference)

    def _score(self, pairs: Pairs) -> Scores:
        check_pairs(self.info, pairs)
        owners = [row for row, texts in enumerate(pairs.references) for _ in texts]
        candidates = self.encoder.contents([pairs.candidates[owner] for owner in owners])
        references = self.encoder.contents([text for row in pairs.references for text in row])
        found = self._scored(candidates, references)
        if self.symmetric:
            found = (found + self._scored(references, candidates)) / 2
        segments = np.full(len(pairs), -np.inf)
        np.maximum.at(segments, owners, found)
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            notes=(*empty_notes(pairs), *self._long_notes(candidates, references, owners)),
            signature=self.signature,
            system=pairs.system,
        )

    def _scored(self, candidates: Sequence[Ids], references: Sequence[Ids]) -> np.ndarray:
        """The scores of pairs; a pair that is cut into windows gets their mean, weighted by tokens."""
        rows: list[PairIds] = []
        owners: list[int] = []
        for owner, (first, second) in enumerate(zip(candidates, references, strict=True)):
            for part in self._parts(first, second):
                rows.append(pair_ids(self.encoder.tokenizer, *part, self.limit))
                owners.append(owner)
        weights = np.array([len(row.ids) for row in rows], dtype=np.float64)
        total = np.bincount(owners, self.encoder.scores(rows) * weights, len(candidates))
        mean: np.ndarray = total / np.bincount(owners, weights, len(candidates))
        return mean

    def _parts(self, first: Ids, second: Ids) -> list[tuple[Ids, Ids]]:
        """The pair itself, or both texts cut into as many equal windows as are needed."""
        room = self.limit - special_count(self.encoder.tokenizer)
        count = -(-(len(first) + len(second)) // room)
        while count > 1 and -(-len(first) // count) + -(-len(second) // count) > room:
            count += 1  # rounding up both windows may take one token too many
        if self.long == "cut" or count <= 1:
            return [(first, second)]
        return list(zip(_windows(first, count), _windows(second, count), strict=True))

    def _long_notes(
        self, candidates: Sequence[Ids], references: Sequence[Ids], owners: Sequence[int]
    ) -> tuple[Note, ...]:
        room = self.limit - special_count(self.encoder.tokenizer)
        sizes = [len(first) + len(second) for first, second in zip(candidates, references, strict=True)]
        rows = tuple(sorted({owner for owner, size in zip(owners, sizes, strict=True) if size > room}))
        if not rows:
            return ()
        if self.long == "window":
            return (Note("windows", f"pairs over {self.limit} tokens were scored in windows", rows),)
        return (Note("truncated", f"pairs were cut to {self.limit} tokens (long=window reads them whole)", rows),)

    @cached_property
    def signature(self) -> Signature:
        """All that moves a score."""
        name = Path(self.model).name if Path(self.model).is_dir() else self.model
        if self.student is not None:
            return Signature(self.info.name, {"model": name, **self.student.fields})
        described = self.encoder.config.get("farthing", {})
        fields = {
            "model": name,
            "weights": self.encoder.hash,
            "tokenizer": self.encoder.tokenizer.hash,
            "precision": described.get("precision", "fp32"),
            "backend": self.encoder.run.backend,
            "limit": self.limit,
            "long": self.long,
            "symmetric": self.symmetric,
        }
        return Signature(self.info.name, fields)


def _full_name(model: str) -> str:
    """A published name may be given without its owner."""
    if model.startswith("frugalscore_"):
        full = f"moussaKam/{model}"
        if full not in PUBLISHED:
            raise UnknownName("published FrugalScore", model, [name.partition("/")[2] for name in PUBLISHED])
        return full
    return model


def _windows(content: Ids, count: int) -> list[Ids]:
    bounds = [round(len(content) * part / count) for part in range(count + 1)]
    return [content[begin:end] for begin, end in pairwise(bounds)]
