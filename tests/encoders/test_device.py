"""The device of torch: named or found, and a sentence for one that is not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import SpecError
from farthing.encoders.device import available_devices, device_fields, torch_device
from farthing.metrics.bertscore.bertscore import BertScore

torch = pytest.importorskip("torch", reason="torch is not installed")


def test_auto_takes_the_fastest_device(monkeypatch: pytest.MonkeyPatch) -> None:
    for cuda, mps, expected in [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")]:
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=cuda: there)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda there=mps: there)
        assert torch_device("auto") == available_devices()[0] == expected


def test_a_device_that_is_not_there_is_a_sentence() -> None:
    assert torch_device("cpu") == "cpu"
    for name in ("cuda", "cuda:7", "mps", "gpu", ""):
        if name in available_devices():
            continue
        with pytest.raises(SpecError, match=f"device={name}: torch finds no such device"):
            torch_device(name)


def test_only_another_device_than_the_cpu_is_named() -> None:
    assert device_fields("mps") == {"device": "mps"}
    assert device_fields("cuda:0") == {"device": "cuda"}
    assert device_fields("cpu") == {}


def test_metrics_run_where_they_are_told(tiny_model: Callable[..., Path]) -> None:
    model = str(tiny_model("bert"))
    named, found = (BertScore(model=model, layer=2, device=device) for device in ("cpu", "auto"))
    one, two = (metric.score(["the cat"], ["the dog"]) for metric in (named, found))
    if available_devices() == ["cpu"]:
        assert str(one.signature) == str(two.signature)
        with pytest.raises(SpecError, match="device=cuda"):
            BertScore(model=model, layer=2, device="cuda")
    else:
        assert two.signature.fields["device"] == available_devices()[0]
    assert "device" not in one.signature.fields
