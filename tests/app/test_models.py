"""`farthing models` and `farthing align` as a user types them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.app.cli import main
from farthing.core.errors import FarthingError
from farthing.core.types import Pairs
from farthing.metrics.bertscore.bertscore import BertScore

Command = Callable[..., Any]
TEXTS = [
    "the cat sat on the mat",
    "a dog was lying on the carpet",
    "the bank's warning fell on Tuesday",
    "nobody expected rain",
    "please send the report before the meeting",
    "she has studied birds for twenty years",
    "the old bridge survived another winter",
    "shares fell by three percent",
]


@dataclass
class Done:
    stdout: str = ""
    stderr: str = ""


@pytest.fixture
def farthing(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process, since torch takes seconds to start; code=2 expects one sentence."""

    def call(*arguments: str, code: int = 0) -> Done:
        if not code:
            main._run(list(arguments))
            return Done(stdout=capsys.readouterr().out)
        with pytest.raises(FarthingError) as caught:
            main._run(list(arguments))
        assert "\n" not in str(caught.value)
        return Done(stderr=str(caught.value))

    return call


@pytest.fixture
def model(tiny_model: Callable[..., Path]) -> str:
    return str(tiny_model("bert"))


def test_list_and_info(farthing: Command, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path / "none"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "none"))
    assert "small" in farthing("models", "list").stdout  # it comes with the package
    monkeypatch.setenv("FARTHING_MODELS", str(Path(model).parent))
    assert Path(model).name in farthing("models", "list").stdout
    facts = json.loads(farthing("models", "info", Path(model).name, "--format", "json").stdout)
    assert (facts["layers"], facts["dimension"], facts["backend"]) == (3, 32, "torch")


def test_tune_layer_finds_the_layer_and_draws_it(farthing: Command, model: str, tmp_path: Path) -> None:
    """Judgements that layer 1 predicts perfectly and others do not."""
    human = str(tmp_path / "human.jsonl")
    pairs = Pairs.of(TEXTS * 2, [*TEXTS[::-1], *TEXTS[3:], *TEXTS[:3]])
    told = BertScore(model=model, layer=1).score(pairs).segments
    assert told is not None
    rows = [
        {"candidate": c, "reference": r[0], "score": float(s), "lp": "xx-en" if n % 2 else "yy-en"}
        for n, (c, r, s) in enumerate(zip(pairs.candidates, pairs.references, told, strict=True))
    ]
    Path(human).write_text("\n".join(map(json.dumps, rows)))
    done = farthing("models", "tune-layer", model, human, "--plot", str(tmp_path / "layers.svg"), "--format", "csv")
    table = [line.split(",") for line in done.stdout.strip().splitlines()]
    assert table[0] == ["layer", "yy-en", "xx-en", "mean"]
    assert [round(float(value), 6) for value in table[2]] == [1, 1, 1, 1]
    assert float(table[3][-1]) < 1
    assert "<svg" in (tmp_path / "layers.svg").read_text()
    only = farthing("models", "tune-layer", model, human, "--only", "xx-en").stdout
    assert "layer 1 is best" in only
    assert "yy-en" not in only


def test_baseline_is_the_mean_of_random_pairs(farthing: Command, model: str, tmp_path: Path) -> None:
    sentences, out = tmp_path / "sentences.txt", tmp_path / "b.tsv"
    sentences.write_text("\n".join([*TEXTS, "word " * 40]))
    farthing("models", "baseline", model, str(sentences), "-o", str(out), "--pairs", "4")
    lines = [line.split(",") for line in out.read_text().strip().splitlines()]
    assert lines[0] == ["LAYER", "P", "R", "F"]
    assert [int(line[0]) for line in lines[1:]] == [0, 1, 2, 3]
    every = (
        BertScore(model=model, layer=2).score(Pairs.of([a for a in TEXTS for _ in TEXTS], TEXTS * len(TEXTS))).segments
    )
    assert every is not None
    others = every[every < 1 - 1e-6]
    assert others.min() <= float(lines[3][3]) <= others.max()
    rescaled = BertScore(model=model, layer=2, baseline=str(out)).score(Pairs.of(TEXTS[:1], TEXTS[:1]))
    assert rescaled.corpus == pytest.approx(1, abs=1e-5)


def test_a_baseline_is_found_by_language(
    farthing: Command, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    (tmp_path / "s.txt").write_text("\n".join(TEXTS))
    farthing("models", "baseline", model, str(tmp_path / "s.txt"), "--lang", "XX")
    metric = BertScore(model=model, layer=2, baseline=True, lang="xx")
    assert metric.rescaling is not None
    refused = farthing("score", str(tmp_path / "s.txt"), "-r", str(tmp_path / "s.txt"), "-m",
                       f"bertscore(model={model}, layer=2, baseline=true, lang=yy)", code=2)  # fmt: skip
    assert "farthing models baseline" in refused.stderr


def test_idf_counts(farthing: Command, model: str, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("\n".join(TEXTS))
    said = farthing("models", "idf", model, str(tmp_path / "s.txt"), "-o", str(tmp_path / "idf.json")).stdout
    assert "8 documents" in said
    assert json.loads((tmp_path / "idf.json").read_text())["documents"] == 8


def test_export_reports_its_deviation(farthing: Command, model: str, tmp_path: Path) -> None:
    said = farthing("models", "export", model, "-o", str(tmp_path / "out"), "--layers", "1,2").stdout
    rows = [line.split() for line in said.splitlines() if line[:1].isdigit()]
    assert [row[0] for row in rows] == ["1", "2"]
    assert all(float(row[1]) < 1e-5 and float(row[2]) > 0.9999 for row in rows)
    again = farthing("models", "export", model, "-o", str(tmp_path / "out"), code=2)
    assert "exists already" in again.stderr


def test_pull_offline_is_one_line(farthing: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_OFFLINE", "1")
    said = farthing("models", "pull", "some/model", code=2).stderr
    assert "offline" in said


@pytest.mark.parametrize("suffix", ["json", "html", "png", "svg"])
def test_align(farthing: Command, model: str, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"a.{suffix}"
    spec = f"bertscore(model={model}, layer=2)"
    said = farthing("align", "-c", "the <b> cat", "-r", "the cat sat", "-m", spec, "-o", str(out)).stdout
    assert "f1" in said
    content = out.read_bytes()
    if suffix == "json":
        found = json.loads(content)
        similarity = np.array(found["similarity"])
        assert found["precision"] == pytest.approx(similarity.max(axis=1).mean(), abs=1e-5)
        assert found["matches"] == similarity.argmax(axis=1).tolist()
    elif suffix == "html":
        text = content.decode()
        assert "<b>" not in text
        assert "http" not in text  # nothing is fetched
    else:
        assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[suffix])


def test_align_mistakes(farthing: Command, model: str) -> None:
    assert "cannot show which tokens match" in farthing("align", "-c", "a", "-r", "b", "-m", "chrf", code=2).stderr
    wrong = farthing("align", "-c", "a", "-r", "b", "-m", f"bertscore(model={model})", "-o", "x.doc", code=2)
    assert "unknown kind of output" in wrong.stderr


def test_scores_with_a_cache(farthing: Command, model: str, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("\n".join(TEXTS))
    command = [
        "score",
        str(tmp_path / "s.txt"),
        "-r",
        str(tmp_path / "s.txt"),
        "-m",
        f"bertscore(model={model}, layer=2)",
    ]
    plain = farthing(*command).stdout
    for _ in range(2):
        assert farthing(*command, "--cache", str(tmp_path / "cache")).stdout == plain
    assert (tmp_path / "cache" / "encodings.sqlite").exists()
