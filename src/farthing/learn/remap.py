"""Learn a cross-lingual remapping from parallel sentences and the words in them that mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.errors import InputError, UsageError
from farthing.core.progress import Progress, silent
from farthing.core.specs import Value
from farthing.encoders.engine import Engine
from farthing.encoders.protocol import EncodedText
from farthing.encoders.remap import Method, Remap, unit
from farthing.files.lines import lines

Links: TypeAlias = list[tuple[int, int]]  #: which word of the source goes with which word of the target
BLOCK = 256  # sentence pairs whose vectors are in memory at a time


def learn_remap(
    engine: Engine,
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    layer: int,
    method: Method = "clp",
    links: Sequence[Links] | None = None,
    progress: Progress = silent,
) -> tuple[Remap, int]:
    """Learn to move the sources' vectors to the targets'; return the remapping and the number of word pairs used.

    :param links: for each pair of sentences which word of the source (from 0, by spaces) corresponds to which word of
        the target; by default, words that are each other's nearest neighbours
    """
    if len(sources) != len(targets):
        raise UsageError(f"{len(sources)} sources but {len(targets)} targets: give one target per source")
    moments = Moments(engine.encoder.dimension)
    for start in range(0, len(sources), BLOCK):
        block = range(start, min(start + BLOCK, len(sources)))
        left = word_vectors(engine, [sources[row] for row in block], layer)
        right = word_vectors(engine, [targets[row] for row in block], layer)
        for place, row in enumerate(block):
            pairs = mutual_nearest(left[place], right[place]) if links is None else links[row]
            moments.add(left[place], right[place], _valid(pairs, left[place], right[place], row))
        progress(len(block))
    if not moments.count:
        raise UsageError("no pair of words was found to learn from: check that the two files are parallel")
    fields: dict[str, Value] = engine.encoder.fields()
    return moments.solved(method, str(fields.get("weights", "")), layer), moments.count


@dataclass(frozen=True, slots=True)
class Parallel:
    """Sentences with their translations, and the links between their words if they are known."""

    sources: list[str]
    targets: list[str]
    links: list[Links] | None = None


def read_parallel(source: str, target: str, alignment: str | None = None, sentences: int | None = None) -> Parallel:
    """Read parallel files line by line.

    :param alignment: a file of word alignments, one line per pair of sentences
    :param sentences: read so many lines from the start; by default all
    """
    sources, targets = ([line for _, line in islice(lines(path), sentences)] for path in (source, target))
    links = list(islice(read_links(alignment), sentences)) if alignment else None
    if links is not None and len(links) != len(sources):
        raise UsageError(f"{len(sources)} sentences but {len(links)} lines of alignment: give one line per sentence")
    return Parallel(sources, targets, links)


class Moments:
    """The sums that both methods need; memory does not grow with the number of words."""

    def __init__(self, dimension: int) -> None:
        self.cross = np.zeros((dimension, dimension))  # of source and target vectors
        self.difference = np.zeros((dimension, dimension))  # of their differences
        self.count = 0

    def add(self, left: Vectors, right: Vectors, pairs: Links) -> None:
        """Add some pairs of words."""
        if not pairs:
            return
        x, z = left[[i for i, _ in pairs]], right[[j for _, j in pairs]]
        self.cross += x.T @ z
        self.difference += (x - z).T @ (x - z)
        self.count += len(pairs)

    def solved(self, method: Method, weights: str, layer: int) -> Remap:
        """Solve for CLP, the orthogonal matrix that brings x nearest to z, or UMD, the main direction of x - z."""
        if method == "clp":
            u, _, vt = np.linalg.svd(self.cross)
            return Remap("clp", u @ vt, weights, layer)
        _, vectors = np.linalg.eigh(self.difference)
        return Remap("umd", unit(vectors[:, -1]), weights, layer)


def word_vectors(engine: Engine, texts: Sequence[str], layer: int) -> list[Vectors]:
    """Encode each text as one vector per word (by spaces), the mean of its tokens' vectors, in double precision."""
    tokenizer = engine.encoder.tokenizer
    words = [text.split() for text in texts]
    pieces = iter(tokenizer.contents([word for row in words for word in row]))
    spans: list[list[int]] = []  # the number of tokens of every word
    contents = []
    for row in words:
        parts = [next(pieces) for _ in row]
        spans.append([len(part) for part in parts])
        contents.append([token for part in parts for token in part])
    encoded = dict(engine.encode_contents(contents, [layer]))
    return [_means(encoded[row], layer, spans[row]) for row in range(len(texts))]


def _means(text: EncodedText, layer: int, spans: list[int]) -> Vectors:
    """Average the tokens of each word; words that were cut off or have no token get zeros."""
    states = text.states[layer][text.content].astype(np.float64)
    means = np.zeros((len(spans), states.shape[1]))
    start = 0
    for word, count in enumerate(spans):
        part = states[start : start + count]
        if len(part):
            means[word] = part.mean(axis=0)
        start += count
    return means


def mutual_nearest(left: Vectors, right: Vectors) -> Links:
    """Pair words that are each other's nearest by cosine.

    >>> mutual_nearest(np.eye(3), np.eye(3)[[2, 0]])
    [(0, 1), (2, 0)]
    """
    if not len(left) or not len(right):
        return []
    sides = [side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-30) for side in (left, right)]
    similarity = sides[0] @ sides[1].T
    there, back = similarity.argmax(axis=1), similarity.argmax(axis=0)
    return [(i, int(j)) for i, j in enumerate(there) if back[j] == i and similarity[i, j] > 0]


def read_links(path: str) -> Iterator[Links]:
    """Read word alignments in Pharaoh's format, one line per pair of sentences: 0-0 1-2 …"""
    for number, line in lines(path):
        try:
            yield [(int(i), int(j)) for i, _, j in (link.partition("-") for link in line.split())]
        except ValueError:
            raise InputError(
                f"not a word alignment: {line[:40]!r}", path=path, line=number, remedy="write 0-0 1-2"
            ) from None


def _valid(pairs: Iterable[tuple[int, int]], left: Vectors, right: Vectors, row: int) -> Links:
    """Keep the pairs whose words both have a vector; a word that the sentence does not have is an error."""
    kept = []
    for i, j in pairs:
        if not (0 <= i < len(left) and 0 <= j < len(right)):
            problem = f"the alignment links word {i} with word {j}, but the sentences do not have both"
            raise InputError(problem, line=row + 1)
        if left[i].any() and right[j].any():
            kept.append((i, j))
    return kept
