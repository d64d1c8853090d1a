"""A metric's options, read from its constructor: one description for checks, help, forms and docs.

A metric declares its options in one of two ways. As keyword arguments of its constructor:

    class Mine(Metric):
        def __init__(self, *, beta: Annotated[int, "weight of recall"] = 2) -> None: ...

Or, if it shares options with other metrics, as the fields of a dataclass, which are inherited:

    @dataclass(kw_only=True, eq=False)
    class Shared(Metric):
        model: Annotated[str | None, "name or folder of an encoder"] = None

    @dataclass(kw_only=True, eq=False)
    class Mine(Shared):
        beta: Annotated[int, "weight of recall"] = 2

        def __post_init__(self) -> None: ...

Either way `Mine(model="x", beta=3)` and the spec `mine(model=x, beta=3)` are the same metric. A dataclass changes the
default of an inherited option by declaring it again; a field with `init=False` is no option.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import EllipsisType
from typing import Annotated, Literal, TypeAlias, Union, get_args, get_origin

from farthing.core.errors import SpecError, UnknownName
from farthing.core.specs import Value, format_value

Hint: TypeAlias = object  #: a type as an annotation gives it, such as `int` or `Literal["a", "b"]`
_ANYTHING: tuple[Hint, ...] = (object, typing.Any)


@dataclass(frozen=True, slots=True)
class Option:
    """One keyword argument: its type, its default (`...` if it must be given) and what it does."""

    name: str
    type: Hint
    default: Value | EllipsisType
    help: str

    @property
    def type_name(self) -> str:
        """The type in words that fit a help text."""
        return _type_name(self.type)


def options_of(factory: Callable[..., object]) -> dict[str, Option]:
    """Return the options of a metric class by name: its own first, then those it inherits."""
    hints = _hints(factory)
    options = {}
    for parameter in inspect.signature(factory).parameters.values():
        hint, text = hints.get(parameter.name, object), ""
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            text = next((note for note in notes if isinstance(note, str)), "")
        default = ... if parameter.default is parameter.empty else parameter.default
        options[parameter.name] = Option(parameter.name, hint, default, text)
    places = _places(factory)
    return dict(sorted(options.items(), key=lambda item: places.get(item[0], 0)))


def _hints(factory: Callable[..., object]) -> dict[str, Hint]:
    """Resolve the annotations of the parameters; those of inherited fields in the modules that declare them."""
    plain_class = inspect.isclass(factory) and not _has_fields(factory)
    owner = factory.__init__ if plain_class else factory
    return typing.get_type_hints(owner, include_extras=True)


def _has_fields(factory: type) -> bool:
    """True if the constructor was made from the fields of a dataclass."""
    owner = next(one for one in factory.__mro__ if "__init__" in vars(one))
    made = vars(owner).get("__dataclass_params__")
    return made is not None and made.init


def _places(factory: Callable[..., object]) -> dict[str, int]:
    """Where each field of a dataclass stands: the class's own fields come before those of its bases."""
    if not inspect.isclass(factory) or not _has_fields(factory):
        return {}
    names = (name for owner in factory.__mro__ for name in inspect.get_annotations(owner))
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def checked_options(name: str, options: Mapping[str, Value], known: Mapping[str, Option]) -> dict[str, Value]:
    """Return the options as the constructor wants them, or raise a sentence that says what is wrong."""
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


def _fits(value: Value, hint: Hint) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _ANYTHING:
        return True
    if origin is Literal:
        return value in arguments
    if origin in (Union, types.UnionType):
        return any(_fits(value, argument) for argument in arguments)
    if origin in (list, typing.Sequence) or hint is list:
        return isinstance(value, list) and all(_fits(item, arguments[0] if arguments else object) for item in value)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is None or hint is type(None):
        return value is None
    return isinstance(value, hint) if isinstance(hint, type) else True


def _type_name(hint: Hint) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(map(str, arguments))
    if origin in (Union, types.UnionType):
        return " | ".join(_type_name(argument) for argument in arguments)
    if origin is list:
        return f"list of {_type_name(arguments[0])}"
    if hint in _ANYTHING:
        return "value"
    words: dict[Hint, str] = {int: "integer", float: "number", bool: "true | false", str: "text", type(None): "none"}
    return words.get(hint, getattr(hint, "__name__", str(hint)))
