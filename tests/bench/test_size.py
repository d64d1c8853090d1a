"""Sizes: parameters by torch, bytes by the files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from farthing.bench.size import ModelSize, model_size
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import EMBEDDED


def test_an_encoder(tiny_model: Callable[..., Path]) -> None:
    from transformers import AutoModel

    folder = tiny_model("bert")
    parameters = sum(one.numel() for one in AutoModel.from_pretrained(folder).parameters())
    size = model_size(f"bertscore(model={folder}, layer=2)", {})
    assert size == ModelSize(parameters, (folder / "model.safetensors").stat().st_size)


def test_a_metric_without_a_model() -> None:
    assert model_size("chrf", {}) == ModelSize(0, 0)


def test_the_student_that_a_default_stood_for() -> None:
    pairs = Pairs.of(["the cat sat"], ["the cat sat down"])
    fields = {
        name: str(value) for name, value in load_pairs_metric("frugalscore").score(pairs).signature.fields.items()
    }
    small = EMBEDDED / "small"
    disk = sum((small / name).stat().st_size for name in ("encoder.onnx", "head.safetensors"))
    found = model_size("frugalscore", fields)
    assert found.disk == disk
    assert found == model_size("frugalscore(size=small)", {})


def test_what_is_not_on_this_machine() -> None:
    assert model_size("bertscore(model=no/such-model)", {}) == ModelSize(None, None)
