"""What makes a metric's scores: its spec, versions, and the content of the weights behind its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import farthing
from farthing.scoring.identity import contents, identity


def test_versions_and_options_are_named() -> None:
    found = identity("chrf(word_order=2)")
    assert found["spec"] == "chrf(word_order=2)"
    assert found["farthing"] == farthing.__version__
    assert "sacrebleu" in found["libraries"]  # type: ignore[operator]
    assert found["assets"] == {}


def test_the_same_name_with_other_weights_is_another_metric(
    tmp_path: Path, tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is found by its name, not by a path."""
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    (tmp_path / "mine").symlink_to(tiny_model("bert", seed=0))
    first = contents("bertscore(model=mine, layer=1)")
    (tmp_path / "mine").unlink()
    (tmp_path / "mine").symlink_to(tiny_model("bert", seed=1))
    second = contents("bertscore(model=mine, layer=1)")
    assert first.keys() == second.keys() == {"mine"}
    assert first != second


def test_a_file_that_an_option_names_counts(tmp_path: Path) -> None:
    words = tmp_path / "stop.txt"
    words.write_text("the\n")
    first = contents(f"moverscore(stop_words={words})")[str(words)]
    words.write_text("a\n")
    assert contents(f"moverscore(stop_words={words})")[str(words)] != first
