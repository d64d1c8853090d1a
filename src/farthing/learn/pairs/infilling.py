"""BART's noise: spans of words become masks or random words, and sentences change places. Pure functions.

The lengths of the spans are Poisson, given that they add up to the number of words to remove. Independent Poisson
lengths with a known sum are multinomial, so both the share and the lengths are as published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ENDS = (".", "!", "?", '."', '!"', '?"', ".”", ".'")


@dataclass(frozen=True, slots=True)
class Span:
    """Words `start` to `start + length`, which a mask or random words replace."""

    start: int
    length: int
    random: bool


def text_spans(
    words: int, random: np.random.Generator, share: float = 0.5, mean: float = 3.0, random_share: float = 0.2
) -> list[Span]:
    """Draw the spans of a segment to replace. A span of length 0 is a place where a mask is inserted.

    :param share: the share of the words that are replaced
    :param mean: the Poisson mean of a span's length
    :param random_share: the share of the spans that become random words
    """
    budget = _rounded(share * words, random)
    if not budget:
        return []
    count = min(max(1, _rounded(budget / mean, random)), words - budget + 1)
    lengths = random.multinomial(budget, np.full(count, 1 / count))
    # Spans are put into different gaps between the kept words, so that a kept word lies between any two spans.
    slots = np.sort(random.choice(words - budget + 1, count, replace=False))
    starts = slots + np.concatenate([[0], np.cumsum(lengths)[:-1]])
    chosen = set(random.permutation(count)[: _rounded(random_share * count, random)].tolist())
    return [Span(int(start), int(lengths[place]), place in chosen) for place, start in enumerate(starts)]


def infilled(
    words: Sequence[str],
    spans: Sequence[Span],
    mask: str,
    vocabulary: Sequence[str],
    random: np.random.Generator,
    masks_by_word: bool = False,
) -> list[str]:
    """Replace the spans.

    :param masks_by_word: one mask per word, for models that fill each mask with one token, instead of one per span

    >>> infilled("a b c d".split(), [Span(1, 2, False)], "<mask>", ["z"], np.random.default_rng(0))
    ['a', '<mask>', 'd']
    """
    noised: list[str] = []
    position = 0
    for span in spans:
        noised += words[position : span.start]
        position = span.start + span.length
        wide = max(1, span.length)
        if span.random:
            noised += [vocabulary[place] for place in random.integers(len(vocabulary), size=wide)]
        else:
            noised += [mask] * (wide if masks_by_word else 1)
    return noised + list(words[position:])


def permuted(words: Sequence[str], random: np.random.Generator) -> list[str]:
    """Put the sentences into random order; a sentence ends with a word that ends in . ! or ?

    >>> permuted("a b. c d.".split(), np.random.default_rng(3))
    ['c', 'd.', 'a', 'b.']
    """
    sentences: list[list[str]] = [[]]
    for word in words:
        sentences[-1].append(word)
        if word.endswith(ENDS):
            sentences.append([])
    kept = [sentence for sentence in sentences if sentence]
    return [word for place in random.permutation(len(kept)) for word in kept[place]]


def _rounded(value: float, random: np.random.Generator) -> int:
    """Round up or down at random so that the mean is the value itself."""
    return int(np.floor(value + random.random()))
