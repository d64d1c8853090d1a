"""Commands from typed functions: each kind of parameter, and mistakes as one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from farthing.app.cli.typed import Argument, Commands, Option, run
from farthing.core.errors import UnknownName, UsageError

seen: dict[str, Any] = {}


def every_kind(
    names: Annotated[list[str], Argument(help="Names.")],
    count: Annotated[int, Option("-n", "--count", help="How many, 100 % sure.", min=1, max=9)] = 3,
    ratio: float = 0.5,
    loud: Annotated[bool, Option("--loud")] = False,
    kept: Annotated[bool, Option("--kept")] = True,
    mode: Annotated[Literal["a", "b"], Option("--mode")] = "a",
    extra: Annotated[list[Path] | None, Option("-x")] = None,
    place: Annotated[str | None, Option("--place")] = None,
) -> None:
    """Show every kind of parameter."""
    seen.clear()
    seen.update(locals())


def test_defaults() -> None:
    run(every_kind, ["one", "two"], "x")
    assert seen["names"] == ["one", "two"]
    assert (seen["count"], seen["ratio"], seen["loud"], seen["kept"], seen["mode"]) == (3, 0.5, False, True, "a")
    assert (seen["extra"], seen["place"]) == (None, None)


def test_values() -> None:
    run(
        every_kind,
        [
            "one",
            "-n",
            "4",
            "--ratio",
            "2",
            "--loud",
            "--no-kept",
            "--mode",
            "b",
            "-x",
            "p",
            "-x",
            "q",
            "--place",
            "here",
        ],
        "x",
    )
    assert (seen["count"], seen["ratio"], seen["loud"], seen["kept"], seen["mode"]) == (4, 2.0, True, False, "b")
    assert (seen["extra"], seen["place"]) == ([Path("p"), Path("q")], "here")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "names"),
        (["a", "--count", "0"], "--count 0 must be at least 1"),
        (["a", "-n", "10"], "--count 10 must be at most 9"),
        (["a", "--count", "x"], "invalid int value: 'x'"),
        (["a", "--mode", "c"], "invalid choice: 'c'"),
        (["a", "--lou"], "--lou"),
    ],
)
def test_mistakes(arguments: list[str], expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        run(every_kind, arguments, "x")


def test_help_shows_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(every_kind, ["--help"], "x")
    text = capsys.readouterr().out
    assert "How many, 100 % sure. (default: 3)" in text
    assert "Show every kind" in text


def test_groups(capsys: pytest.CaptureFixture[str]) -> None:
    group = Commands(help="A group.")
    group.command("show")(every_kind)
    run(group, ["show", "a"], "x")
    assert seen["names"] == ["a"]
    run(group, [], "x")
    assert "Show every kind of parameter." in capsys.readouterr().out
    with pytest.raises(UnknownName, match="did you mean 'show'"):
        run(group, ["shw"], "x")


@dataclass(frozen=True)
class Place:
    """Where something is."""

    town: Annotated[str, Argument(help="The town.")]
    street: Annotated[str | None, Option("--street", help="The street.")] = None


def visit(place: Place, loud: bool = False) -> str:
    """Visit a place."""
    return f"{place.town} {place.street} {loud}"


def test_a_dataclass_is_a_group_of_options() -> None:
    assert run(visit, ["Oslo", "--street", "Main", "--loud"], "x") == "Oslo Main True"
    assert run(visit, ["Oslo"], "x") == "Oslo None False"
