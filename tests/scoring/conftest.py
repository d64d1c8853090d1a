"""Files of many short texts, and a process that scores them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.metric import Metric
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.scoring.resampling import Resampled

TEXT = "the a one two red green old new cat dog bird house river tree saw found lost sold in on under near today"
WORDS = TEXT.split()


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder with candidates, references and sources of 2,600 lines: three shards of a run."""
    random = np.random.default_rng(3)
    for name in ("a.txt", "b.txt", "ref.txt", "src.txt"):
        lines = [" ".join(random.choice(WORDS, random.integers(2, 7))) for _ in range(2600)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture
def started() -> Callable[..., subprocess.Popen[bytes]]:
    """Start the real command in a folder."""

    def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "from farthing.app.cli.main import main; main()", *arguments]
        return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    return start


class Mean(Metric):
    """A metric whose corpus score is the mean of its segments."""

    about = MetricInfo("mean", "for tests", "none", (0, 1))

    def score_pairs(self, pairs: Pairs) -> Scores:
        raise NotImplementedError


@pytest.fixture
def rows() -> Callable[[np.ndarray], Resampled]:
    """Make segments with these scores ready for resampling; the corpus score is their mean."""
    return lambda values: Resampled(Mean(), Scores(float(values.mean()), values, Signature("mean")))
