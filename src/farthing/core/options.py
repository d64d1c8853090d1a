"""A metric's options, read from its constructor: one description for checks, help, forms and docs."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from farthing.core.errors import SpecError, UnknownName
from farthing.core.specs import Value, format_value


@dataclass(frozen=True, slots=True)
class Option:
    """One keyword argument: its type, its default (`...` where there is none) and what it does."""

    name: str
    type: Any
    default: Any
    help: str

    @property
    def type_name(self) -> str:
        """The type in words that fit a help text."""
        return _type_name(self.type)


def options_of(factory: Callable[..., Any]) -> dict[str, Option]:
    """The options of a metric class.

    An option is a keyword argument such as `beta: Annotated[int, "weight of recall"] = 2`.
    """
    hints = typing.get_type_hints(factory.__init__ if inspect.isclass(factory) else factory, include_extras=True)
    found = {}
    for parameter in inspect.signature(factory).parameters.values():
        hint, text = hints.get(parameter.name, Any), ""
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            text = next((note for note in notes if isinstance(note, str)), "")
        default = ... if parameter.default is parameter.empty else parameter.default
        found[parameter.name] = Option(parameter.name, hint, default, text)
    return found


def checked_options(name: str, options: Mapping[str, Value], known: Mapping[str, Option]) -> dict[str, Value]:
    """The options as the constructor wants them, or a sentence that says what is wrong."""
    for key in options:
        if key not in known:
            raise UnknownName(f"option of {name}", key, known)
    for option in known.values():
        if option.default is ... and option.name not in options:
            raise SpecError(f"{name} needs the option {option.name}: {option.help or option.type_name}")
    return {key: _checked(name, known[key], value) for key, value in options.items()}


def _checked(metric: str, option: Option, value: Value) -> Value:
    if option.type is float and type(value) is int:
        return float(value)
    if value is None and get_origin(option.type) is Literal and "none" in get_args(option.type):
        return "none"  # the word is a choice here, not the constant of the grammar
    if not _fits(value, option.type):
        raise SpecError(f"{metric}: {option.name}={format_value(value)} is not {option.type_name}")
    return value


def _fits(value: Any, hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Literal:
        return value in arguments
    if origin in (Union, types.UnionType):
        return any(_fits(value, argument) for argument in arguments)
    if origin in (list, typing.Sequence) or hint is list:
        return isinstance(value, list) and all(_fits(item, arguments[0] if arguments else Any) for item in value)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is None or hint is type(None):
        return value is None
    return isinstance(value, hint) if isinstance(hint, type) else True


def _type_name(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(map(str, arguments))
    if origin in (Union, types.UnionType):
        return " | ".join(_type_name(argument) for argument in arguments)
    if origin is list:
        return f"list of {_type_name(arguments[0])}"
    words = {int: "integer", float: "number", bool: "true | false", str: "text", type(None): "none", Any: "value"}
    return words.get(hint, getattr(hint, "__name__", str(hint)))
