"""What one request, and all requests together, may ask for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from farthing.core.errors import FarthingError, UsageError


class TooLarge(FarthingError):
    """A request that is larger than one request may be."""


class TooMany(TooLarge):
    """A request with more members than one request may have."""


class Busy(FarthingError):
    """Too much is waiting; the request may be sent again after some seconds.

    >>> Busy(2.3).seconds
    3
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(f"too many texts are waiting: send the request again in {self.seconds} seconds")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one request and of the queue. Tokens are estimated, see :func:`text_tokens`.

    :param body: bytes of a request's body
    :param rows: segments of a request, times systems or candidates
    :param characters: of one text
    :param references: of one segment
    :param systems: of one comparison
    :param metrics: of one request
    :param set_rows: texts of a set, for metrics of whole sets, whose cost grows faster than their number
    :param aligned: characters of a text that is aligned, whose table of similarities grows with their product
    :param resamples: of a significance test
    :param queue: tokens that may wait; a request beyond them is sent away with the time to wait
    :param window: tokens that are scored together; a larger request is split
    :param seconds: that an answer may take
    :param requests: that may be open at a time
    :param loaded: metrics that are kept in memory, the last used ones
    """

    body: int = 16 * 2**20
    rows: int = 20_000
    characters: int = 10_000
    references: int = 16
    systems: int = 16
    metrics: int = 8
    set_rows: int = 2_000
    aligned: int = 2_000
    resamples: int = 10_000
    queue: int = 2_000_000
    window: int = 4_096
    seconds: float = 300.0
    requests: int = 1_000
    loaded: int = 8

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) <= 0:
                raise UsageError(f"the limit {name}={getattr(self, name)} must be above 0")

    def check_count(self, what: str, count: int, most: int) -> None:
        """Raise a sentence if there is more of something than a request may have."""
        if count > most:
            raise TooMany(f"{count} {what} are more than the {most} that one request may have: send fewer at a time")

    def check_texts(self, texts: Iterable[str], most: int | None = None) -> None:
        """Raise a sentence if a text is longer than allowed."""
        allowed = most or self.characters
        for text in texts:
            if len(text) > allowed:
                raise TooLarge(f"a text of {len(text)} characters is longer than the {allowed} that are allowed here")


def text_tokens(text: str) -> int:
    """Estimate the tokens of a text without a tokenizer: one per four bytes, and two around it.

    >>> text_tokens("the cat sat"), text_tokens("")
    (4, 2)
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return 2 + size // 4


def all_tokens(texts: Sequence[str]) -> int:
    """Estimate the tokens of several texts."""
    return sum(map(text_tokens, texts))
