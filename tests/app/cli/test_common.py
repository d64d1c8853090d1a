"""What commands share: a group of options for texts, and choices that are refused with a sentence."""

from __future__ import annotations

import pytest

from farthing.app.cli.common import TextOptions, check_choice
from farthing.app.cli.typed import run
from farthing.core.errors import UnknownName
from farthing.files.inputs import Inputs


def test_the_options_of_texts_are_those_of_inputs() -> None:
    """The fields of the group are the parameters of `Inputs.named`, so that a command passes them on as they are."""
    import inspect
    from dataclasses import fields

    assert [field.name for field in fields(TextOptions)] == list(inspect.signature(Inputs.named).parameters)


def test_texts_by_flags() -> None:
    def show(texts: TextOptions) -> str:
        """Show the texts."""
        return f"{texts.systems} {texts.references} {texts.source_file} {texts.names}"

    given = ["a.txt", "b.txt", "-r", "x", "-r", "y", "-s", "z", "--names", "A,B"]
    assert run(show, given, "show") == "['a.txt', 'b.txt'] ['x', 'y'] z A,B"


def test_a_wrong_choice_names_the_nearest() -> None:
    check_choice("format", "csv", ["csv", "json"])
    with pytest.raises(UnknownName, match="unknown format 'jsn'; did you mean 'json'"):
        check_choice("format", "jsn", ["csv", "json"])
