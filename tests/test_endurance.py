"""A small version of benchmarks/endurance.py: whatever happens to a run, it ends with the same bytes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", BENCHMARKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.platform != "linux", reason="limits of files and signals are those of Linux")
def test_a_run_survives_kills_full_disks_and_damage(capsys: pytest.CaptureFixture[str]) -> None:
    found = benchmark("endurance").endure(pairs=3000, kill=2, attempts=1, seed=1)
    assert all(found), capsys.readouterr().out
    assert len(found) == 22
