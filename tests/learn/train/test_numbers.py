"""Which numbers training computes with."""

from __future__ import annotations

import pytest

from farthing.learn.train.numbers import has_bfloat16


@pytest.mark.parametrize("units", ["_is_amx_tile_supported", "_is_avx512_bf16_supported"])
def test_a_processor_whose_units_end_a_process_has_no_bfloat16(monkeypatch: pytest.MonkeyPatch, units: str) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    for one in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"):
        monkeypatch.setattr(f"torch.cpu.{one}", lambda there=one == units: there)
    for trial, works in (("import os; os.abort()", False), ("", True)):
        monkeypatch.setattr("farthing.learn.train.numbers.TRIAL", trial)
        assert has_bfloat16.__wrapped__() is works


def test_a_processor_without_units_for_it_has_no_bfloat16(monkeypatch: pytest.MonkeyPatch) -> None:
    for one in ("cuda.is_available", "cpu._is_amx_tile_supported", "cpu._is_avx512_bf16_supported"):
        monkeypatch.setattr(f"torch.{one}", lambda: False)
    assert has_bfloat16.__wrapped__() is False
