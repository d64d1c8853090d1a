"""A few judged sentences, in memory and as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from farthing.bench.data import BenchData
from farthing.bench.exchange import Measured
from farthing.core.types import Pairs


@pytest.fixture
def pairs(made_bench: ModuleType) -> Pairs:
    return Pairs.of(made_bench.CANDIDATES, made_bench.REFERENCES)


@pytest.fixture
def judged_file(made_bench: ModuleType, tmp_path: Path) -> Callable[..., str]:
    """Write the sentences as a table; arguments change single rows, or name the file."""

    def write(name: str = "judged", changes: Mapping[int, Mapping[str, object]] | None = None) -> str:
        return made_bench.write_judged(tmp_path / f"{name}.jsonl", changes)

    return write


@pytest.fixture
def judged(made_bench: ModuleType, tmp_path: Path) -> BenchData:
    return made_bench.made_data(tmp_path)


@pytest.fixture
def measured(made_bench: ModuleType) -> Callable[..., Measured]:
    return made_bench.made_answer
