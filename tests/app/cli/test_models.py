"""`farthing models` as a user types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


def test_list_and_info(farthing: Command, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path / "none"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "none"))
    assert "small" in farthing("models", "list").stdout  # it comes with the package
    monkeypatch.setenv("FARTHING_MODELS", str(Path(model).parent))
    assert Path(model).name in farthing("models", "list").stdout
    facts = json.loads(farthing("models", "info", Path(model).name, "--format", "json").stdout)
    assert (facts["layers"], facts["dimension"], facts["backend"]) == (3, 32, "torch")


def test_info_tells_the_truth_of_the_students(farthing: Command) -> None:
    text = farthing("models", "info", "small").stdout
    rows = dict(line.split(maxsplit=1) for line in text.splitlines() if not line.startswith("encoder"))
    assert rows["kind"].startswith("match (")
    assert (rows["layers"], rows["layer"], rows["dimension"]) == ("8", "1", "384")
    assert "languages" in rows
    assert "None" not in text
    facts = json.loads(farthing("models", "info", "nano", "--format", "json").stdout)
    assert (facts["layers"], facts["precision"]) == (0, "int8")


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
    for groups in ("xx-en", "x*-en"):
        only = farthing("models", "tune-layer", model, human, "--groups", groups).stdout
        assert "layer 1 is best" in only
        assert "yy-en" not in only
    both = farthing("models", "tune-layer", model, human, "--also", model, "--format", "csv").stdout
    named = done.stdout.strip().replace("layer,", f"layer of {Path(model).name},", 1)
    assert both.strip().split("\n\n") == [named] * 2
    assert "unknown group 'zz-*'" in farthing("models", "tune-layer", model, human, "--groups", "zz-*", code=2).stderr


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
    assert "already" in again.stderr


def test_export_without_the_check_measures_nothing(
    farthing: Command, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unexpected(*_: object) -> None:
        raise AssertionError("the deviation was measured")

    monkeypatch.setattr("farthing.metrics.bertscore.deviation.deviation", unexpected)
    out = tmp_path / "out"
    assert farthing("models", "export", model, "-o", str(out), "--no-check").stdout == f"wrote {out}"
    with pytest.raises(AssertionError, match="was measured"):
        farthing("models", "export", model, "-o", str(out), "--check", "--overwrite")
    assert (
        "not a list of whole numbers" in farthing("models", "export", model, "-o", "x", "--layers", "a", code=2).stderr
    )


def test_pull_offline_is_one_line(farthing: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_OFFLINE", "1")
    said = farthing("models", "pull", "some/model", code=2).stderr
    assert "offline" in said


def test_a_saved_adapter_is_put_into_its_encoder(
    farthing: Command, tiny_model: Callable[..., Path], tmp_path: Path
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from farthing.encoders.backends.pretrained import load_pretrained
    from farthing.learn.adapters.adapter import Adapter
    from farthing.learn.adapters.store import encoder_facts, save_adapter

    encoder, made = tiny_model("bert"), tmp_path / "made"
    model = load_pretrained(encoder)
    facts = encoder_facts(model)
    save_adapter(Adapter(model, "ia3"), tmp_path / "adapter", facts)
    said = farthing("models", "adapt", str(encoder), str(tmp_path / "adapter"), "-o", str(made)).stdout
    assert "ia3" in said
    assert "merged into the weights" in said
    assert (made / "model.safetensors").is_file()
    other = str(tiny_model("roberta"))
    refused = farthing("models", "adapt", other, str(tmp_path / "adapter"), "-o", str(tmp_path / "no"), code=2).stderr
    assert "was trained for another encoder" in refused
