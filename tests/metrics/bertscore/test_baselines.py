"""Baseline files: the published format, and what is wrong with a wrong one."""

from __future__ import annotations

from pathlib import Path

import bert_score
import pytest

from farthing.core.errors import InputError, ModelError
from farthing.metrics.bertscore.baselines import Baseline, find_baseline


def test_published_files_are_found_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    path = find_baseline("roberta-large", "EN")
    assert path.is_relative_to(Path(bert_score.__file__).parent)
    assert Baseline.load(path).row(17).tolist() == pytest.approx([0.83150584, 0.8314941, 0.83122575])


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    baseline = Baseline({0: (0.1, 0.2, 0.3), 1: (0.25, 0.5, 0.75)})
    baseline.save(tmp_path / "b.tsv")
    assert Baseline.load(tmp_path / "b.tsv") == baseline


def test_a_missing_baseline_says_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    with pytest.raises(ModelError, match="farthing models baseline my-model"):
        find_baseline("my-model", "en")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "b.tsv:1: the first line is not LAYER,P,R,F"),
        ("LAYER\tP\tR\tF\n", "b.tsv:1: the first line is not LAYER,P,R,F"),
        ("LAYER,P,R,F\n0,1,2\n", "b.tsv:2: not a layer and three numbers"),
        ("LAYER,P,R,F\n0,.1,.1,1.0\n", "a baseline must be below 1"),
        ("LAYER,P,R,F\n0,.1,nan,.1\n", "a baseline must be below 1"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "b.tsv").write_text(content)
    with pytest.raises(InputError, match=said):
        Baseline.load(tmp_path / "b.tsv")
