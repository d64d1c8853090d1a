"""How an answer becomes a score: a rule that the prompt declares."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Literal, TypeAlias

from farthing.core.errors import InputError
from farthing.judge.reply import Reply

RuleKind: TypeAlias = Literal["number", "json", "expected", "errors"]
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,]\d+)?(?![\w])")
_FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_TWO_DIGITS = 10
WEIGHTS: Mapping[str, float] = {"critical": 10.0, "major": 5.0, "minor": 1.0}


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """How a judge's answer is read.

    :param rule: `number`: the only number of the answer that is in the range, or the last line's; `json`: a field of a
        JSON object; `expected`: the mean of the numbers that may begin the answer, weighted by their probabilities, if
        the endpoint gives them, else as `number`; `errors`: a JSON list of errors, whose weights are subtracted
    :param field: the field of the JSON object that holds the score, or the list of errors
    :param low, high: the range of the scores; an answer outside of it cannot be read
    :param higher_is_better: False if the judge counts what is wrong
    :param weights: what an error costs by its severity, for the rule `errors`
    """

    rule: RuleKind
    field: str = "score"
    low: float = 0.0
    high: float = 100.0
    higher_is_better: bool = True
    weights: Mapping[str, float] = dataclass_field(default_factory=lambda: dict(WEIGHTS))

    def checked(self, path: str) -> AnswerRule:
        """Return the rule, or raise a sentence if it cannot work."""
        if not self.low < self.high:
            raise InputError(f"low = {self.low:g} must be below high = {self.high:g}", path=path)
        return self

    def read(self, reply: Reply) -> float | None:
        """Return the score; None if the answer cannot be read."""
        value = _READERS[self.rule](self, reply)
        return value if value is not None and math.isfinite(value) and self.low <= value <= self.high else None

    @property
    def reminder(self) -> str:
        """What the judge is told if its answer cannot be read."""
        if self.rule == "errors":
            return f'Answer only with a JSON object whose field "{self.field}" is the list of errors.'
        if self.rule == "json":
            return f'Answer only with a JSON object whose field "{self.field}" is a number from {self.bounds}.'
        return f"Answer only with one number from {self.bounds}."

    @property
    def bounds(self) -> str:
        """The range in words."""
        return f"{self.low:g} to {self.high:g}"

    def holds(self, value: float) -> bool:
        """Tell whether a number is in the range."""
        return self.low <= value <= self.high


def read_number(rule: AnswerRule, reply: Reply) -> float | None:
    """Read the number of an answer: the only one in the range, or the only one of the last line that has any."""
    lines = [_numbers(rule, line) for line in reply.text.splitlines()]
    told = [numbers for numbers in lines if numbers]
    if sum(map(len, told)) == 1 or (told and len(told[-1]) == 1):
        return told[-1][0]
    return None


def _numbers(rule: AnswerRule, line: str) -> list[float]:
    """Return the different numbers of a line that are in the range; the end of a scale, as in 7/10, is none."""
    line = re.sub(rf"(\d)\s*(?:/|out of)\s*{rule.high:g}\b", r"\1", line)
    found = (float(text.replace(",", ".")) for text in _NUMBER.findall(line))
    return list(dict.fromkeys(value for value in found if rule.holds(value)))


def read_json_field(rule: AnswerRule, reply: Reply) -> float | None:
    """Read a field of a JSON object, which may stand in a fence or between other words."""
    value = _json_field(rule, reply)
    if isinstance(value, str):
        value = _plain_number(value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _plain_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _json_field(rule: AnswerRule, reply: Reply) -> object:
    for text in (
        *_FENCED.findall(reply.text),
        reply.text,
        reply.text[reply.text.find("{") : reply.text.rfind("}") + 1],
    ):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            continue
        for name in rule.field.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        if found is not None:
            return found
    return None


def read_expected(rule: AnswerRule, reply: Reply) -> float | None:
    """Read the mean of the numbers that the first number of the answer might have been."""
    chances: dict[float, float] = {}
    for text, logprob in reply.alternatives:
        value = _plain_number(text.strip())
        if value is not None and rule.holds(value):
            chances[value] = chances.get(value, 0.0) + math.exp(logprob)
    total = sum(chances.values())
    if not total or max(chances) < _TWO_DIGITS <= rule.high:  # a 1 may be the beginning of 10, digit by digit
        return read_number(rule, reply)
    return sum(value * chance for value, chance in chances.items()) / total


def read_errors(rule: AnswerRule, reply: Reply) -> float | None:
    """Read a list of errors with severities; the score is `high` less their weights, at least `low`."""
    errors = _json_field(rule, reply)
    if not isinstance(errors, list):
        return None
    lost = 0.0
    for error in errors:
        severity = str(error.get("severity", "")).lower() if isinstance(error, dict) else ""
        if severity not in rule.weights:
            return None
        lost += rule.weights[severity]
    return max(rule.low, rule.high - lost)


_READERS: Mapping[RuleKind, Callable[[AnswerRule, Reply], float | None]] = {
    "number": read_number,
    "json": read_json_field,
    "expected": read_expected,
    "errors": read_errors,
}
