"""Which segments are aligned, and that the alignments are those of the metric."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import farthing
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.files.run import read_run
from farthing.scoring.alignments import differing_rows
from farthing.scoring.score import choose, score

REFERENCES = [["The cat sat.", "A cat was sitting."], ["Dogs run fast."], ["It rains."], ["She sings."]]
ONE = Pairs(["The cat sat.", "A dog runs.", "It rains.", "x"], REFERENCES, system="one")
TWO = Pairs(["A cat was sitting here.", "", "It rains.", "She sings."], REFERENCES, system="two")
SPEC = "frugalscore(size=tiny)"


@given(some.lists(some.tuples(some.floats(-9, 9), some.floats(-9, 9)), min_size=1), some.integers(1, 9))
def test_the_rows_that_differ_most(pairs: list[tuple[float, float]], count: int) -> None:
    table = np.array(pairs).T
    found = differing_rows(list(table), count)
    distance = np.abs(table[0] - table[1])
    assert len(found) == min(count, len(pairs))
    assert found.tolist() == sorted(set(found.tolist()))
    rest = np.delete(distance, found)
    assert not rest.size or distance[found].min() >= rest.max()


def test_of_one_system_the_worst_rows() -> None:
    scores = np.array([3.0, 1.0, np.nan, 2.0])
    assert differing_rows([scores], 2).tolist() == [1, 3]
    assert differing_rows([scores], 2, higher_is_better=False).tolist() == [0, 3]


def test_a_run_stores_the_alignments_of_the_metric(tmp_path: Path) -> None:
    score(choose(f"{SPEC},chrf"), Given([ONE, TWO]), run=tmp_path / "run", align=3)
    run = read_run(tmp_path / "run")
    scores = [run.scores(SPEC, name).segments for name in run.systems]
    rows = differing_rows(scores, 3).tolist()  # type: ignore[arg-type]
    metric = farthing.load(SPEC)
    for pairs in (ONE, TWO):
        kept = run.alignments("frugalscore", pairs.system)
        assert [one.row - 1 for one in kept] == [row for row in rows if pairs.candidates[row]]  # no token, no alignment
        for one in kept:
            row = one.row - 1
            assert one.counted == metric.explain(pairs.candidates[row], REFERENCES[row]).counted
            expected = metric.align(pairs.candidates[row], REFERENCES[row][one.counted or 0])
            assert one.alignment.candidate_tokens == expected.candidate_tokens
            np.testing.assert_allclose(one.alignment.similarity, expected.similarity, atol=0.0006)
            np.testing.assert_array_equal(one.alignment.matches, expected.matches)
    assert run.alignments("chrf", "one") == []
    with pytest.raises(farthing.FarthingError, match="three"):
        run.alignments("chrf", "three")


def test_alignments_are_removed_with_the_run(tmp_path: Path) -> None:
    score(choose(SPEC), Given([ONE, TWO]), run=tmp_path / "run", align=1)
    score(choose("chrf"), Given([ONE, TWO]), run=tmp_path / "run", overwrite=True)
    assert not (tmp_path / "run" / "alignments.parquet").exists()
