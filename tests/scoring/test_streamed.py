"""Sums instead of rows: the same corpus scores, parts and notes, and intervals like those of the usual bootstrap."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.inputs import Given, Inputs
from farthing.scoring.engine import Gathered, Keeping, score_stretch
from farthing.scoring.score import choose, score

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "green", "far"]


def pairs(count: int, system: str = "a", seed: int = 0) -> Pairs:
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, random.integers(0, 7))) for _ in range(2 * count)]
    return Pairs.of(texts[:count], texts[count:], system=system)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "rouge", "frugalscore(size=nano)"])
@pytest.mark.parametrize("statistics", [True, False])
def test_streamed_scores_are_those_of_all_rows(spec: str, statistics: bool) -> None:
    metric = load_pairs_metric(spec)
    stretches = [score_stretch([metric], systems)[0][0] for systems in Given([pairs(90)]).stretches(20)]
    all_rows, streamed = Gathered(metric, Keeping()), Gathered(metric, Keeping(statistics, most=50))
    for one in stretches:
        all_rows.add(one)
        streamed.add(one)
    expected, found = all_rows.scores(), streamed.scores()
    assert found.segments is None
    assert found.corpus == pytest.approx(expected.corpus, abs=1e-9)
    assert str(found.signature) == str(expected.signature)
    assert found.system == "a"
    assert found.parts == pytest.approx({name: np.mean(part) for name, part in expected.parts.items()})
    assert [(note.kind, note.message, note.rows) for note in found.notes] == [
        (note.kind, note.message, note.rows) for note in expected.notes
    ]


def test_few_rows_are_kept() -> None:
    found = score(choose("chrf"), Given([pairs(40)]), most_rows=40)
    assert found.rows[0].cells[0].scores.segments is not None
    found = score(choose("chrf"), Given([pairs(41)]), most_rows=40)
    assert found.rows[0].cells[0].scores.segments is None


@pytest.mark.parametrize("spec", ["bleu", "frugalscore(size=nano)"])
def test_intervals_in_one_pass_are_like_those_of_the_usual_bootstrap(spec: str) -> None:
    systems = [pairs(1500), pairs(1500, "b", 1)]
    usual = score(choose(spec), Given(systems), intervals=True)
    one_pass = score(choose(spec), Given(systems), intervals=True, most_rows=1000)
    for row, other in zip(usual.rows, one_pass.rows, strict=True):
        left, right = row.cells[0].interval, other.cells[0].interval
        assert left is not None
        assert right is not None
        width = left.high - left.low
        assert (right.low, right.high) == pytest.approx((left.low, left.high), abs=0.15 * width)
    assert "drawn in one pass" in str(one_pass)
    assert "drawn in one pass" not in str(usual)


def test_tests_documents_and_columns_keep_all_rows(tmp_path: Path) -> None:
    systems = [pairs(60), pairs(60, "b", 1)]
    tested = score(choose("chrf"), Given(systems), test="bootstrap", most_rows=10)
    assert tested.rows[0].cells[0].scores.segments is not None
    columns = score(choose("rouge"), Given(systems), intervals=True, most_rows=10)
    assert all(part.interval is not None for part in columns.rows[0].cells[0].columns)
    for name, line in (("hyp", "the cat"), ("ref", "a cat")):
        (tmp_path / f"{name}.txt").write_text(f"{line}\n" * 30)
    (tmp_path / "documents.txt").write_text("".join(f"{number // 10}\n" for number in range(30)))
    names = [str(tmp_path / name) for name in ("hyp.txt", "ref.txt", "documents.txt")]
    inputs = Inputs([names[0]], [names[1]], documents=names[2])
    found = score(choose("chrf"), inputs, intervals=True, most_rows=10)
    assert found.findings is not None
    assert found.rows[0].cells[0].scores.segments is not None
    plain = score(choose("rouge"), Given(systems), most_rows=10)
    assert plain.rows[0].cells[0].scores.segments is None
    assert "rouge" in str(plain)
