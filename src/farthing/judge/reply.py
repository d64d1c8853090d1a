"""What a judge is asked and what it answers, whoever it is; and the two ways in which it may fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from farthing.core.errors import FarthingError

Message: TypeAlias = Mapping[str, str]  #: a message of a chat: its role and content


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """One row as a judge sees it.

    :param key: equal for questions that need not be asked twice
    :param fields: the texts by the names of the prompt's fields
    :param messages: the filled prompt
    :param sample: the same question with another number is asked again
    """

    key: str
    fields: Mapping[str, str]
    messages: tuple[Message, ...] = ()
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a judge answered.

    :param alternatives: what the first number might have been, with the logarithms of the probabilities
    :param tokens_in, tokens_out: what the endpoint counted
    """

    text: str
    alternatives: tuple[tuple[str, float], ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0


class Asker(Protocol):
    """Somebody who answers one question at a time; several threads may ask."""

    def ask(self, question: JudgeQuestion) -> Reply:
        """Answer, or raise one of the errors below."""
        ...

    def close(self) -> None:
        """End what was started."""
        ...


class TryAgain(Exception):
    """The judge did not answer this time.

    :param wait: how many seconds it asks to be left alone; None if it did not say
    :param unreachable: True if nobody was there at all
    """

    def __init__(self, reason: str, wait: float | None = None, unreachable: bool = False) -> None:
        self.reason, self.wait, self.unreachable = reason, wait, unreachable
        super().__init__(reason)


class RowRefused(Exception):
    """The judge will not answer this question, however often it is asked."""


class JudgeError(FarthingError):
    """A judge that cannot be asked at all; the message says why."""


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """The outcome of one question: a score, or the reason why there is none.

    :param paid: how many times the judge was asked in this run
    :param failure: what was wrong with the last of these times, if the budget ended the asking
    """

    score: float | None
    answer: str = ""
    reason: str = ""
    paid: int = 0
    failure: str = ""
