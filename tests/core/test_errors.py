"""Every error is one sentence that says what to do."""

from __future__ import annotations

import inspect

import pytest

from farthing.core import errors
from farthing.core.errors import FarthingError, InputError, MissingExtra, UnknownName, UsageError


def test_all_of_them_can_be_caught_at_once() -> None:
    classes = [each for _, each in inspect.getmembers(errors, inspect.isclass) if each.__module__ == errors.__name__]
    assert len(classes) == 10
    assert all(issubclass(each, FarthingError) and each.__doc__ for each in classes)
    assert not issubclass(InputError, UsageError)


def test_an_unknown_name_lists_what_there_is_and_guesses_only_near_ones() -> None:
    assert str(UnknownName("metric", "zzz", ["chrf", "bleu"])) == "unknown metric 'zzz'; (there are: bleu, chrf)"
    assert str(UnknownName("model", "a", [])) == "unknown model 'a'; (there are none)"
    assert "did you mean 'bleu'?" in str(UnknownName("metric", "blue", ["chrf", "bleu"]))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "broken"),
        ({"path": "a.txt"}, "a.txt: broken"),
        ({"path": "a.txt", "line": 3}, "a.txt:3: broken"),
        ({"line": 3}, "row 3: broken"),
        ({"path": "a.txt", "remedy": "mend it"}, "a.txt: broken (mend it)"),
    ],
)
def test_an_input_error_names_its_place(arguments: dict[str, object], sentence: str) -> None:
    assert str(InputError("broken", **arguments)) == sentence  # type: ignore[arg-type]


def test_a_missing_extra_is_a_pip_command() -> None:
    assert str(MissingExtra("rouge", "rouge")) == "rouge needs the extra 'rouge': pip install 'farthing[rouge]'"
