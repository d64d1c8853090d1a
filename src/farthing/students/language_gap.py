"""How far two texts are apart in their scripts and languages: features of students that read many languages.

An output that was left in the language of its source, or that is in another language than its reference, shares names,
numbers and sense with what it should be. These two features, both 0 for equal texts, tell it apart:

script    1 - the sum, over the scripts, of the smaller of a script's shares in the two texts
language  1 - the Bhattacharyya coefficient of the two texts' languages, as the table of letter trigrams sees them
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Matrix
from farthing.text.languages import language_shares, script_shares

NAMES = ("script", "language")
_NO_SCRIPT = {"": 1.0}  # what a text without letters is written in


class LanguageProfiles(NamedTuple):
    """What some texts are written in, one row per text.

    :param scripts: the share of every script
    :param roots: the square root of every language's probability
    """

    scripts: Matrix
    roots: Matrix

    def rows(self, places: Sequence[int] | slice) -> LanguageProfiles:
        """Return the profiles of some of the texts."""
        return LanguageProfiles(self.scripts[places], self.roots[places])


def language_profiles(texts: Sequence[str]) -> LanguageProfiles:
    """Return what texts are written in."""
    shares = [script_shares(text) or _NO_SCRIPT for text in texts]
    columns = {name: column for column, name in enumerate(sorted({name for row in shares for name in row}))}
    scripts = np.zeros((len(texts), len(columns)))
    for place, row in enumerate(shares):
        for name, share in row.items():
            scripts[place, columns[name]] = share
    return LanguageProfiles(scripts, np.sqrt(language_shares(texts)))


def profile_gaps(first: LanguageProfiles, second: LanguageProfiles) -> Matrix:
    """Return the features of pairs, one per name of :data:`NAMES` along the last axis; shapes are broadcast.

    Shares sum to 1, so half of the differences is what the smaller ones leave, and exactly 0 for equal profiles.
    """
    script = np.abs(first.scripts - second.scripts).sum(axis=-1) / 2
    language = np.square(first.roots - second.roots).sum(axis=-1) / 2
    return np.stack([script, language], axis=-1)


def language_gaps(candidates: Sequence[str], others: Sequence[str]) -> Matrix:
    """Return the features of every pair: one row per pair, one column per name of :data:`NAMES`.

    >>> language_gaps(["the cat", "кот"], ["the cat", "the cat"])[:, 0].tolist()
    [0.0, 1.0]
    """
    places = {text: place for place, text in enumerate(dict.fromkeys([*candidates, *others]))}
    profiles = language_profiles(list(places))
    first, second = (profiles.rows([places[text] for text in side]) for side in (candidates, others))
    return profile_gaps(first, second)


class CrossedLanguages:
    """How far all candidates and all references of a list are apart in their scripts and languages."""

    def __init__(self, candidates: Sequence[str], references: Sequence[str]) -> None:
        profiles = language_profiles([*candidates, *references])
        self.own, self.other = profiles.rows(slice(len(candidates))), profiles.rows(slice(len(candidates), None))

    def gaps(self, rows: slice) -> Matrix:
        """Return the features of some candidates with all references, one per name along the last axis."""
        own = LanguageProfiles(self.own.scripts[rows, None], self.own.roots[rows, None])
        return profile_gaps(own, self.other)
