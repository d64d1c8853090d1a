"""XMoverScore: source against candidate by transport over a multilingual encoder, and how fluent the candidate is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from farthing.align.relaxed import centroid, relaxed
from farthing.align.transport import distances, transport
from farthing.core.metric import check_positive
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.encoders.engine import Long
from farthing.encoders.load import Backend
from farthing.encoders.protocol import EncodedText
from farthing.encoders.remap import Remap
from farthing.language.causal import CausalLanguageModel
from farthing.metrics.tokens.clouds import Cloud, units
from farthing.metrics.tokens.encoded import TokenMetric, score_encoded
from farthing.metrics.tokens.mover_rules import Distance
from farthing.metrics.tokens.ngrams import ngrams
from farthing.metrics.tokens.over_encoder import last_layers, make_engine

UNLIKE = 2.0**0.5  # the distance of orthogonal vectors: nothing in common


@dataclass(frozen=True, slots=True)
class Row:
    """How far source and candidate are apart."""

    distance: float


class XMoverScore(TokenMetric):
    """Reference-free: transport from source to candidate, plus the language model's opinion (Zhao et al. 2020).

    Parts: `distance`, `mover` (the score without the language model) and `fluency` (its mean log-likelihood).
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="xmoverscore",
        summary="Reference-free: transport between source and candidate over a multilingual encoder.",
        paper="Zhao et al. 2020, Limitations of Cross-lingual Encoders as Exposed by Reference-Free MT Evaluation",
        range=(None, 1),
        needs=frozenset({"source"}),
        extra="ot",
    )

    def __init__(
        self,
        *,
        model: Annotated[str, "a multilingual encoder: its name or folder"] = "bert-base-multilingual-cased",
        layer: Annotated[int | None, "which layer; else 8, or the last where there are fewer"] = None,
        ngram: Annotated[int, "tokens of an n-gram"] = 2,
        distance: Annotated[Distance, "exact (wmd), or a lower bound of it"] = "wmd",
        variant: Annotated[Literal["published", "effeval"], "published: 1/(1+d); effeval: 1-d"] = "published",
        remap: Annotated[str | None, "a file of `farthing learn remap`, or a .npy, to move the source by"] = None,
        lm: Annotated[str | None, "a causal language model: its name or folder; else no such term"] = None,
        lm_weight: Annotated[float, "the weight of the mean log-likelihood"] = 0.1,
        drop: Annotated[float | None, "leave out this share of the smallest flows; else 0, in compat 0.3"] = None,
        compat: Annotated[bool, "special tokens take part and flows are dropped, as in the published code"] = False,
        long: Annotated[Long, "texts over the model's limit"] = "truncate",
        backend: Annotated[Backend, "what runs the model; auto takes what its folder holds"] = "auto",
        threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None,
        device: Annotated[str, "where torch runs, such as cpu or cuda"] = "cpu",
        cache: Annotated[str | None, "folder in which to keep encodings"] = None,
    ) -> None:
        check_positive("xmoverscore", ngram=ngram)
        check_positive("xmoverscore", or_zero=True, drop=drop or 0.0, lm_weight=lm_weight)
        self.engine = make_engine(model, backend, long=long, threads=threads, device=device, cache=cache)
        top = self.engine.encoder.layers[-1]
        self.layers = last_layers(self.engine.encoder, min(8, top) if layer is None else layer)
        self.ngram, self.distance, self.variant, self.compat = ngram, distance, variant, compat
        self.drop = (0.3 if compat else 0.0) if drop is None else drop
        self.remap_file = remap or ""
        self.remap = Remap.load(remap, self.engine.encoder, self.layers[0]) if remap else None
        self.lm = CausalLanguageModel(lm, threads=threads, device=device) if lm else None
        self.lm_weight = lm_weight

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems, encoding each text once."""
        return score_encoded([self], systems)[0]

    def score_row(self, candidate: EncodedText, references: Sequence[EncodedText]) -> Row:
        """What must be remembered of one row, where the source stands in the reference's place."""
        [source] = references
        return Row(self.between(self.cloud(source, self.remap), self.cloud(candidate, None)))

    def cloud(self, text: EncodedText, remap: Remap | None) -> Cloud:
        """The n-grams of a text, all of one weight."""
        span = slice(0, len(text.ids)) if self.compat else text.content
        vectors = text.states[self.layers[0]][span].astype(np.float64)
        vectors = remap(vectors) if remap and len(vectors) else vectors
        points, _ = ngrams(vectors, np.ones(len(vectors)), self.ngram)
        return Cloud(units(points), np.ones(len(points)))

    def between(self, left: Cloud, right: Cloud) -> float:
        """The distance; two texts without tokens are equal, one without is as far as unlike words are."""
        if not len(left) or not len(right):
            return 0.0 if len(left) == len(right) else UNLIKE
        if self.distance == "wcd":
            return centroid(left.weights, right.weights, left.points, right.points)
        cost = distances(left.points, right.points)
        if self.distance == "rwmd":
            return relaxed(left.weights, right.weights, cost)
        value, plan = transport(left.weights, right.weights, cost)
        return float((_without_smallest(plan, self.drop) * cost).sum()) if self.drop else value

    def gathered(self, pairs: Pairs, rows: Sequence[Row], notes: tuple[Note, ...]) -> Scores:
        """The scores of all rows."""
        far = np.array([row.distance for row in rows])
        mover = 1 / (1 + far) if self.variant == "published" else 1 - far
        parts: dict[str, Any] = {"distance": far, "mover": mover}
        segments = mover
        if self.lm is not None:
            parts["fluency"] = self.lm.scores(pairs.candidates)
            segments = mover + self.lm_weight * parts["fluency"]
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            notes=notes,
            signature=Signature(self.info.name, self._fields()),
            system=pairs.system,
        )

    def _fields(self) -> dict[str, Value]:
        lm: dict[str, Value] = {**self.lm.fields(), "lm_weight": self.lm_weight} if self.lm else {"lm": False}
        return {
            **self.engine.fields(),
            "layer": self.layers[0],
            "ngram": self.ngram,
            "distance": self.distance,
            "variant": self.variant,
            "remap": f"{self.remap.method}-{self.remap.hash}" if self.remap else False,
            "drop": self.drop,
            **lm,
            "compat": self.compat,
        }


def _without_smallest(plan: np.ndarray, share: float) -> np.ndarray:
    """A plan without its smallest flows: those below the largest of the lowest share (at least one) of them."""
    flows = np.sort(plan[plan > 0])
    lowest = flows[: max(1, int(share * len(flows)))]
    return np.where(plan < lowest[-1], 0.0, plan)
