"""The public door: every name is there, nothing heavy is imported for it, and it takes what people have."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import farthing


def test_every_public_name_is_there() -> None:
    assert len(farthing.__all__) <= 36
    for name in farthing.__all__:
        assert getattr(farthing, name) is not None
    assert set(dir(farthing)) == set(farthing.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        farthing.nothing  # noqa: B018


def test_the_api_page_names_every_public_name() -> None:
    from pathlib import Path

    page = (Path(__file__).resolve().parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in farthing.__all__ if f"`{name}" not in page] == []


def test_importing_the_door_imports_nothing_heavy() -> None:
    code = "import sys, farthing; print(sorted({'numpy', 'torch', 'pyarrow', 'onnxruntime'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_reference_or_several() -> None:
    one = farthing.score(["a b"], ["a c"], metric="chrf").corpus
    two = farthing.score(["a b"], [["a c", "a b"]], metric="chrf").corpus
    assert one < two == 100


def test_a_set_metric_takes_texts_lists_or_vectors() -> None:
    random = np.random.default_rng(0)
    generated, corpus = random.normal(size=(30, 4)), random.normal(size=(40, 4))
    assert 0 <= farthing.score(generated, corpus, metric="impar").corpus <= 1  # type: ignore[arg-type]
    with pytest.raises(farthing.MissingInput, match="corpus"):
        farthing.score(["a"], metric="impar")


def test_statistics_come_with_the_scores() -> None:
    scores = farthing.score(["the cat", "a dog"], ["the cat", "a dog"], metric="bleu")
    assert scores.statistics is not None
    assert len(scores.statistics) == 2


def test_compare_tests_against_the_baseline() -> None:
    systems = {"good": ["the cat sat", "dogs run"] * 20, "bad": ["x", "y"] * 20}
    found = farthing.compare(systems, ["the cat sat", "dogs run"] * 20, metrics="chrf", baseline="bad", resamples=200)
    assert found.baseline == "bad"
    assert found.rows[0].cells[0].significant
    assert found.rows[1].cells[0].paired is None


def test_read_takes_records() -> None:
    pairs = farthing.read([{"mt": "a", "ref1": "b", "ref2": "c", "src": "d"}], system="mine")
    assert (pairs.candidates, pairs.references, pairs.sources, pairs.system) == (["a"], [("b", "c")], ["d"], "mine")


def test_progress_on_request(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from farthing.report import progress

    monkeypatch.setattr(progress, "LINES_EVERY", 0.0)
    farthing.score(["a cat"], ["the cat"], metric="chrf")
    assert capsys.readouterr() == ("", "")
    farthing.score(["a cat"], ["the cat"], metric="chrf", progress=True)
    assert "scoring 1/1" in capsys.readouterr().err
    farthing.compare({"a": ["a cat"], "b": ["cats"]}, ["the cat"], metrics="chrf", progress=True)
    assert "resampling 2/2" in capsys.readouterr().err
