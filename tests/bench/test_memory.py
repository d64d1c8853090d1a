"""Peaks of memory, against blocks of a known size."""

from __future__ import annotations

import sys

import pytest

from farthing.bench.memory import device_peak_bytes, forget_device_peak, forget_peak, peak_bytes, resident_bytes

SIZE = 200 << 20


def test_a_block_raises_the_peak_and_leaves_it() -> None:
    if not forget_peak():
        pytest.skip("this system cannot forget a peak")
    before = peak_bytes()
    block = bytearray(SIZE)
    del block
    assert peak_bytes() >= before + 0.95 * SIZE
    assert forget_peak()
    assert peak_bytes() < before + 0.5 * SIZE


def test_what_is_in_use_is_no_more_than_the_peak() -> None:
    now = resident_bytes()
    assert now is None or 0 < now <= peak_bytes()


def test_systems_without_proc_ask_getrusage(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    import resource
    from pathlib import Path

    monkeypatch.setattr("farthing.bench.memory._STATUS", Path("/nowhere/status"))
    monkeypatch.setattr("farthing.bench.memory._CLEAR", Path("/nowhere/clear"))
    scale = 1 if sys.platform == "darwin" else 1024
    assert resident_bytes() is None
    assert not forget_peak()
    assert peak_bytes() == resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


def test_without_torch_there_is_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    forget_device_peak()
    assert device_peak_bytes() is None
