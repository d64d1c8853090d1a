"""Commands from typed functions: each kind of parameter, and mistakes as one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from farthing.app.cli.typed import Argument, Commands, Option, documented, run
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


def test_texts_of_a_joined_option_add_up() -> None:
    def scored(metrics: Annotated[str, Option("-m", joined=True)] = "chrf") -> str:
        return metrics

    assert run(scored, [], "x") == "chrf"
    assert run(scored, ["-m", "bleu", "-m", "ter,chrf"], "x") == "bleu,ter,chrf"
    assert run(scored, ["-m", "chrf"], "x") == "chrf"


def test_flags_of_other_programs_and_files_for_columns_get_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("a\n")

    def judge(
        systems: Annotated[list[str], Argument(also=("--hyp",))],
        references: Annotated[str | None, Option("-r", "--ref", also=("--refs",))] = None,
        candidate: Annotated[str | None, Option("--candidate", file_flag="")] = None,
        reference: Annotated[str | None, Option("--reference", file_flag="-r")] = None,
    ) -> str:
        return f"{references} {reference}"

    assert run(judge, ["a", "-r", "ref.txt", "--reference", "column"], "x") == "ref.txt column"
    with pytest.raises(UsageError, match=r"x has no --refs; did you mean -r\? \(--reference names a column"):
        run(judge, ["a", "--refs=ref.txt"], "x")
    with pytest.raises(UsageError, match=r"x has no --hyp: give the file by its place"):
        run(judge, ["--hyp", "a"], "x")
    with pytest.raises(UsageError, match=r"--reference names a column.*did you mean -r ref.txt\?"):
        run(judge, ["a", "--reference", "ref.txt"], "x")
    with pytest.raises(UsageError, match=r"--candidate names a column.*give a file without a flag"):
        run(judge, ["a", "--candidate", "ref.txt"], "x")


def test_the_docstring_gives_summary_text_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    def greet(loud: bool = False) -> None:
        """Greet everybody.

        Nobody is left out.
        Examples:
          x greet
          x greet --loud
        """

    told = documented(greet)
    assert told == ("Greet everybody.", "Nobody is left out.", ("x greet", "x greet --loud"))
    with pytest.raises(SystemExit):
        run(greet, ["--help"], "x greet")
    assert capsys.readouterr().out.endswith("examples:\n  x greet\n  x greet --loud\n")
