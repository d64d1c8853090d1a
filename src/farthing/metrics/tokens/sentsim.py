"""SentSim: how alike source and candidate are, word by word and as whole sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from farthing.align.greedy import f1, greedy
from farthing.align.transport import distances, transport
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.encoders.engine import Engine, Long
from farthing.encoders.load import Backend
from farthing.encoders.protocol import EncodedText
from farthing.encoders.sentence import Pooling, pool, sentence_vectors
from farthing.metrics.tokens.encoded import TokenMetric, score_encoded
from farthing.metrics.tokens.over_encoder import last_layers, make_engine

Words = Literal["bertscore", "wmd"]
UNLIKE = 2.0**0.5  # the distance of orthogonal vectors: nothing in common


@dataclass(frozen=True, slots=True)
class Row:
    """The word part (F1, or a distance), and the cosine of the sentences where one encoder serves both."""

    words: float
    sentence: float


class SentSim(TokenMetric):
    """Reference-free: words and sentences of source and candidate, each by a cosine (Song et al. 2021).

    Parts: `words` (BERTScore's F1, or the word mover's distance) and `sentence` (the cosine), both as measured.
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="sentsim",
        summary="Reference-free: word and sentence similarity of source and candidate.",
        paper="Song et al. 2021, SentSim: Crosslingual Semantic Evaluation of Machine Translation",
        range=(2, 2 * float(np.e)),
        needs=frozenset({"source"}),
        extra="ot",
    )

    def __init__(
        self,
        *,
        model: Annotated[str, "a multilingual encoder for the words: its name or folder"] = "xlm-roberta-base",
        layer: Annotated[int | None, "its layer; else three quarters of the way up"] = None,
        sentence_model: Annotated[str | None, "a multilingual sentence encoder; else the same model"] = None,
        sentence_layer: Annotated[int | None, "its layer; else the last"] = None,
        pooling: Annotated[Pooling, "how a sentence's vector is made of its tokens'"] = "mean",
        words: Annotated[Words, "the word part"] = "bertscore",
        combine: Annotated[
            Literal["fixed", "published"], "fixed ranges, or minimum to maximum over the scored rows as published"
        ] = "fixed",
        long: Annotated[Long, "texts over the model's limit"] = "truncate",
        backend: Annotated[Backend, "what runs the model; auto takes what its folder holds"] = "auto",
        threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None,
        device: Annotated[str, "where torch runs, such as cpu or cuda"] = "cpu",
        cache: Annotated[str | None, "folder in which to keep encodings"] = None,
    ) -> None:
        def engine(name: str) -> Engine:
            return make_engine(name, backend, long=long, threads=threads, device=device, cache=cache)

        self.engine = engine(model)
        self.other = engine(sentence_model) if sentence_model else None
        depth = self.engine.encoder.layers[-1]
        [self.layer] = last_layers(self.engine.encoder, round(0.75 * depth) if layer is None else layer)
        sentences = self.other or self.engine
        [self.sentence_layer] = last_layers(sentences.encoder, sentence_layer)
        self.layers = (self.layer,) if self.other else tuple(sorted({self.layer, self.sentence_layer}))
        self.words, self.combine, self.pooling = words, combine, pooling

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems, encoding each text once."""
        return score_encoded([self], systems)[0]

    def score_row(self, candidate: EncodedText, references: Sequence[EncodedText]) -> Row:
        """What must be remembered of one row, where the source stands in the reference's place."""
        [source] = references
        sentence = 0.0
        if self.other is None:
            left, right = (pool(text, self.sentence_layer, self.pooling) for text in (source, candidate))
            sentence = cosine(left, right)
        return Row(self._words(source, candidate), sentence)

    def _words(self, source: EncodedText, candidate: EncodedText) -> float:
        left, right = (text.unit(self.layer)[text.content] for text in (source, candidate))
        equal = not len(left) and not len(right)  # two texts without words are equal; one without shares nothing
        if self.words == "wmd":
            if not len(left) or not len(right):
                return 0.0 if equal else UNLIKE
            if self.combine == "published":  # vectors as they are; a fixed range needs them at length 1
                left, right = (text.states[self.layer][text.content] for text in (source, candidate))
            return transport(np.ones(len(left)), np.ones(len(right)), distances(left, right))[0]
        if not len(left) or not len(right):
            return float(equal)
        return f1(*greedy(right, left, np.ones(len(right)), np.ones(len(left))))

    def gathered(self, pairs: Pairs, rows: Sequence[Row], notes: tuple[Note, ...]) -> Scores:
        """The scores of all rows."""
        sentence = np.array([row.sentence for row in rows])
        if self.other is not None:
            sentence = self._sentences(self.other, pairs)
        parts: dict[str, Any] = {"words": np.array([row.words for row in rows]), "sentence": sentence}
        raw = Scores(
            corpus=0.0,
            segments=sentence,
            parts=parts,
            notes=notes,
            signature=Signature(self.info.name, self._fields()),
            system=pairs.system,
        )
        return self.finish(raw)

    def _sentences(self, engine: Engine, pairs: Pairs) -> np.ndarray:
        options: dict[str, Any] = {"layer": self.sentence_layer, "pooling": self.pooling}
        texts = [*(pairs.sources or []), *pairs.candidates]
        vectors = sentence_vectors(engine, texts, **options).astype(np.float64)
        left, right = vectors[: len(pairs)], vectors[len(pairs) :]
        equal = ~(left.any(axis=1) | right.any(axis=1))
        return np.asarray(np.einsum("td,td->t", left, right) + equal)

    def finish(self, scores: Scores) -> Scores:
        """The rows' scores from their parts; the published form needs all rows for its range."""
        words, sentence = np.asarray(scores.parts["words"]), np.asarray(scores.parts["sentence"])
        scale = spread if self.combine == "published" else _halved
        near = scale(words) if self.words == "bertscore" else 1 - (spread(words) if scale is spread else words / 2)
        segments = np.exp(near) + np.exp(scale(sentence))
        return replace(scores, segments=segments, corpus=float(segments.mean()))

    def _fields(self) -> dict[str, Value]:
        other: dict[str, Value] = {}
        if self.other is not None:
            other = {f"sentence_{key}": value for key, value in self.other.fields().items()}
        return {
            **self.engine.fields(),
            "layer": self.layer,
            **other,
            "sentence_layer": self.sentence_layer,
            "pooling": self.pooling,
            "words": self.words,
            "combine": self.combine,
        }


def cosine(left: np.ndarray, right: np.ndarray) -> float:
    """The cosine of two vectors; 1 for two zero vectors, 0 for one."""
    norms = float(np.linalg.norm(left)), float(np.linalg.norm(right))
    if 0.0 in norms:
        return float(norms[0] == norms[1])
    return float(left.astype(np.float64) @ right.astype(np.float64) / norms[0] / norms[1])


def spread(values: np.ndarray) -> np.ndarray:
    """Values from 0 to 1 by their own minimum and maximum; all in the middle where these are equal.

    >>> spread(np.array([1.0, 3.0, 2.0])).tolist(), spread(np.array([2.0])).tolist()
    ([0.0, 1.0, 0.5], [0.5])
    """
    low, high = values.min(), values.max()
    return np.asarray((values - low) / (high - low)) if high > low else np.full(len(values), 0.5)


def _halved(values: np.ndarray) -> np.ndarray:
    """Cosines, which go from -1 to 1 (but for rounding), as values from 0 to 1."""
    return np.asarray((1 + np.clip(values, -1, 1)) / 2)
