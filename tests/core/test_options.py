"""Options: from a constructor's arguments or a dataclass's fields, and what is said about wrong values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import pytest

from farthing.core.errors import SpecError, UnknownName
from farthing.core.options import checked_options, options_of


class Plain:
    """Options as keyword arguments."""

    def __init__(
        self, *, size: Annotated[int, "how big"], mode: Literal["a", "b"] = "a", ratio: float = 1.0
    ) -> None: ...


@dataclass(kw_only=True, eq=False)
class Shared:
    """Options that several classes share."""

    about: ClassVar[str] = "shared"
    model: Annotated[str | None, "name or folder"] = None
    threads: Annotated[int | None, "how many cores"] = None
    engine: str = field(init=False)

    def __post_init__(self) -> None:
        self.engine = f"{self.model}:{self.threads}"


@dataclass(kw_only=True, eq=False)
class Mine(Shared):
    """Adds one option and changes a default."""

    model: Annotated[str, "name or folder"] = "small"
    power: Annotated[float, "an exponent"] = 2.0


class Narrow(Mine):
    """Has a constructor of its own again."""

    def __init__(self, *, model: Annotated[str, "which"] = "narrow") -> None:
        super().__init__(model=model, threads=1)


def test_keyword_arguments_are_options() -> None:
    known = options_of(Plain)
    assert list(known) == ["size", "mode", "ratio"]
    assert (known["size"].help, known["size"].default) == ("how big", ...)
    assert known["mode"].type_name == "a | b"
    assert checked_options("plain", {"size": 1, "ratio": 2}, known) == {"size": 1, "ratio": 2.0}


def test_fields_are_inherited_and_own_ones_come_first() -> None:
    known = options_of(Mine)
    assert list(known) == ["model", "power", "threads"]
    assert (known["model"].default, known["model"].type_name) == ("small", "text")
    assert (known["threads"].help, known["threads"].type_name) == ("how many cores", "integer | none")
    made = Mine(**checked_options("mine", {"threads": 2, "power": 3}, known))  # type: ignore[arg-type]
    assert (made.engine, made.power) == ("small:2", 3.0)


def test_a_constructor_below_a_dataclass_wins() -> None:
    assert [option.help for option in options_of(Narrow).values()] == ["which"]


def test_functions_have_options_too() -> None:
    def build(*, loud: bool = False, anything: Any = None) -> None: ...

    known = options_of(build)
    assert [option.type_name for option in known.values()] == ["true | false", "value"]
    assert checked_options("build", {"anything": [1, "x"]}, known) == {"anything": [1, "x"]}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "plain needs the option size: how big"),
        ({"size": True}, "plain: size=true is not integer"),
        ({"size": 1, "mode": "c"}, "plain: mode=c is not a | b"),
        ({"size": 1, "ratio": False}, "plain: ratio=false is not number"),
    ],
)
def test_wrong_values_are_sentences(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence.replace("|", r"\|")):
        checked_options("plain", options, options_of(Plain))


def test_unknown_options_say_what_is_near() -> None:
    with pytest.raises(UnknownName, match="unknown option of plain 'sise'; did you mean 'size'"):
        checked_options("plain", {"sise": 1}, options_of(Plain))


def test_lists_and_the_word_none() -> None:
    def build(*, layers: list[int] | None = None, smooth: Literal["exp", "none"] = "exp") -> None: ...

    known = options_of(build)
    assert known["layers"].type_name == "list of integer | none"
    assert checked_options("build", {"layers": [1, 2], "smooth": None}, known) == {"layers": [1, 2], "smooth": "none"}
    with pytest.raises(SpecError, match=r"layers=\[1, x\] is not list of integer"):
        checked_options("build", {"layers": [1, "x"]}, known)
