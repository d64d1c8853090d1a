"""Changes that are made to every text before a metric reads it: Unicode form, quotes and case.

The option `normalise` of every metric names them, joined by "+": `chrf(normalise=nfc+quotes+lower)`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from farthing.core.errors import SpecError

UnicodeForm: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS = ("nfc", "nfd", "nfkc", "nfkd")
WORDS = (*FORMS, "quotes", "lower")
_QUOTES = str.maketrans(
    {**dict.fromkeys("“”„‟«»″‶〝〞〟＂", '"'), **dict.fromkeys("‘’‚‛‹›′‵´ʼ＇", "'")},
)


@dataclass(frozen=True, slots=True)
class Normaliser:
    """What is done to a text.

    :param form: a Unicode form
    :param quotes: write every typographic quote and apostrophe as " or '
    :param lower: write capitals as small letters

    >>> Normaliser.of("lower+quotes")("“Don’t”")
    '"don\\'t"'
    """

    form: UnicodeForm | None = None
    quotes: bool = False
    lower: bool = False

    @classmethod
    def of(cls, words: object) -> Normaliser | None:
        """Read the value of the option; None if it names no change.

        :param words: words joined by "+" in any order, or a list of words
        """
        if words is None or words == [] or words == "":
            return None
        listed = words if isinstance(words, list) else str(words).split("+")
        known = [str(word).strip().lower() for word in listed]
        forms = [word for word in known if word in FORMS]
        if not all(word in WORDS for word in known) or len(forms) > 1:
            raise SpecError(
                f"normalise={'+'.join(known)} is not understood: join at most one of {', '.join(FORMS)} with quotes "
                "and lower, as in normalise=nfc+quotes+lower"
            )
        form = cast("UnicodeForm | None", forms[0].upper() if forms else None)
        return cls(form, "quotes" in known, "lower" in known)

    def __call__(self, text: str) -> str:
        """Return the changed text; a text that was changed stays as it is."""
        for step in self._steps():
            text = step(text)
        return text

    def texts(self, texts: Sequence[str]) -> list[str]:
        """Return the changed texts."""
        return [self(text) for text in texts]

    def _steps(self) -> list[Callable[[str], str]]:
        # Quotes come first, since a compatibility form takes some of them apart. Capitals may appear only in the form
        # (as of ℌ), and their small letters may lose it again, so that the form is made twice.
        form: list[Callable[[str], str]] = [self._formed] if self.form else []
        lower: list[Callable[[str], str]] = [str.lower, *form] if self.lower else []
        return [*([_plain_quotes] if self.quotes else []), *form, *lower]

    def _formed(self, text: str) -> str:
        return text if self.form is None else unicodedata.normalize(self.form, text)

    def __str__(self) -> str:
        words = [self.form.lower() if self.form else "", "quotes" * self.quotes, "lower" * self.lower]
        return "+".join(word for word in words if word)


def _plain_quotes(text: str) -> str:
    return text.translate(_QUOTES)
