"""ONNX exports: the same states as torch in fp32, near ones in int8, no torch needed to use them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import ModelError, OutputError, SpecError
from farthing.core.types import Pairs
from farthing.encoders.backends.onnx import OnnxEncoder
from farthing.encoders.engine import Engine
from farthing.encoders.folder.describe import describe
from farthing.encoders.folder.export import export_onnx
from farthing.encoders.load import load_encoder
from farthing.metrics.bertscore.bertscore import BertScore

TEXTS = ["the cat sat on the mat", "rain", "the bank's warning on Tuesday", "", "nobody expected the report " * 6]


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet", "t5"])
def test_fp32_equals_torch_at_every_layer(tiny_model: Callable[..., Path], tmp_path: Path, family: str) -> None:
    folder = tiny_model(family)
    export_onnx(folder, tmp_path / "out", name=family)
    ours, theirs = load_encoder(tmp_path / "out"), load_encoder(folder)
    assert isinstance(ours, OnnxEncoder)
    assert ours.layers == theirs.layers
    expected = dict(Engine(theirs).encode(TEXTS, theirs.layers))
    for text, encoded in Engine(ours, threads=2).encode(TEXTS, ours.layers):
        assert encoded.ids.tolist() == expected[text].ids.tolist()
        for layer in ours.layers:
            scale = np.abs(expected[text].states[layer]).max()
            # the random weights are large, attention is sharp, and rounding grows from layer to layer
            assert np.abs(encoded.states[layer] - expected[text].states[layer]).max() < 5e-5 * scale
    pairs = Pairs.of(TEXTS, TEXTS[::-1])
    scores = [BertScore(model=str(model), layer=2).score(pairs).segments for model in (folder, tmp_path / "out")]
    assert scores[0] == pytest.approx(scores[1], abs=1e-5)


@pytest.mark.parametrize("precision", ["int8", "int8-dynamic"])
def test_int8_is_near(tiny_model: Callable[..., Path], tmp_path: Path, precision: str) -> None:
    folder = tiny_model("bert")
    export_onnx(folder, tmp_path / "out", name="tiny", precision=precision)  # type: ignore[arg-type]
    encoder = load_encoder(tmp_path / "out")
    assert encoder.precision == precision
    expected = dict(Engine(load_encoder(folder)).encode(TEXTS, [2]))
    cosines = [
        (encoded.unit(2) * expected[text].unit(2)).sum(axis=1) for text, encoded in Engine(encoder).encode(TEXTS, [2])
    ]
    # The random weights are large and attention is sharp: rounding can turn the attention of a single token, so
    # the mean and not the worst is near 1 (over four seeds it was .990 to .998). Where sums of 8-bit products
    # saturate, as they do by default on processors without VNNI, it falls to .89: the session must forbid that.
    assert np.concatenate(cosines).mean() > 0.98


def test_int8_does_not_depend_on_batch_mates(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    export_onnx(tiny_model("bert"), tmp_path / "out", name="tiny", precision="int8")
    encoder = load_encoder(tmp_path / "out")
    ids = np.random.default_rng(0).integers(5, 100, (6, 9))
    [together] = encoder.run(ids, None, [3])
    moved = [
        np.abs(encoder.run(row[None], None, [3])[0][0] - states).max()
        for row, states in zip(ids, together, strict=True)
    ]
    # A value on the edge between two of the 256 steps may be rounded the other way by a last bit: once in 36 texts.
    assert sorted(moved)[-2] < 1e-5
    assert max(moved) < 0.1


def test_some_layers_only(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    export_onnx(tiny_model("bert"), tmp_path / "out", name="tiny", layers=[2])
    assert load_encoder(tmp_path / "out").layers == (2,)
    assert json.loads((tmp_path / "out" / "farthing.json").read_text())["layers"] == [2]
    with pytest.raises(SpecError, match=r"has no layer 3 \(there are: 2\)"):
        BertScore(model=str(tmp_path / "out"), layer=3)
    with pytest.raises(ModelError, match="has no layer 7"):
        export_onnx(tiny_model("bert"), tmp_path / "other", name="tiny", layers=[7])
    assert not (tmp_path / "other").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}  # nothing half-written


def test_an_existing_folder_is_not_touched(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="already"):
        export_onnx(tiny_model("bert"), tmp_path, name="tiny")


def test_an_export_needs_no_torch(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    export_onnx(tiny_model("bert"), tmp_path / "out", name="tiny")
    code = (
        "import sys, farthing; "
        f"farthing.score(['rain'], ['the rain'], metric='bertscore(model={tmp_path / 'out'}, layer=2)'); "
        "print([name for name in ('torch', 'transformers', 'onnx', 'matplotlib', 'ot') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_broken_graphs_are_one_sentence(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    export_onnx(tiny_model("bert"), tmp_path / "out", name="tiny")
    (tmp_path / "out" / "model.onnx").write_bytes(b"nonsense")
    with pytest.raises(ModelError, match=r"model.onnx cannot be loaded") as caught:
        load_encoder(tmp_path / "out")
    assert "\n" not in str(caught.value)


def test_facts_without_loading(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    from transformers import AutoModel

    folder = tiny_model("bert")
    facts = describe(folder)
    assert facts.parameters == sum(parameter.numel() for parameter in AutoModel.from_pretrained(folder).parameters())
    assert (facts.backend, facts.layers, facts.dimension, facts.longest) == ("torch", 3, 32, 48)
    export_onnx(folder, tmp_path / "out", name="tiny", precision="int8")
    assert (describe(tmp_path / "out").backend, describe(tmp_path / "out").precision) == ("onnx", "int8")
