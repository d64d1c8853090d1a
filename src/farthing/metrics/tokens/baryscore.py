"""BaryScore: each text's layers become one cloud, their barycentre; clouds are compared by optimal transport."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from farthing.align.barycenter import barycenter
from farthing.align.entropic import divergence
from farthing.align.transport import distances, import_pot, transport
from farthing.core.metric import check_positive
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.encoders.engine import Long
from farthing.encoders.load import Backend
from farthing.encoders.protocol import EncodedText
from farthing.metrics.tokens.clouds import Cloud, remark_notes, units
from farthing.metrics.tokens.idf_metric import IdfMetric, reference_count
from farthing.metrics.tokens.over_encoder import last_layers, make_engine
from farthing.metrics.tokens.sided_idf import IdfPlan, SidedIdf
from farthing.text.idf import Idf

Form = Literal["wasserstein", "sinkhorn"]
UNLIKE = 2.0  # the squared distance of orthogonal vectors of length 1: nothing in common


@dataclass(frozen=True, slots=True)
class Row:
    """The distance to the nearest reference, and what was remarked."""

    distance: float
    remarks: frozenset[str]


class BaryScore(IdfMetric):
    """Distance between the barycentres of two texts' layers (Colombo et al. 2021); lower is better."""

    about: ClassVar[MetricInfo] = MetricInfo(
        name="baryscore",
        summary="Transport between the barycentres of the layers' token vectors; a distance.",
        paper="Colombo et al. 2021, Automatic Text Evaluation through the Lens of Wasserstein Barycenters",
        range=(0, 4),
        higher_is_better=False,
        extra="ot",
    )

    def __init__(
        self,
        *,
        model: Annotated[str, "name or folder of an encoder"] = "bert-base-uncased",
        form: Annotated[Form, "exact transport, or the debiased Sinkhorn divergence"] = "wasserstein",
        regularisation: Annotated[float, "weight of the entropy in the Sinkhorn form"] = 0.1,
        last: Annotated[int, "how many of the last layers are joined"] = 5,
        layer: Annotated[int | None, "the topmost of them; else the last"] = None,
        idf: Annotated[bool | str, "weigh rare tokens more: true, a .json of counts, or a text file"] = True,
        candidate_idf: Annotated[bool | None, "weigh candidates by their own counts; else only with idf=true"] = None,
        compat: Annotated[bool, "as the published code does it, slips included"] = False,
        long: Annotated[Long, "texts over the model's limit"] = "truncate",
        backend: Annotated[Backend, "what runs the model; auto takes what its folder holds"] = "auto",
        threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None,
        device: Annotated[str, "where torch runs, such as cpu or cuda"] = "cpu",
        cache: Annotated[str | None, "folder in which to keep encodings"] = None,
    ) -> None:
        check_positive("baryscore", last=last, regularisation=regularisation)
        self.engine = make_engine(model, backend, long=long, threads=threads, device=device, cache=cache)
        self.layers = last_layers(self.engine.encoder, layer, last, embeddings=compat)
        self.form, self.regularisation, self.compat = form, regularisation, compat
        # the published code looks idf weights up by tensors, finds none, and weighs all tokens the same
        own = idf is True if candidate_idf is None else candidate_idf
        self.plan = IdfPlan(self.engine, idf and not compat, own)
        self.idf = self.plan.given()

    def score_row(self, candidate: EncodedText, references: Sequence[EncodedText]) -> Row:
        """What must be remembered of one row."""
        own, other = self.weights()
        left = self.cloud(candidate, own)
        right = [self.cloud(reference, other) for reference in references]
        remarks = left.remarks.union(*(cloud.remarks for cloud in right))
        return Row(min(self.between(left, cloud) for cloud in right), remarks)

    def cloud(self, text: EncodedText, idf: Idf | None) -> Cloud:
        """The barycentre of a text's layers; its points are not of length 1, being means of such."""
        span = slice(0, len(text.ids)) if self.compat else text.content
        ids = text.ids[span]
        if not len(ids):
            return Cloud(np.zeros((0, self.engine.encoder.dimension)), np.zeros(0))
        layers = [units(text.states[layer][span]) for layer in self.layers]
        weights = np.ones(len(ids)) if idf is None else idf.weights(ids).astype(np.float64)
        remarks = frozenset() if weights.any() else frozenset(["idf"])
        weights = weights if weights.any() else np.ones(len(ids))
        return Cloud(published(layers) if self.compat else barycenter(layers, weights), weights, remarks)

    def between(self, left: Cloud, right: Cloud) -> float:
        """The distance of two barycentres; two texts without tokens are equal."""
        if not len(left) or not len(right):
            return 0.0 if len(left) == len(right) else UNLIKE
        cost = distances(left.points, right.points, squared=True)
        if self.form == "wasserstein":
            return transport(left.weights, right.weights, cost)[0]
        if self.compat:
            return published_sinkhorn(cost, self.regularisation)
        return max(0.0, divergence(left.weights, right.weights, left.points, right.points, self.regularisation))

    def gathered(self, pairs: Pairs, rows: Sequence[Row], notes: tuple[Note, ...]) -> Scores:
        """The scores of all rows."""
        segments = np.array([row.distance for row in rows])
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            notes=(*notes, *remark_notes([row.remarks for row in rows])),
            signature=Signature(self.info.name, self._fields(pairs)),
            system=pairs.system,
        )

    def _fields(self, pairs: Pairs) -> dict[str, Value]:
        form: dict[str, Value] = {"form": self.form}
        if self.form == "sinkhorn":
            form["regularisation"] = self.regularisation
        return {
            "nrefs": reference_count(pairs),
            **self.engine.fields(),
            "layers": "+".join(map(str, self.layers)),
            **form,
            **(self.idf or SidedIdf()).fields(pairs.system),
            "compat": self.compat,
        }


def published(layers: list[np.ndarray]) -> np.ndarray:
    """The barycentre as the published code asks POT for it: equal weights, started from zeros.

    All costs of the first step are equal there, so what it finds depends on rounding and on POT's version.
    """
    ot: Any = import_pot()
    size = len(layers[0])
    share = np.full(size, 1 / size)
    return np.asarray(
        ot.lp.free_support_barycenter(layers, [share] * len(layers), np.zeros_like(layers[0]), b=share, numItermax=1000)
    )


def published_sinkhorn(cost: np.ndarray, regularisation: float) -> float:
    """The regularised cost that the published code calls a divergence; not 0 between equal texts."""
    from farthing.align.entropic import entropic

    rows, columns = cost.shape
    return entropic(np.ones(rows), np.ones(columns), cost, regularisation)[0]
