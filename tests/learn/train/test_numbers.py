"""Whether bfloat16 is used is a matter of the machine."""

from __future__ import annotations

import pytest
import torch

from farthing.learn.train.numbers import has_bfloat16


def test_a_gpu_always_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(has_bfloat16(), bool)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert has_bfloat16()
