"""Prompts are files: a header that says how the answer is read, and a text with named fields.

    +++
    rule = "number"
    high = 100
    +++
    Rate this translation from 0 to 100.
    Source: {source}
    Translation: {candidate}

The fields are `candidate`, `reference` (the first), `references` (all, one per line) and `source`, and for prompts that
compare two outputs `first` and `second`. A brace that is no field is written twice: `{{`.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from farthing.core.digest import digest
from farthing.core.errors import InputError, UnknownName
from farthing.core.schema import record
from farthing.core.types import Need
from farthing.files.lines import check_file
from farthing.judge.rules import AnswerRule

FENCE = "+++"
FIELDS = ("candidate", "reference", "references", "source", "first", "second")
_SHIPPED = Path(__file__).with_name("prompts")
_SUFFIX = ".md"
_NAME = re.compile(r"[\w.\[\]]+")  # what looks like the name of a field, in contrast to JSON


@dataclass(frozen=True)
class Prompt:
    """What a judge is asked, and how its answer is read.

    :param name: the name of a shipped prompt, or the path of a file
    :param text: the text with its fields
    :param system: what the judge is told before, if anything
    """

    name: str
    text: str
    rule: AnswerRule
    system: str = ""

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields, each once."""
        return tuple(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(self.text) if name is not None))

    @property
    def needs(self) -> frozenset[Need]:
        """What must be given in addition to the candidates."""
        wanted: set[Need] = set()
        if {"reference", "references"} & {*self.fields}:
            wanted.add("reference")
        if "source" in self.fields:
            wanted.add("source")
        return frozenset(wanted)

    @property
    def compares(self) -> bool:
        """Whether the prompt asks which of two outputs is better."""
        return "first" in self.fields

    @property
    def digest(self) -> str:
        """Twelve digits that identify the question; the rule may change without asking again."""
        return digest(self.system, "\n", self.text)

    def filled(self, fields: Mapping[str, str]) -> list[dict[str, str]]:
        """Return the messages for one row."""
        messages = [{"role": "system", "content": self.system}] if self.system else []
        return [*messages, {"role": "user", "content": self.text.format_map(fields)}]


def shipped_prompts() -> list[str]:
    """Return the names of the prompts that come with the package."""
    return sorted(path.stem for path in _SHIPPED.glob(f"*{_SUFFIX}"))


def prompt_path(name: str) -> Path:
    """Return the file of a shipped prompt or of the user's own."""
    shipped = _SHIPPED / f"{name}{_SUFFIX}"
    if shipped.is_file():
        return shipped
    if Path(name).suffix or "/" in name:
        return Path(name)
    raise UnknownName("prompt (a file's name ends in .md)", name, shipped_prompts())


def read_prompt(name: str) -> Prompt:
    """Read a prompt; whatever is wrong with it is said before anybody is asked."""
    path = prompt_path(name)
    check_file(str(path))
    content = path.read_text(encoding="utf-8")
    start, header, text = _parted(content, str(path))
    if start.strip():
        raise InputError(f"text before the first {FENCE}", path=str(path))
    try:
        table: dict[str, object] = tomllib.loads(header)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"broken header: {error}", path=str(path)) from error
    system = table.pop("system", "")
    if "rule" not in table:
        raise InputError(
            "the header has no rule for reading the answer", path=str(path), remedy='such as rule = "number"'
        )
    rule = record(AnswerRule, table, str(path)).checked(str(path))
    prompt = Prompt(name, text.strip(), rule, str(system))
    _check_fields(prompt, str(path))
    return prompt


def _parted(content: str, path: str) -> tuple[str, str, str]:
    parts = content.split(f"{FENCE}\n", 2)
    if len(parts) != 3:
        raise InputError(
            f"a prompt begins with a header between two lines {FENCE}, which has a rule for reading the answer",
            path=path,
            remedy=f'such as {FENCE} rule = "number" {FENCE}, on three lines',
        )
    return parts[0], parts[1], parts[2]


def _check_fields(prompt: Prompt, path: str) -> None:
    try:
        fields = prompt.fields
    except ValueError as error:
        raise InputError(f"a brace that is neither a field nor doubled: {error}", path=path) from error
    for name in fields:
        if not _NAME.fullmatch(name):
            raise InputError(
                f"the brace before {name!r} begins no field", path=path, remedy="write it twice: {{ and }}"
            )
        if name not in FIELDS:
            raise UnknownName(f"field of {path}", name, FIELDS)
    if prompt.compares != ("second" in fields) or not {"candidate", "first"} & {*fields}:
        raise InputError(
            "the prompt shows no output to judge", path=path, remedy="write {candidate}, or {first} and {second}"
        )
