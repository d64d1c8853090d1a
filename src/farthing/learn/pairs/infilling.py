"""BART's noise: spans of words become masks or random words, and sentences change places. Pure functions.

The lengths of the spans are Poisson, under the condition that they add up to the words that shall go: given their
sum, independent Poisson lengths are multinomial, so both the share and the lengths come out as published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ENDS = (".", "!", "?", '."', '!"', '?"', ".”", ".'")


@dataclass(frozen=True, slots=True)
class Span:
    """Words `start` to `start + length` go; what comes in their place is a mask or random words."""

    start: int
    length: int
    random: bool


def text_spans(
    words: int, random: np.random.Generator, share: float = 0.5, mean: float = 3.0, random_share: float = 0.2
) -> list[Span]:
    """Which spans of a segment go. Spans of no length are places where a mask is put in.

    :param share: the share of the words that go
    :param mean: the Poisson mean of a span's length
    :param random_share: the share of the spans that become random words
    """
    budget = _rounded(share * words, random)
    if not budget:
        return []
    count = min(max(1, _rounded(budget / mean, random)), words - budget + 1)
    lengths = random.multinomial(budget, np.full(count, 1 / count))
    # Spans and the words that stay are dealt into one row; a kept word lies between any two spans.
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
    """The words with the spans replaced.

    :param masks_by_word: one mask a word, for models that fill each mask with one token, instead of one a span

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
    """The sentences in another order; a sentence ends where a word ends in . ! or ?

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
    """Up or down at random so that the mean is the value itself."""
    return int(np.floor(value + random.random()))
