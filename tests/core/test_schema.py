from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import pytest

from farthing.core.errors import InputError, UnknownName, UsageError
from farthing.core.schema import record


@dataclass(frozen=True)
class Plan:
    epochs: int = 1
    rate: float = 0.5

    def __post_init__(self) -> None:
        if self.epochs < 0:
            raise UsageError("epochs must not be negative")


@dataclass(frozen=True)
class Part:
    file: str
    only: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    kind: Literal["match", "static"]
    parts: tuple[Part, ...] = ()
    plan: Plan = field(default_factory=Plan)
    more: Plan | None = None
    limit: int | None = None
    column: int | str = 0
    names: list[str] = field(default_factory=list)
    skip: bool = False
    about: Mapping[str, object] = field(default_factory=dict)


def test_a_full_table_becomes_the_dataclasses_it_describes() -> None:
    content = {
        "kind": "static",
        "parts": [{"file": "a"}, {"file": "b", "only": {"lp": "cs-en"}}],
        "plan": {"rate": 2},
        "more": {"epochs": 3},
        "limit": 7,
        "column": "text",
        "names": ["x", "y"],
        "skip": True,
        "about": {"anything": [1, {"deep": None}]},
    }
    assert record(Recipe, content, "r.toml") == Recipe(
        kind="static",
        parts=(Part("a"), Part("b", {"lp": "cs-en"})),
        plan=Plan(rate=2.0),
        more=Plan(epochs=3),
        limit=7,
        column="text",
        names=["x", "y"],
        skip=True,
        about={"anything": [1, {"deep": None}]},
    )


def test_what_is_left_out_has_its_default_and_none_is_kept() -> None:
    assert record(Recipe, {"kind": "match"}, "r.toml") == Recipe("match")
    assert record(Recipe, {"kind": "match", "more": None, "limit": None}, "r.toml") == Recipe("match")


def test_an_integer_is_a_number_but_not_the_reverse() -> None:
    assert isinstance(record(Plan, {"rate": 1}, "r.toml").rate, float)
    with pytest.raises(InputError, match=r"^r.toml: epochs = 1.0 is not an integer$"):
        record(Plan, {"epochs": 1.0}, "r.toml")
    with pytest.raises(InputError, match="epochs = True is not an integer"):
        record(Plan, {"epochs": True}, "r.toml")
    with pytest.raises(InputError, match="rate = False is not a number"):
        record(Plan, {"rate": False}, "r.toml")


def test_a_record_that_was_built_already_passes() -> None:
    plan = Plan(epochs=4)
    assert record(Recipe, {"kind": "match", "plan": plan}, "r.toml").plan is plan


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "tree"}, "kind = 'tree' is not 'match' or 'static'"),
        ({"parts": {"file": "a"}}, "parts = {'file': 'a'} is not a list"),
        ({"parts": [{"file": 3}]}, r"parts\[1\].file = 3 is not text"),
        ({"parts": [{"file": "a", "only": {"lp": 1}}]}, r"parts\[1\].only.lp = 1 is not text"),
        ({"parts": [{"file": "a"}, {}]}, r"the key 'parts\[2\].file' is missing"),
        ({"plan": {"rate": "fast"}}, "plan.rate = 'fast' is not a number"),
        ({"plan": 3}, "plan = 3 is not a table"),
        ({"more": {"epochs": "x"}}, "more.epochs = 'x' is not an integer"),
        ({"limit": "7"}, "limit = '7' is not an integer"),
        ({"column": 1.5}, "column = 1.5 is not text"),
        ({"skip": 1}, "skip = 1 is not true or false"),
        ({"about": []}, r"about = \[\] is not a table"),
    ],
)
def test_a_wrong_value_is_a_sentence_with_its_file_and_place(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=f"^r.toml: {sentence}$"):
        record(Recipe, {"kind": "match", **change}, "r.toml")


def test_unknown_keys_say_what_is_near() -> None:
    with pytest.raises(UnknownName, match=r"unknown key of r.toml 'parst'; did you mean 'parts'?"):
        record(Recipe, {"kind": "match", "parst": []}, "r.toml")
    with pytest.raises(UnknownName, match=r"unknown key of r.toml in \[plan\] 'epoch'; did you mean 'epochs'?"):
        record(Recipe, {"kind": "match", "plan": {"epoch": 1}}, "r.toml")


def test_a_missing_key_is_named_and_a_records_own_check_is_heard() -> None:
    with pytest.raises(InputError, match=r"r.toml: the key 'kind' is missing"):
        record(Recipe, {}, "r.toml")
    with pytest.raises(UsageError, match="epochs must not be negative"):
        record(Recipe, {"kind": "match", "plan": {"epochs": -1}}, "r.toml")
