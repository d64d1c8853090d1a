"""What students share that compare texts as wholes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.students.layout import USUAL, StudentFolder
from farthing.students.student import PairOptions
from farthing.students.whole import WholeStudent, best_of_references, long_notes


class Guess(WholeStudent):
    called, refused = "a guess", ("limit",)


@pytest.fixture
def guess(exported_folder: Path) -> Guess:
    return Guess(exported_folder, USUAL)


def test_messages_say_what_it_is(guess: Guess) -> None:
    name = guess.folder.name
    with pytest.raises(UsageError, match=f"{name} is a guess and has no alignment"):
        guess.align("a", "b")
    with pytest.raises(UsageError, match=f"{name} is a guess and marks no words"):
        guess.explain(Pairs(["a"], [["b"]]))
    with pytest.raises(UsageError, match=f"limit=9 is not for {name}, which is a guess"):
        Guess(guess.folder, PairOptions(limit=9))


def test_the_folder_is_taken_open_or_by_its_path(guess: Guess, exported_folder: Path) -> None:
    assert guess.digest == StudentFolder.read(exported_folder).digest
    assert Guess(guess.folder, USUAL).version == guess.version


def test_the_best_reference_counts() -> None:
    values = np.random.default_rng(1).normal(size=60)
    owners = [row // 3 for row in range(60)]
    assert best_of_references(20, owners, values).tolist() == values.reshape(20, 3).max(axis=1).tolist()


@pytest.mark.parametrize(("windows", "kind"), [(False, "truncated"), (True, "windows")])
def test_rows_with_long_texts_are_noted(windows: bool, kind: str) -> None:
    assert long_notes("texts", 9, [], windows=windows) == ()
    [note] = long_notes("texts", 9, iter([2, 5]), windows=windows)
    assert (note.kind, note.rows) == (kind, (2, 5))
    assert "9 tokens" in note.message
