"""Which numbers training computes with."""

from __future__ import annotations

import pytest

from farthing.learn.train.numbers import has_bfloat16


def test_a_processor_whose_matrix_units_end_a_process_has_no_bfloat16(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.cpu._is_amx_tile_supported", lambda: True)
    monkeypatch.setattr("torch.ops.mkldnn._is_mkldnn_bf16_supported", lambda: True)
    for trial, works in (("import os; os.abort()", False), ("", True)):
        monkeypatch.setattr("farthing.learn.train.numbers.TRIAL", trial)
        assert has_bfloat16.__wrapped__() is works
