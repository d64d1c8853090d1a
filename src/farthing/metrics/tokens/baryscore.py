"""BaryScore: each text's layers become one cloud, their barycentre; clouds are compared by optimal transport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from farthing.align.barycenter import barycenter
from farthing.align.entropic import divergence, entropic
from farthing.align.transport import distances, import_pot, transport
from farthing.core.arrays import Matrix, Vectors
from farthing.core.metric import check_positive
from farthing.core.specs import Value
from farthing.core.types import MetricInfo
from farthing.encoders.protocol import EncodedText
from farthing.metrics.tokens.clouds import Cloud, token_weights, units
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.metrics.tokens.idf import IdfMetric, IdfPlan
from farthing.metrics.tokens.layers import last_layers
from farthing.metrics.tokens.results import RowScore
from farthing.text.idf import Idf

BaryForm: TypeAlias = Literal["wasserstein", "sinkhorn"]
UNLIKE = 2.0  # the squared distance of orthogonal vectors of length 1: nothing in common


@dataclass(kw_only=True, eq=False)
class BaryScore(IdfMetric[RowScore]):
    """Distance between the barycentres of two texts' layers (Colombo et al. 2021); lower is better."""

    about: ClassVar[MetricInfo] = MetricInfo(
        name="baryscore",
        summary="Transport between the barycentres of the layers' token vectors; a distance.",
        paper="Colombo et al. 2021, Automatic Text Evaluation through the Lens of Wasserstein Barycenters",
        range=(0, 4),
        higher_is_better=False,
    )

    model: Annotated[str, "name or folder of an encoder"] = "bert-base-uncased"
    form: Annotated[BaryForm, "exact transport, or the debiased Sinkhorn divergence"] = "wasserstein"
    regularisation: Annotated[float, "weight of the entropy in the Sinkhorn form"] = 0.1
    last: Annotated[int, "how many of the last layers are joined"] = 5
    layer: Annotated[int | None, "the topmost of them; else the last"] = None
    compat: Annotated[Literal["baryscore"] | None, "reproduce the published code, slips included"] = None

    def __post_init__(self) -> None:
        """Check the options."""
        check_positive("baryscore", last=self.last, regularisation=self.regularisation)
        super().__post_init__()

    def choose_layers(self) -> tuple[int, ...]:
        """Return the layers that are joined; the published code takes the embeddings for one."""
        return last_layers(self.engine.encoder, self.layer, self.last, embeddings=bool(self.compat))

    def make_plan(self) -> IdfPlan:
        """Return what the options say about idf.

        The published code looks idf weights up by tensors, finds none, and weighs all tokens the same.
        """
        plan = super().make_plan()
        return IdfPlan(plan.engine, False, plan.own) if self.compat else plan

    def row(self, texts: EncodedRow) -> RowScore:
        """Compare the candidate with the nearest reference."""
        left = self.cloud(texts.candidate, self.candidate_weights)
        right = [self.cloud(reference, self.reference_weights) for reference in texts.references]
        remarks = left.remarks.union(*(cloud.remarks for cloud in right))
        return RowScore(min(self.between(left, cloud) for cloud in right), remarks=remarks)

    def cloud(self, text: EncodedText, idf: Idf | None) -> Cloud:
        """Make the barycentre of a text's layers; its points are means of vectors of length 1, so they are shorter."""
        span = slice(0, len(text.ids)) if self.compat else text.content
        ids = text.ids[span]
        if not len(ids):
            return Cloud(np.zeros((0, self.engine.encoder.dimension)), np.zeros(0))
        weights, remarks = token_weights(ids, idf)
        if self.compat:
            single = [single_units(text.states[layer]) for layer in self.layers]
            return Cloud(published_barycenter(single), weights, remarks)
        layers = [units(text.states[layer][span]) for layer in self.layers]
        return Cloud(barycenter(layers, weights), weights, remarks)

    def between(self, left: Cloud, right: Cloud) -> float:
        """Compute the distance of two barycentres; two texts without tokens are equal."""
        if not len(left) or not len(right):
            return 0.0 if len(left) == len(right) else UNLIKE
        cost = distances(left.points, right.points, squared=True)
        if self.form == "wasserstein":
            return transport(left.weights, right.weights, cost).cost
        if self.compat:
            return published_sinkhorn(cost, self.regularisation)
        return max(0.0, divergence(left.weights, right.weights, left.points, right.points, self.regularisation))

    def fields(self) -> dict[str, Value]:
        """Return what of the options belongs in the signature."""
        weight: dict[str, Value] = {"regularisation": self.regularisation} if self.form == "sinkhorn" else {}
        return {
            "layers": "+".join(map(str, self.layers)),
            "form": self.form,
            **weight,
            **self.idf_fields(),
            "compat": self.compat or "none",
        }


def single_units(vectors: Vectors) -> Vectors:
    """Scale vectors to length 1 in single precision, as the published code does, and only then go on in double."""
    single = np.asarray(vectors, dtype=np.float32)
    norms = np.sqrt((single * single).sum(axis=1, keepdims=True))
    return np.asarray(single / np.maximum(norms, np.float32(1e-30)), dtype=np.float64)


def published_barycenter(layers: list[Vectors]) -> Vectors:
    """Compute the barycentre as the published code asks POT for it: equal weights, started from zeros.

    The costs of the first step are the squared lengths of the vectors: 1, but for the rounding of single precision. So
    rounding decides which plan is found. Vectors that are scaled in double precision lead to other plans, and with
    three layers to smaller distances on the whole.
    """
    size = len(layers[0])
    share = np.full(size, 1 / size)
    solve = import_pot().lp.free_support_barycenter
    return np.asarray(solve(layers, [share] * len(layers), np.zeros_like(layers[0]), b=share, numItermax=1000))


def published_sinkhorn(cost: Matrix, regularisation: float) -> float:
    """Compute the regularised cost that the published code calls a divergence; it is not 0 between equal texts."""
    rows, columns = cost.shape
    return entropic(np.ones(rows), np.ones(columns), cost, regularisation).cost
