"""How far a judge can be trusted."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from farthing.judge.metric import JudgeMetric
from farthing.meta.consistency import measured_consistency, partial_correlation, study_consistency
from farthing.meta.read.human import judgements_of


def test_measures_on_numbers_that_can_be_checked() -> None:
    scores = np.array([[1.0, 2, 3, 4], [1, 2, 3, 6]])
    people, lengths = np.array([1.0, 2, 3, 5]), np.array([3.0, 1, 2, 5])
    found = measured_consistency(scores, people, lengths)
    assert found.correlation == pytest.approx(stats.pearsonr(*scores)[0])
    assert found.deviation == pytest.approx(np.sqrt(2 / 4))
    assert found.equal == 0.75
    assert found.people == pytest.approx(1.0)
    same = measured_consistency(np.ones((2, 4)), None, lengths)
    assert (same.correlation, same.length, same.equal, same.people) == (None, None, 1.0, None)


def test_partial_correlation_is_that_of_the_formula() -> None:
    random = np.random.default_rng(0)
    x, y, z = random.normal(size=(3, 50))
    x, y = x + z, y + z
    xy, xz, yz = (np.corrcoef(a, b)[0, 1] for a, b in ((x, y), (x, z), (y, z)))
    assert partial_correlation(x, y, z) == pytest.approx((xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2)))


def test_a_program_is_asked_several_times(tmp_path: Path) -> None:
    script = tmp_path / "judge.py"
    script.write_text(
        "import json, sys\nfor n, line in enumerate(sys.stdin):\n    q = json.loads(line)\n"
        "    print(json.dumps({'id': q['id'], 'score': len(q['candidate']) + n % 2}), flush=True)\n",
        encoding="utf-8",
    )
    rows = [
        {"candidate": "x" * (n + 1), "reference": "r", "source": f"s{n}", "score": n + 1.0, "system": "a"}
        for n in range(20)
    ]
    judge = JudgeMetric(command=f"'{sys.executable}' '{script}'", verdicts=str(tmp_path / "kept"), concurrency=1)
    try:
        found = study_consistency(judgements_of(list(enumerate(rows, start=1))), judge, times=3, rows=15)
    finally:
        judge.inquiry.asker.close()
    assert (found.rows, found.times) == (15, 3)
    assert found.people is not None
    assert found.people > 0.95
    assert 0 < found.deviation < 1
