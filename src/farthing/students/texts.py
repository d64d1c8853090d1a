"""Texts that a student has read: their tokens, and what a note tells of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from farthing.encoders.backends.token_texts import Tokens, TokenTexts
from farthing.encoders.tokens.tokenize import Ids


class TextTokens(Mapping[str, Tokens | None]):
    """The tokens of every text, None for a text without any.

    Texts are encoded all at once, or, if they are encoded by a table, when they are asked for: then a pair's vectors
    are still in the processor's cache when they are matched, and no others take up memory.

    :param contents: the ids of every text, as many as the student reads
    :param encode: returns the tokens of texts that have any
    :param together: the same in one array, for texts that are encoded when they are asked for
    """

    def __init__(
        self,
        contents: Mapping[str, Ids],
        encode: Callable[[Sequence[Ids]], Iterable[Tokens]],
        together: Callable[[Sequence[Ids]], TokenTexts] | None = None,
    ) -> None:
        self._contents, self._encode, self._together = contents, encode, together
        some = {} if together else {text: ids for text, ids in contents.items() if ids}
        self._known = dict(zip(some, encode(list(some.values())), strict=True)) if some else {}

    def __getitem__(self, text: str) -> Tokens | None:
        ids = self._contents[text]
        if not ids or self._together is None:
            return self._known[text] if ids else None
        [tokens] = self._encode([ids])
        return tokens

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def size(self, text: str) -> int:
        """Return how many tokens a text has."""
        return len(self._contents[text])

    def several(self, texts: Sequence[str]) -> TokenTexts:
        """Return the tokens of some texts, each of which has any, in one array."""
        if self._together is None:
            return TokenTexts.of([self._known[text] for text in texts])
        return self._together([self._contents[text] for text in texts])


class ReadTexts(NamedTuple):
    """Texts that were read: their tokens, and those of which a note tells something.

    :param long: texts over the limit
    :param foreign: texts in a language or a script that the student does not read
    :param unmeasured: texts in a language for which nobody knows how good the student is
    """

    tokens: TextTokens
    long: frozenset[str]
    foreign: frozenset[str] = frozenset()
    unmeasured: frozenset[str] = frozenset()
