r"""The spec grammar: how a metric and its options are written, everywhere.

    specs  := spec ("," spec)*
    spec   := name [ "(" [ option ("," option)* ] ")" ]
    option := name "=" value
    value  := "text" | 'text' | number | true | false | none | "[" [value ("," value)*] "]" | bare
    bare   := a run of characters without spaces, commas, quotes, brackets, parentheses and "="

Names consist of letters, digits, "_" and "-"; a metric's name may end in "++". Quoted text may contain the escapes
\", \', \\, \n and \t. The command line, Python and the docs all use this grammar. Metrics may be spelled as elsewhere
(BLEU, chrF++, rougeL, bert_score): :func:`spelled` brings such names to those of this package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from farthing.core.errors import SpecError

Value: TypeAlias = "str | int | float | bool | list[Value] | None"
Item = TypeVar("Item")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_METRIC = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(\+\+)?")
_BARE = re.compile(r"[^\s,()\[\]\"'=]+")
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_FLOAT = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)([eE][+-]?[0-9]+)?\Z")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}
_ESCAPES = {"n": "\n", "t": "\t"}

# What metrics are called elsewhere, in lower case without "_" and "-": their name here, and the options it implies.
# The registry adds the names of its metrics, so that their case, "_" and "-" do not matter either.
SPELLINGS: dict[str, tuple[str, Mapping[str, Value]]] = {
    "sacrebleu": ("bleu", {}),
    "spbleu": ("bleu", {"tokenize": "flores200"}),
    "chrf2": ("chrf", {}),
    "chrf++": ("chrf", {"word_order": 2}),
    "chrf2++": ("chrf", {"word_order": 2}),
    "chrfpp": ("chrf", {"word_order": 2}),
    "chrfplusplus": ("chrf", {"word_order": 2}),
    "rouge1": ("rouge", {"type": "rouge1"}),
    "rouge2": ("rouge", {"type": "rouge2"}),
    "rougel": ("rouge", {"type": "rougeL"}),
    "bertscoref1": ("bertscore", {}),
    "wordmover": ("moverscore", {}),
    "xmover": ("xmoverscore", {}),
    "frugal": ("frugalscore", {}),
    "frechet": ("fid", {}),
}
OWN_NAMES: set[str] = set()  #: names that were registered at run time, which mean what they say


@dataclass(frozen=True)
class Spec:
    """A metric's name and options, as the user wrote them.

    >>> str(parse_spec("bertscore( layer=5, idf=true, model='/my models/x' )"))
    'bertscore(idf=true, layer=5, model="/my models/x")'
    """

    name: str
    options: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.options:
            return self.name
        inside = ", ".join(f"{key}={format_value(value)}" for key, value in sorted(self.options.items()))
        return f"{self.name}({inside})"

    def __hash__(self) -> int:
        return hash(str(self))

    def with_options(self, more: Mapping[str, object]) -> Spec:
        """Return the spec with further options, given as Python values.

        >>> str(parse_spec("chrf(beta=3)").with_options({"word_order": 2}))
        'chrf(beta=3, word_order=2)'
        """
        if twice := [name for name in more if name in self.options]:
            raise SpecError(f"{self.name} sets {twice[0]!r} twice: in the spec {self} and by keyword")
        return Spec(self.name, {**self.options, **{name: _python_value(name, value) for name, value in more.items()}})


def parse_spec(text: str) -> Spec:
    """Read one spec; :func:`parse_specs` reads a list of them."""
    specs = parse_specs(text)
    if len(specs) != 1:
        raise SpecError(f"expected one metric, found {len(specs)} in {text!r}")
    return specs[0]


def parse_specs(text: str) -> list[Spec]:
    """Read specs separated by commas.

    >>> [str(spec) for spec in parse_specs("bleu, chrf(word_order=2)")]
    ['bleu', 'chrf(word_order=2)']
    """
    parser = _Parser(text)
    specs = parser.separated(parser.spec, end="")
    if not specs:
        raise SpecError("a metric is expected, such as: chrf or bleu,chrf(word_order=2)")
    return specs


def spelled(name: str) -> Spec:
    """Return the metric that a name of any usual spelling stands for; an unknown name stands for itself.

    >>> str(spelled("chrF++")), str(spelled("rouge-L")), str(spelled("mine"))
    ('chrf(word_order=2)', 'rouge(type=rougeL)', 'mine')
    """
    if name in OWN_NAMES:
        return Spec(name)
    own, options = SPELLINGS.get(plain_name(name), (name, {}))
    return Spec(own, options)


def plain_name(name: str) -> str:
    """Return a name without what writers of names disagree on: case, "_" and "-"."""
    return name.lower().replace("_", "").replace("-", "")


def format_value(value: Value) -> str:
    """Print a value so that it parses back to itself, unquoted if that is safe.

    >>> format_value(["a b", "x", 2.0, None])
    '["a b", x, 2.0, none]'
    """
    if isinstance(value, list):
        return f"[{', '.join(map(format_value, value))}]"
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if _BARE.fullmatch(value) and _read_bare(value) == value:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _python_value(name: str, value: object) -> Value:
    """Return a Python value as the grammar knows it: tuples as lists, paths as text, numbers of numpy as numbers."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return [_python_value(name, item) for item in value]
    if hasattr(value, "__fspath__"):
        return str(value)
    if callable(plain := getattr(value, "item", None)) and isinstance(number := plain(), str | int | float | bool):
        return number
    raise SpecError(f"{name} is of type {type(value).__name__}: give a number, a text, a bool, None or a list of them")


def _read_bare(word: str) -> str | int | float | bool | None:
    """Read an unquoted word: a number or a constant if it looks like one, text otherwise."""
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    if _INTEGER.match(word):
        return int(word)
    if _FLOAT.match(word) or word in ("inf", "-inf"):
        return float(word)
    return word


class _Parser:
    """A recursive-descent parser of one text."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def fail(self, expected: str) -> SpecError:
        found = repr(self.text[self.at]) if self.at < len(self.text) else "the end"
        return SpecError(f"expected {expected} at position {self.at + 1}, found {found}, in {self.text!r}")

    def peek(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, mark: str) -> None:
        if self.peek() != mark:
            raise self.fail(f"{mark!r}")
        self.at += 1

    def separated(self, read: Callable[[], Item], end: str) -> list[Item]:
        """Items between commas up to `end` ("" is the end of the text), which is taken."""
        items: list[Item] = []
        while self.peek() != end:
            if items:
                self.take(",")
            items.append(read())
        self.at += len(end)
        return items

    def name(self, what: str, pattern: re.Pattern[str] = _NAME) -> str:
        self.peek()
        found = pattern.match(self.text, self.at)
        if not found:
            raise self.fail(what)
        self.at = found.end()
        return found[0]

    def spec(self) -> Spec:
        meant = spelled(self.name("a metric's name", _METRIC))
        name = meant.name
        if self.peek() != "(":
            return meant
        self.at += 1
        options: dict[str, Value] = {}
        for key, value in self.separated(self.option, end=")"):
            if key in options:
                raise SpecError(f"{name} sets {key!r} twice, in {self.text!r}")
            options[key] = value
        return Spec(name, {**meant.options, **options})

    def option(self) -> tuple[str, Value]:
        key = self.name("an option's name")
        self.take("=")
        return key, self.value()

    def value(self) -> Value:
        mark = self.peek()
        if mark == "[":
            self.at += 1
            return self.separated(self.value, end="]")
        if mark in ("'", '"'):
            return self.quoted(mark)
        found = _BARE.match(self.text, self.at)
        if not found:
            raise self.fail("a value")
        self.at = found.end()
        return _read_bare(found[0])

    def quoted(self, quote: str) -> str:
        self.at += 1
        letters: list[str] = []
        while self.at < len(self.text):
            letter = self.text[self.at]
            self.at += 1
            if letter == quote:
                return "".join(letters)
            if letter == "\\" and self.at < len(self.text):
                letter = _ESCAPES.get(self.text[self.at], self.text[self.at])
                self.at += 1
            letters.append(letter)
        raise self.fail(f"a closing {quote}")
