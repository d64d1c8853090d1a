"""XMoverScore: source against candidate by transport over a multilingual encoder, and how fluent the candidate is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from farthing.align.published import joint_flow, plan_solver
from farthing.align.transport import distances, transport
from farthing.core.arrays import Matrix, Segments
from farthing.core.errors import SpecError
from farthing.core.metric import check_positive
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.encoders.folder.languages import check_multilingual
from farthing.encoders.protocol import EncodedText, Encoder
from farthing.encoders.remap import Remap
from farthing.language.causal import CausalLanguageModel
from farthing.metrics.tokens.base import TokenMetric
from farthing.metrics.tokens.clouds import Cloud, units
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.metrics.tokens.layers import last_layers
from farthing.metrics.tokens.mover_rules import Distance, cloud_distance, published_distance
from farthing.metrics.tokens.ngrams import ngrams
from farthing.metrics.tokens.results import RowScore

LAYER = 8  # the layer of the paper
DROPPED = 0.3  # the share of flows that the published code leaves out
XMoverProgram: TypeAlias = Literal["xmoverscore", "effeval"]
XMoverVariant: TypeAlias = Literal["published", "effeval"]
Fluency: TypeAlias = Literal["likelihood", "perplexity"]
VARIANTS: Mapping[XMoverProgram, XMoverVariant] = {"xmoverscore": "published", "effeval": "effeval"}


@dataclass(kw_only=True, eq=False)
class XMoverScore(TokenMetric[RowScore]):
    """Reference-free: transport from source to candidate, plus the language model's opinion (Zhao et al. 2020).

    Parts: `distance`, `mover` (the score without the language model) and `fluency` (the language model's term).
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="xmoverscore",
        summary="Reference-free: transport between source and candidate over a multilingual encoder.",
        paper="Zhao et al. 2020, Limitations of Cross-lingual Encoders as Exposed by Reference-Free MT Evaluation",
        range=(None, 1),
        needs=frozenset({"source"}),
    )

    model: Annotated[str, "a multilingual encoder: its name or folder"] = "bert-base-multilingual-cased"
    layer: Annotated[int | None, "which layer; else 8, or the last if there are fewer"] = None
    ngram: Annotated[int, "tokens of an n-gram"] = 2
    distance: Annotated[Distance, "exact (wmd), or a lower bound of it"] = "wmd"
    variant: Annotated[XMoverVariant | None, "published: 1/(1+d); effeval: 1-d; else that of compat, or published"] = (
        None
    )
    remap: Annotated[str | None, "a file of `farthing learn remap`, or a .npy, to move the source by"] = None
    lm: Annotated[str | None, "a causal language model: its name or folder; else no such term"] = None
    lm_weight: Annotated[float, "the weight of the language model's term"] = 0.1
    fluency: Annotated[
        Fluency | None,
        "that term: the mean log-likelihood m, or exp(m / tokens), as published; else by compat, or likelihood",
    ] = None
    drop: Annotated[float | None, "leave out this share of the smallest flows; else 0, in compat 0.3"] = None
    compat: Annotated[
        XMoverProgram | None, "reproduce a published program: special tokens take part and flows are dropped"
    ] = None
    monolingual: Annotated[bool, "source and candidate are in one language, so any encoder will do"] = False
    dropped: float = field(init=False, repr=False)
    source_map: Remap | None = field(init=False, repr=False)
    language_model: CausalLanguageModel | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the options, and load the map and the language model."""
        check_positive("xmoverscore", ngram=self.ngram)
        check_positive("xmoverscore", or_zero=True, drop=self.drop or 0.0, lm_weight=self.lm_weight)
        self.variant = _variant(self.variant, self.compat)
        self.fluency = self.fluency or ("perplexity" if self.compat == "xmoverscore" else "likelihood")
        super().__post_init__()
        self.dropped = (DROPPED if self.compat else 0.0) if self.drop is None else self.drop
        self.source_map = Remap.load(self.remap, self.engine.encoder, self.layers[0]) if self.remap else None
        self.language_model = (
            CausalLanguageModel(self.lm, start=not self.compat, threads=self.threads, device=self.device)
            if self.lm
            else None
        )

    def make_encoder(self) -> Encoder:
        """Load the encoder; one that is known to read a single language is refused."""
        if not self.monolingual:
            check_multilingual("xmoverscore", self.model)
        return super().make_encoder()

    def choose_layers(self) -> tuple[int, ...]:
        """Return the layer to read."""
        top = self.engine.encoder.layers[-1]
        return last_layers(self.engine.encoder, min(LAYER, top) if self.layer is None else self.layer)

    def row(self, texts: EncodedRow) -> RowScore:
        """Compare candidate and source."""
        assert texts.source is not None  # because info.needs says so
        distance = self.between(self.cloud(texts.source, self.source_map), self.cloud(texts.candidate, None))
        mover = 1 / (1 + distance) if self.variant == "published" else 1 - distance
        if self.bounded:
            mover = -distance  # EffEval's score of its bounds is the plain negative
        return RowScore(mover, {"distance": distance, "mover": mover})

    @property
    def bounded(self) -> bool:
        """True if RWMD or WCD is computed as EffEval's code does."""
        return self.compat == "effeval" and self.distance != "wmd"

    def cloud(self, text: EncodedText, remap: Remap | None) -> Cloud:
        """Make the cloud of a text's n-grams, all of one weight."""
        span = slice(0, len(text.ids)) if self.compat else text.content
        vectors = text.states[self.layers[0]][span].astype(np.float64)
        vectors = remap(vectors) if remap and len(vectors) else vectors
        points, _ = ngrams(vectors, np.ones(len(vectors)), self.ngram)
        return Cloud(points if self.bounded else units(points), np.ones(len(points)))

    def between(self, left: Cloud, right: Cloud) -> float:
        """Compute the distance of two clouds, without the smallest flows if asked for."""
        if self.bounded:
            return published_distance(left.points, right.points, self.distance)
        if self.distance != "wmd" or not self.dropped or not len(left) or not len(right):
            return cloud_distance(left, right, self.distance)
        cost = distances(left.points, right.points)
        by_program = self.compat is not None
        flow = (
            joint_flow(left.points, right.points) if by_program else transport(left.weights, right.weights, cost).flow
        )
        return float((without_smallest(flow, self.dropped) * cost).sum())

    def gathered(self, pairs: Pairs, results: Sequence[RowScore], notes: tuple[Note, ...]) -> Scores:
        """Add the language model's opinion to the scores of all rows."""
        scores = super().gathered(pairs, results, notes)
        if self.language_model is None:
            return scores
        fluency = self._fluency(self.language_model, pairs.candidates)
        segments = np.asarray(scores.parts["mover"] + self.lm_weight * fluency)
        parts = {**scores.parts, "fluency": fluency}
        return replace(scores, segments=segments, corpus=float(segments.mean()), parts=parts)

    def _fluency(self, model: CausalLanguageModel, texts: Sequence[str]) -> Segments:
        """Compute the language model's term; the published programs give 0 to texts of at most one token."""
        found = model.likelihoods(texts)
        values = found.means
        if self.fluency == "perplexity":
            values = np.exp(values / np.maximum(found.tokens + (not model.start), 1))
        return np.where(found.tokens > 0, values, 0.0) if self.compat else values

    def fields(self) -> dict[str, Value]:
        """Return what of the options belongs in the signature."""
        model = self.language_model
        fluency: dict[str, Value] = {"lm": False}
        if model:
            fluency = {**model.fields(), "lm_weight": self.lm_weight, "fluency": self.fluency}
        solver: dict[str, Value] = {"solver": plan_solver()} if self.compat and self.dropped else {}
        return {
            "layer": self.layers[0],
            "ngram": self.ngram,
            "distance": self.distance,
            "variant": self.variant,
            "remap": f"{self.source_map.method}-{self.source_map.hash}" if self.source_map else False,
            "drop": self.dropped,
            **solver,
            **fluency,
            "compat": self.compat or "none",
        }


def _variant(variant: XMoverVariant | None, compat: XMoverProgram | None) -> XMoverVariant:
    """Return the variant that was asked for, that of the program to reproduce, or the published one."""
    implied = VARIANTS[compat or "xmoverscore"]
    if compat and variant not in (None, implied):
        raise SpecError(f"xmoverscore: compat={compat} implies variant={implied}, but variant={variant} was given")
    return variant or implied


def without_smallest(flow: Matrix, share: float) -> Matrix:
    """Leave out the smallest flows of a plan: those below the largest of the lowest share (at least one) of them.

    >>> without_smallest(np.array([[0.1, 0.2], [0.3, 0.4]]), 0.5).tolist()
    [[0.0, 0.2], [0.3, 0.4]]
    """
    flows = np.sort(flow[flow > 0])
    lowest = flows[: max(1, int(share * len(flows)))]
    return np.where(flow < lowest[-1], 0.0, flow)
