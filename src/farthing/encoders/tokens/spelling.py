"""Texts that a tokenizer only spells: of their words it knows none, and a model over its tokens knows nothing of them.

A vocabulary with a token for every byte reads any text. Characters that it lacks are spelled byte by byte, and words
that it lacks letter by letter. A letter alone means nothing, except where one character is a word or a syllable: those
of Chinese, Japanese and Korean, which are wide.
"""

from __future__ import annotations

from functools import cached_property
from unicodedata import category, east_asian_width

import numpy as np

from farthing.core.arrays import Indices, Mask
from farthing.encoders.tokens.id_rows import IdRows
from farthing.encoders.tokens.tokenize import Tokenizer

BYTES = 1 / 3  #: the share of single bytes among the tokens of a text above which it is spelled
# Of made-up words 57 to 100 of 100 letters are alone, of real sentences in the languages that the vocabulary of `multi`
# knows least (Amharic, Lao, Khmer) up to 73. Of 70,582 real sentences of Tatoeba beyond ASCII, 5 have more than 75, all
# of them in pointed Hebrew.
ALONE = 3 / 4  #: the share of letters that are tokens by themselves above which a text is spelled
LETTERS = 8  #: the fewest letters that tell it
_UNSEEN, _WIDE = -1, "WFH"


class Spelling:
    """Tells which texts a tokenizer spells.

    :param tokenizer: one with a token for every byte
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._letters = np.full(tokenizer.size, _UNSEEN, dtype=np.int16)  # of every token, once it was seen
        self._alone = np.zeros(tokenizer.size, dtype=bool)

    @cached_property
    def _bytes(self) -> Mask:
        found: Mask = np.isin(np.arange(self._tokenizer.size), list(self._tokenizer.bytes))
        return found

    def of(self, texts: IdRows) -> Mask:
        """Tell which of some texts are spelled, given their ids."""
        self._see(texts.ids)
        letters, alone, single = (_sums(of_token, texts) for of_token in (self._letters, self._alone, self._bytes))
        by_letter = (alone > ALONE * letters) & (letters >= LETTERS)
        found: Mask = by_letter | (single > BYTES * texts.sizes)
        return found

    def _see(self, ids: Indices) -> None:
        for number in set(ids[self._letters[ids] == _UNSEEN].tolist()):
            written = "" if number in self._tokenizer.bytes else self._tokenizer.token(number)
            letters = [one for one in written if category(one)[0] in "LM"]
            self._letters[number] = len(letters)
            self._alone[number] = len(letters) == 1 and east_asian_width(letters[0]) not in _WIDE


def _sums(of_token: np.ndarray, texts: IdRows) -> Indices:
    """Add up a number of every token over the tokens of each text."""
    before = np.concatenate([[0], np.cumsum(of_token[texts.ids], dtype=np.int64)])
    sums: Indices = before[texts.starts + texts.sizes] - before[texts.starts]
    return sums
