"""A text as a weighted cloud of vectors: which tokens count, at which layers, with which weights, in which n-grams."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Indices, Mask, Vectors, Weights
from farthing.encoders.protocol import EncodedText
from farthing.metrics.tokens.ngrams import ngrams
from farthing.metrics.tokens.results import Remark
from farthing.text.idf import Idf
from farthing.text.pieces import is_continuation, is_punctuation, style_of, surface

if TYPE_CHECKING:
    from farthing.encoders.tokens.tokenize import Tokenizer

_SAMPLE = 20_000  # tokens of a vocabulary that are enough to see how it marks words


@dataclass(frozen=True, slots=True)
class Cloud:
    """Vectors of length 1 and their weights, which are not all zero; both empty for a text without tokens.

    :param remarks: which rules could not be applied to the text
    """

    points: Vectors
    weights: Weights
    remarks: frozenset[Remark] = frozenset()

    def __len__(self) -> int:
        return len(self.weights)


class TokenFilter:
    """Decides which tokens of a text count.

    :param punctuation: drop tokens without letters and digits
    :param subwords: drop all but the first token of each word
    :param stop_words: drop these words
    :param ascii_only: only ASCII has punctuation and only ## marks a sub-word, as in the published code
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        *,
        punctuation: bool = False,
        subwords: bool = False,
        stop_words: frozenset[str] = frozenset(),
        ascii_only: bool = False,
    ) -> None:
        self.tokenizer, self.stop_words = tokenizer, stop_words
        self.punctuation, self.subwords, self.ascii_only = punctuation, subwords, ascii_only
        self.active = punctuation or subwords or bool(stop_words)
        written = (tokenizer.token(number) for number in range(tokenizer.size))
        self.style = style_of(islice(written, _SAMPLE)) if self.active else ""
        self._known: dict[int, bool] = {}

    def kept(self, ids: Indices) -> Mask:
        """Return True for every token that counts."""
        return np.array([not self._drops(int(number)) for number in ids], dtype=bool)

    def _drops(self, number: int) -> bool:
        dropped = self._known.get(number)
        if dropped is None:
            dropped = self._known[number] = self._drops_token(self.tokenizer.token(number))
        return dropped

    def _drops_token(self, token: str) -> bool:
        if self.ascii_only:
            sign, part = token in set(string.punctuation), "##" in token
        else:
            sign, part = is_punctuation(token, self.style), is_continuation(token, self.style)
        word = surface(token, self.style) in self.stop_words
        return bool((self.punctuation and sign) or (self.subwords and part) or word)


class Clouds:
    """Makes clouds of texts.

    :param layers: one layer, or several to be joined by their power means: minimum, mean and maximum
    :param size: how many tokens an n-gram has
    :param specials: special tokens count, too
    """

    def __init__(self, layers: Sequence[int], tokens: TokenFilter, *, size: int = 1, specials: bool = False) -> None:
        self.layers, self.tokens, self.size, self.specials = tuple(layers), tokens, size, specials

    def __call__(self, text: EncodedText, idf: Idf | None = None) -> Cloud:
        """Make the cloud of one text."""
        places, dropped = self.places(text)
        weights, remarks = token_weights(text.ids[places], idf)
        vectors = layer_vectors(text, self.layers, unit=self.size == 1)[places]
        vectors, weights = ngrams(vectors, weights, self.size)
        return Cloud(units(vectors), weights, remarks | {"dropped"} if dropped else remarks)

    def places(self, text: EncodedText) -> tuple[Indices, bool]:
        """Return where the tokens are that count, and True if the filter would have dropped all, so that all count."""
        places = np.arange(len(text.ids))[slice(None) if self.specials else text.content]
        if not self.tokens.active or not len(places):
            return places, False
        kept = self.tokens.kept(text.ids[places])
        return (places[kept], False) if kept.any() else (places, True)


def token_weights(ids: Indices, idf: Idf | None) -> tuple[Weights, frozenset[Remark]]:
    """Weigh tokens by idf, if given; weights that are all zero become equal, with a remark."""
    weights = np.ones(len(ids)) if idf is None else idf.weights(ids).astype(np.float64)
    if len(ids) and not weights.any():
        return np.ones(len(ids)), frozenset(["idf"])
    return weights, frozenset()


def layer_vectors(text: EncodedText, layers: Sequence[int], *, unit: bool = True) -> Vectors:
    """Return the vectors of all tokens, special ones included: of one layer, or the power means of several.

    :param unit: scale those of a single layer to length 1; power means are always of scaled ones
    """
    if len(layers) == 1:
        return text.unit(layers[0]) if unit else text.states[layers[0]]
    stack = np.stack([text.unit(layer) for layer in layers])
    return np.concatenate([stack.min(axis=0), stack.mean(axis=0), stack.max(axis=0)], axis=-1)


def units(vectors: Vectors) -> Vectors:
    """Scale vectors to length 1, in double precision; a zero vector stays.

    >>> units(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    norms = np.sqrt(np.einsum("td,td->t", vectors, vectors))
    return np.asarray(vectors / np.where(norms > 0, norms, 1)[:, None])
