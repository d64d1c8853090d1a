"""SentSim: how alike source and candidate are, word by word and as whole sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from farthing.align.greedy import f1, greedy
from farthing.core.arrays import Floats, Segments, Weights
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.encoders.engine import Engine
from farthing.encoders.folder.languages import check_multilingual
from farthing.encoders.load import load_encoder
from farthing.encoders.protocol import EncodedText, Encoder
from farthing.encoders.sentence import Pooling, pool, sentence_vectors
from farthing.metrics.tokens.base import TokenMetric
from farthing.metrics.tokens.clouds import Cloud
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.metrics.tokens.layers import last_layers
from farthing.metrics.tokens.mover_rules import cloud_distance
from farthing.metrics.tokens.results import RowScore

WordPart: TypeAlias = Literal["bertscore", "wmd"]


@dataclass(kw_only=True, eq=False)
class SentSim(TokenMetric[RowScore]):
    """Reference-free: words and sentences of source and candidate, each by a cosine (Song et al. 2021).

    Parts: `words` (BERTScore's F1, or the word mover's distance) and `sentence` (the cosine), both as measured.
    """

    changes_segments: ClassVar[bool] = True  # as published, the scores depend on the range over all rows
    about: ClassVar[MetricInfo] = MetricInfo(
        name="sentsim",
        summary="Reference-free: word and sentence similarity of source and candidate.",
        paper="Song et al. 2021, SentSim: Crosslingual Semantic Evaluation of Machine Translation",
        range=(2, 2 * float(np.e)),
        needs=frozenset({"source"}),
    )

    model: Annotated[str, "a multilingual encoder for the words: its name or folder"] = "xlm-roberta-base"
    layer: Annotated[int | None, "its layer; else three quarters of the way up"] = None
    sentence_model: Annotated[str | None, "a multilingual sentence encoder; else the same model"] = None
    sentence_layer: Annotated[int | None, "its layer; else the last"] = None
    pooling: Annotated[Pooling, "how the vector of a sentence is made from those of its tokens"] = "mean"
    words: Annotated[WordPart, "the word part"] = "bertscore"
    combine: Annotated[
        Literal["fixed", "published"], "fixed ranges, or minimum to maximum over the scored rows as published"
    ] = "fixed"
    monolingual: Annotated[bool, "source and candidate are in one language, so any encoder will do"] = False
    sentence_engine: Engine | None = field(init=False, repr=False)  #: None if one encoder serves both parts
    word_layer: int = field(init=False, repr=False)
    pooled_layer: int = field(init=False, repr=False)

    def make_encoder(self) -> Encoder:
        """Load the encoder of the words; models that are known to read a single language are refused."""
        for model in () if self.monolingual else filter(None, (self.model, self.sentence_model)):
            check_multilingual("sentsim", model)
        return super().make_encoder()

    def choose_layers(self) -> tuple[int, ...]:
        """Return the layers of the word encoder, and load the sentence encoder if it is another one."""
        encoder = self.engine.encoder
        other = load_encoder(self.sentence_model, self.backend, device=self.device) if self.sentence_model else None
        self.sentence_engine = self.make_engine(other) if other else None
        [self.word_layer] = last_layers(encoder, round(0.75 * encoder.layers[-1]) if self.layer is None else self.layer)
        [self.pooled_layer] = last_layers(other or encoder, self.sentence_layer)
        return (self.word_layer,) if other else tuple(sorted({self.word_layer, self.pooled_layer}))

    def row(self, texts: EncodedRow) -> RowScore:
        """Compare candidate and source; the score itself is made by :meth:`finish`."""
        assert texts.source is not None  # because info.needs says so
        sentence = 0.0
        if self.sentence_engine is None:
            left, right = (pool(text, self.pooled_layer, self.pooling) for text in (texts.source, texts.candidate))
            sentence = cosine(left, right)
        return RowScore(0.0, {"words": self._words(texts.source, texts.candidate), "sentence": sentence})

    def _words(self, source: EncodedText, candidate: EncodedText) -> float:
        published = self.combine == "published"
        left, right = (text.unit(self.word_layer)[text.content] for text in (source, candidate))
        if self.words == "wmd":
            if published:  # vectors as they are; a fixed range needs them at length 1
                left, right = (text.states[self.word_layer][text.content] for text in (source, candidate))
            return cloud_distance(Cloud(left, np.ones(len(left))), Cloud(right, np.ones(len(right))), "wmd")
        if not len(left) or not len(right):
            return float(len(left) == len(right))  # two texts without words are equal; one without shares nothing
        if published:  # words may match special tokens, which weigh nothing themselves
            left, right = (text.unit(self.word_layer) for text in (source, candidate))
            return f1(*greedy(right, left, _content_weights(candidate), _content_weights(source)))
        return f1(*greedy(right, left, np.ones(len(right)), np.ones(len(left))))

    def gathered(self, pairs: Pairs, results: Sequence[RowScore], notes: tuple[Note, ...]) -> Scores:
        """Add the sentence part, if another encoder makes it."""
        scores = super().gathered(pairs, results, notes)
        if self.sentence_engine is None:
            return scores
        return replace(scores, parts={**scores.parts, "sentence": self._sentences(self.sentence_engine, pairs)})

    def _sentences(self, engine: Engine, pairs: Pairs) -> Segments:
        texts = [*(pairs.sources or []), *pairs.candidates]
        vectors = sentence_vectors(engine, texts, layer=self.pooled_layer, pooling=self.pooling).astype(np.float64)
        left, right = vectors[: len(pairs)], vectors[len(pairs) :]
        equal = ~(left.any(axis=1) | right.any(axis=1))
        return np.asarray(np.einsum("td,td->t", left, right) + equal)

    def finish(self, scores: Scores) -> Scores:
        """Make the rows' scores from their parts; the published form needs all rows for its range."""
        words, sentence = np.asarray(scores.parts["words"]), np.asarray(scores.parts["sentence"])
        scale = spread if self.combine == "published" else _halved
        near = scale(words) if self.words == "bertscore" else 1 - (spread(words) if scale is spread else words / 2)
        segments = np.exp(near) + np.exp(scale(sentence))
        return replace(scores, segments=segments, corpus=float(segments.mean()))

    def fields(self) -> dict[str, Value]:
        """Return what of the options belongs in the signature."""
        other = self.sentence_engine.fields() if self.sentence_engine else {}
        return {
            "layer": self.word_layer,
            **{f"sentence_{key}": value for key, value in other.items()},
            "sentence_layer": self.pooled_layer,
            "pooling": self.pooling,
            "words": self.words,
            "combine": self.combine,
        }


def _content_weights(text: EncodedText) -> Weights:
    """Weigh the tokens of a text by 1, special ones by 0."""
    weights = np.zeros(len(text.ids))
    weights[text.content] = 1
    return weights


def cosine(left: Floats, right: Floats) -> float:
    """Compute the cosine of two vectors; 1 for two zero vectors, 0 for one."""
    norms = float(np.linalg.norm(left)), float(np.linalg.norm(right))
    if 0.0 in norms:
        return float(norms[0] == norms[1])
    return float(left.astype(np.float64) @ right.astype(np.float64) / norms[0] / norms[1])


def spread(values: Floats) -> Floats:
    """Scale values to 0 to 1 by their own minimum and maximum; all become 0.5 if these are equal.

    >>> spread(np.array([1.0, 3.0, 2.0])).tolist(), spread(np.array([2.0])).tolist()
    ([0.0, 1.0, 0.5], [0.5])
    """
    low, high = values.min(), values.max()
    return np.asarray((values - low) / (high - low)) if high > low else np.full(len(values), 0.5)


def _halved(values: Floats) -> Floats:
    """Map cosines, which go from -1 to 1 (but for rounding), to 0 to 1."""
    return np.asarray((1 + np.clip(values, -1, 1)) / 2)
