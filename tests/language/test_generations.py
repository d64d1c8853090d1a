"""Generated texts that are kept: found again, apart by model and settings, and a sentence for a broken store."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import OutputError
from farthing.language.generations import Generations


def test_answers_are_found_again_by_model_and_text(tmp_path: Path) -> None:
    store = Generations(tmp_path / "kept.sqlite")
    assert store.find("model", ["a"]) == {}
    store.keep("model", {"a": "ein", "b": ""})
    store.keep("other", {"a": "un"})
    assert Generations(tmp_path / "kept.sqlite").find("model", ["a", "b", "c"]) == {"a": "ein", "b": ""}
    assert store.find("other", ["a", "b"]) == {"a": "un"}


def test_nothing_is_kept_without_a_file() -> None:
    store = Generations(None)
    store.keep("model", {"a": "b"})
    assert store.find("model", ["a"]) == {}


def test_a_broken_store_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    path.write_text("this is no database, but it is long enough to look at")
    with pytest.raises(OutputError, match="the store of generated texts cannot be used"):
        Generations(path).find("model", ["a"])
