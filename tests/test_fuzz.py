"""A small version of benchmarks/fuzz.py: random texts and broken files end in scores or sentences."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def test_no_crash_no_nan_no_wrong_order() -> None:
    spec = importlib.util.spec_from_file_location("benchmark_fuzz", BENCHMARKS / "fuzz.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = list(module.fuzz(texts=200, others=60, files=800, seed=7, longest=2000))
    assert [failure for _, _, failures in found for failure in failures] == []
    assert sum(tried for _, tried, _ in found) >= 8 * 200 + 19 * 60 + 800
