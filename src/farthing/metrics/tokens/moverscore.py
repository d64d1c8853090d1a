"""MoverScore: how far the vectors of one text's tokens must travel to become those of the other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from farthing.core.metric import check_positive
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.encoders.engine import Long
from farthing.encoders.load import Backend
from farthing.encoders.protocol import EncodedText
from farthing.files.read import lines
from farthing.metrics.tokens.clouds import Clouds, Filter, remark_notes
from farthing.metrics.tokens.idf_metric import IdfMetric, reference_count
from farthing.metrics.tokens.mover_rules import Distance, MoverRules, Variant, published_distance
from farthing.metrics.tokens.over_encoder import (
    exit_notes,
    exit_parts,
    last_exit_note,
    last_layers,
    layers_used,
    make_engine,
)
from farthing.metrics.tokens.sided_idf import IdfPlan, SidedIdf

LAYERS = 5  # v1 joins the last five


@dataclass(frozen=True, slots=True)
class Row:
    """The distance to the nearest reference (in compat, one for each reference), and what was remarked."""

    distances: tuple[float, ...]
    remarks: frozenset[str]
    layers: float = 0.0  # blocks that its texts were given on average, where they may leave early


class MoverScore(IdfMetric):
    """Word mover's distance over contextual vectors (Zhao et al. 2019), as a score that is better the higher it is.

    The part `distance` is the distance itself.
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="moverscore",
        summary="Optimal transport between the contextual vectors of tokens or n-grams.",
        paper="Zhao et al. 2019, MoverScore: Text Generation Evaluating with Contextualized Embeddings and EMD",
        range=(None, 1),
        extra="ot",
    )

    def __init__(
        self,
        *,
        model: Annotated[str, "name or folder of an encoder"] = "distilbert-base-uncased",
        variant: Annotated[Variant, "v2: 1/(1+d); effeval: 1-d; v1: 1-d, power means of 5 layers, squared"] = "v2",
        distance: Annotated[Distance, "exact (wmd), or a lower bound of it"] = "wmd",
        ngram: Annotated[int, "tokens of an n-gram"] = 1,
        layer: Annotated[int | None, "which layer; else the last"] = None,
        power_means: Annotated[
            int | None, "so many layers, up to that one, joined; else 5 for v1, 1 for others"
        ] = None,
        idf: Annotated[bool | str, "weigh rare tokens more: true, a .json of counts, or a text file"] = True,
        candidate_idf: Annotated[bool | None, "weigh candidates by their own counts; else only with idf=true"] = None,
        drop_punctuation: Annotated[bool, "leave out tokens without letters and digits"] = True,
        drop_subwords: Annotated[bool, "leave out all but the first token of a word"] = True,
        stop_words: Annotated[str | None, "a file of words to leave out"] = None,
        compat: Annotated[bool, "as the variant's published code does it, slips included"] = False,
        early_exit: Annotated[float | None, "stop encoding a text once a layer changes it less than this"] = None,
        long: Annotated[Long, "texts over the model's limit"] = "truncate",
        backend: Annotated[Backend, "what runs the model; auto takes what its folder holds"] = "auto",
        threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None,
        device: Annotated[str, "where torch runs, such as cpu or cuda"] = "cpu",
        cache: Annotated[str | None, "folder in which to keep encodings"] = None,
    ) -> None:
        check_positive("moverscore", ngram=ngram, power_means=power_means or 1)
        self.engine = make_engine(
            model, backend, long=long, threads=threads, device=device, cache=cache, exit=early_exit
        )
        joined = power_means or (LAYERS if variant == "v1" else 1)
        self.layers = last_layers(self.engine.encoder, layer, joined)
        self.variant, self.distance, self.ngram, self.compat = variant, distance, ngram, compat
        tokens = Filter(
            self.engine.encoder.tokenizer,
            punctuation=drop_punctuation,
            subwords=drop_subwords,
            stop_words=read_words(stop_words) if stop_words else frozenset(),
            ascii_only=compat,
        )
        self.clouds = Clouds(self.layers, tokens, size=ngram, specials=compat)
        self.rules = MoverRules(variant, distance, compat=compat)
        own = idf is True if candidate_idf is None else candidate_idf
        self.plan = IdfPlan(self.engine, idf, own, specials=compat)
        self.idf = self.plan.given()

    def score_row(self, candidate: EncodedText, references: Sequence[EncodedText]) -> Row:
        """What must be remembered of one row."""
        own, other = self.weights()
        if self.compat and self.distance != "wmd":
            pairs = [(self._published(candidate), self._published(reference)) for reference in references]
            published = tuple(published_distance(left, right, self.distance) for left, right in pairs)
            return Row(published, frozenset(), layers_used(self.engine, [candidate, *references]))
        left = self.clouds(candidate, own)
        right = [self.clouds(reference, other) for reference in references]
        found = tuple(self.rules.between(left, cloud) for cloud in right)
        remarks = left.remarks.union(*(cloud.remarks for cloud in right))
        used = layers_used(self.engine, [candidate, *references])
        return Row(found if self.compat else (min(found),), remarks, used)

    def _published(self, text: EncodedText) -> np.ndarray:
        """All vectors of a text, those of dropped tokens set to zero, as EffEval's code has it."""
        states = np.array(text.states[self.layers[-1]], dtype=np.float64)
        states[~self.clouds.tokens.kept(text.ids)] = 0
        return states

    def gathered(self, pairs: Pairs, rows: Sequence[Row], notes: tuple[Note, ...]) -> Scores:
        """The scores of all rows; of several references the nearest counts, in compat the mean over all."""
        segments = np.array([np.mean([self.rules.score(d) for d in row.distances]) for row in rows])
        parts: dict[str, Any] = {"distance": np.array([np.mean(row.distances) for row in rows])}
        parts |= exit_parts(self.engine, [row.layers for row in rows])
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            notes=(*notes, *remark_notes([row.remarks for row in rows]), *exit_notes(self.engine)),
            signature=Signature(self.info.name, self._fields(pairs)),
            system=pairs.system,
        )

    def finish(self, scores: Scores) -> Scores:
        """The scores of all stretches."""
        return last_exit_note(scores, self.engine)

    def _fields(self, pairs: Pairs) -> dict[str, Value]:
        tokens = self.clouds.tokens
        return {
            "nrefs": reference_count(pairs),
            **self.engine.fields(),
            "layers": "+".join(map(str, self.layers)),
            "variant": self.variant,
            "distance": self.distance,
            "ngram": self.ngram,
            **(self.idf or SidedIdf()).fields(pairs.system),
            "punctuation": not tokens.punctuation,
            "subwords": not tokens.subwords,
            "stop_words": _hash(tokens.stop_words),
            "compat": self.compat,
        }


def _hash(words: frozenset[str]) -> Value:
    return hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()[:12] if words else False


def read_words(path: str) -> frozenset[str]:
    """The words of a file, which may stand in lines or be parted by spaces."""
    return frozenset(word for _, line in lines(path) for word in line.split())
