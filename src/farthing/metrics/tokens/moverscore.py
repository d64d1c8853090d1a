"""MoverScore: how far the vectors of one text's tokens must travel to become those of the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.digest import digest
from farthing.core.errors import SpecError
from farthing.core.metric import check_positive
from farthing.core.specs import Value
from farthing.core.types import MetricInfo
from farthing.encoders.backends.early_exit import exiting
from farthing.encoders.protocol import EncodedText, Encoder
from farthing.files.lines import lines
from farthing.metrics.tokens.clouds import Clouds, TokenFilter
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.metrics.tokens.idf import IdfMetric, IdfPlan
from farthing.metrics.tokens.layers import last_layers
from farthing.metrics.tokens.mover_rules import Distance, MoverRules, MoverVariant, published_distance
from farthing.metrics.tokens.results import Remark, RowScore

LAYERS = 5  # v1 joins the last five
MoverProgram: TypeAlias = Literal["moverscore", "moverscore_v2", "effeval"]
VARIANTS: Mapping[MoverProgram, MoverVariant] = {"moverscore": "v1", "moverscore_v2": "v2", "effeval": "effeval"}


@dataclass(kw_only=True, eq=False)
class MoverScore(IdfMetric[RowScore]):
    """Word mover's distance over contextual vectors (Zhao et al. 2019), as a score: higher is better.

    The part `distance` is the distance itself.
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="moverscore",
        summary="Optimal transport between the contextual vectors of tokens or n-grams.",
        paper="Zhao et al. 2019, MoverScore: Text Generation Evaluating with Contextualized Embeddings and EMD",
        range=(None, 1),
    )

    model: Annotated[str, "name or folder of an encoder"] = "distilbert-base-uncased"
    variant: Annotated[
        MoverVariant | None,
        "v2: 1/(1+d); effeval: 1-d; v1: 1-d, power means of 5 layers, squared; else that of compat, or v2",
    ] = None
    distance: Annotated[Distance, "exact (wmd), or a lower bound of it"] = "wmd"
    ngram: Annotated[int, "tokens of an n-gram"] = 1
    layer: Annotated[int | None, "which layer; else the last"] = None
    power_means: Annotated[int | None, "so many layers, up to that one, joined; else 5 for v1, 1 for others"] = None
    drop_punctuation: Annotated[bool, "leave out tokens without letters and digits"] = True
    drop_subwords: Annotated[bool, "leave out all but the first token of a word"] = True
    stop_words: Annotated[str | None, "a file of words to leave out"] = None
    compat: Annotated[MoverProgram | None, "reproduce a published program, slips included; it implies the variant"] = (
        None
    )
    early_exit: Annotated[float | None, "stop encoding a text once a layer changes it less than this"] = None
    rules: MoverRules = field(init=False, repr=False)
    clouds: Clouds = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the options, and prepare how texts become clouds."""
        check_positive("moverscore", ngram=self.ngram, power_means=self.power_means or 1)
        self.rules = MoverRules(_variant(self.variant, self.compat), self.distance, published=bool(self.compat))
        super().__post_init__()
        tokens = TokenFilter(
            self.engine.encoder.tokenizer,
            punctuation=self.drop_punctuation,
            subwords=self.drop_subwords,
            stop_words=read_words(self.stop_words) if self.stop_words else frozenset(),
            ascii_only=bool(self.compat),
        )
        self.clouds = Clouds(self.layers, tokens, size=self.ngram, specials=bool(self.compat))

    def make_encoder(self) -> Encoder:
        """Load the encoder, with early exit if asked for."""
        encoder = super().make_encoder()
        return encoder if self.early_exit is None else exiting(encoder, self.early_exit)

    def choose_layers(self) -> tuple[int, ...]:
        """Return the layers whose power means are taken."""
        joined = self.power_means or (LAYERS if self.rules.variant == "v1" else 1)
        return last_layers(self.engine.encoder, self.layer, joined)

    def make_plan(self) -> IdfPlan:
        """Return what the options say about idf; the published programs count special tokens, too."""
        plan = super().make_plan()
        return IdfPlan(plan.engine, plan.idf, plan.own, specials=bool(self.compat))

    def row(self, texts: EncodedRow) -> RowScore:
        """Compare the candidate with each reference: the nearest counts, in compat the mean over all."""
        distances, remarks = self._published(texts) if self.compat and self.distance != "wmd" else self._moved(texts)
        counted = distances if self.compat else [min(distances)]
        score = float(np.mean([self.rules.score(distance) for distance in counted]))
        return RowScore(score, {"distance": float(np.mean(counted))}, remarks)

    def _moved(self, texts: EncodedRow) -> tuple[list[float], frozenset[Remark]]:
        """Compute the distance to each reference between clouds."""
        left = self.clouds(texts.candidate, self.candidate_weights)
        right = [self.clouds(reference, self.reference_weights) for reference in texts.references]
        remarks = left.remarks.union(*(cloud.remarks for cloud in right))
        return [self.rules.between(left, cloud) for cloud in right], remarks

    def _published(self, texts: EncodedRow) -> tuple[list[float], frozenset[Remark]]:
        """Compute the distance to each reference as EffEval's code does its bounds."""
        left, *right = (self._all_vectors(text) for text in texts.texts)
        return [published_distance(left, side, self.distance) for side in right], frozenset()

    def _all_vectors(self, text: EncodedText) -> Vectors:
        """Return all vectors of a text, those of dropped tokens set to zero, as EffEval's code does."""
        states = np.array(text.states[self.layers[-1]], dtype=np.float64)
        states[~self.clouds.tokens.kept(text.ids)] = 0
        return states

    def fields(self) -> dict[str, Value]:
        """Return what of the options belongs in the signature."""
        tokens = self.clouds.tokens
        return {
            "layers": "+".join(map(str, self.layers)),
            "variant": self.rules.variant,
            "distance": self.distance,
            "ngram": self.ngram,
            **self.idf_fields(),
            "punctuation": not tokens.punctuation,
            "subwords": not tokens.subwords,
            "stop_words": digest("\n".join(sorted(tokens.stop_words))) if tokens.stop_words else False,
            "compat": self.compat or "none",
        }


def _variant(variant: MoverVariant | None, compat: MoverProgram | None) -> MoverVariant:
    """Return the variant that was asked for, that of the program to reproduce, or v2."""
    if compat is None:
        return variant or "v2"
    implied = VARIANTS[compat]
    if variant not in (None, implied):
        raise SpecError(f"moverscore: compat={compat} implies variant={implied}, but variant={variant} was given")
    return implied


def read_words(path: str) -> frozenset[str]:
    """Read the words of a file, which are separated by spaces or line ends."""
    return frozenset(word for _, line in lines(path) for word in line.split())
