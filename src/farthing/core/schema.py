"""Build typed records from the tables of a TOML or JSON file; a dataclass is the schema.

A field may be an `int`, `float`, `bool` or `str`, a `Literal`, `X | None`, `tuple[X, ...]`, `list[X]`,
`Mapping[str, X]`, another dataclass, or `object` for anything. A field with a default may be left out.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Literal, TypeVar, Union, cast, get_args, get_origin

from farthing.core.errors import InputError, UnknownName

_Record = TypeVar("_Record")
_WORDS = {int: "an integer", float: "a number", bool: "true or false", str: "text", type(None): "nothing"}


def record(shape: type[_Record], content: Mapping[str, object], where: str) -> _Record:
    """Build a dataclass from a table; the error for a wrong, missing or unknown key names it.

    :param where: the file that the table comes from, for messages

    >>> @dataclass
    ... class Plan:
    ...     epochs: int
    ...     rate: float = 0.1
    >>> record(Plan, {"epochs": 2, "rate": 1}, "recipe.toml")
    Plan(epochs=2, rate=1.0)
    """
    return cast(_Record, _Reader(where).record(shape, content, ""))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the values of one file; `place` is the dotted path of a value in it, with lists counted from 1."""

    where: str

    def record(self, shape: type[object], content: object, place: str) -> object:
        """Build a dataclass from a table; a value that is one already is returned unchanged."""
        if isinstance(content, shape):
            return content
        if not isinstance(content, Mapping):
            raise self.wrong(place, content, shape)
        known = {field.name: field for field in fields(shape) if field.init}  # type: ignore[arg-type]
        for key in content:
            if key not in known:
                raise UnknownName(f"key of {self.where}" + (f" in [{place}]" if place else ""), str(key), known)
        for name, field in known.items():
            if name not in content and field.default is MISSING and field.default_factory is MISSING:
                raise InputError(f"the key {_below(place, name)!r} is missing", path=self.where)
        hints = typing.get_type_hints(shape)
        return shape(**{key: self.value(hints[key], value, _below(place, key)) for key, value in content.items()})

    def value(self, hint: object, value: object, place: str) -> object:
        """Return the value with the type of the field: integers as floats, lists as tuples, tables as dataclasses."""
        if isinstance(hint, type) and is_dataclass(hint):
            return self.record(hint, value, place)
        if hint is float and type(value) is int:
            return float(value)
        origin = get_origin(hint)
        if origin in (tuple, list) and isinstance(value, list | tuple):
            items = [self.value(get_args(hint)[0], item, f"{place}[{i}]") for i, item in enumerate(value, start=1)]
            return tuple(items) if origin is tuple else items
        if _is_mapping(hint) and isinstance(value, Mapping):
            kind = (get_args(hint) or (str, object))[1]
            return {str(key): self.value(kind, item, _below(place, str(key))) for key, item in value.items()}
        if origin in (Union, types.UnionType):
            return self.one_of(get_args(hint), value, place)
        if not _is(value, hint):
            raise self.wrong(place, value, hint)
        return value

    def one_of(self, hints: Sequence[object], value: object, place: str) -> object:
        """Return the value with the type of the first alternative that it fits; errors are those of the last one."""
        if value is None and type(None) in hints:
            return None
        rest = [hint for hint in hints if hint is not type(None)]
        for hint in rest[:-1]:
            if _is(value, hint):
                return value
        return self.value(rest[-1], value, place)

    def wrong(self, place: str, value: object, hint: object) -> InputError:
        """Return the error for a value of the wrong type."""
        named = place or "the content"
        return InputError(f"{named} = {value!r} is not {_words(hint)}", path=self.where)


def _below(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _is_mapping(hint: object) -> bool:
    return hint in (dict, Mapping) or get_origin(hint) in (dict, Mapping)


def _is(value: object, hint: object) -> bool:
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return type(value) is int
    return isinstance(hint, type) and isinstance(value, hint)


def _words(hint: object) -> str:
    """Describe a type in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(map(repr, arguments))
    if origin in (Union, types.UnionType):
        return " or ".join(_words(argument) for argument in arguments)
    if origin in (tuple, list):
        return "a list"
    if _is_mapping(hint) or is_dataclass(hint):
        return "a table"
    return _WORDS.get(cast(type, hint), getattr(hint, "__name__", str(hint)))
