"""Which phases long work reports: each is named, has a total, and reports all of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import farthing
from farthing.core.progress import Progress, watching
from farthing.files.inputs import Given, Inputs
from farthing.meta.question import Question
from farthing.scoring.score import choose, score

ROWS = [f"the cat number {row} sat" for row in range(30)]
REFERENCES = [f"a cat number {row} sat down" for row in range(30)]


class Phases:
    """Sums up what the phases of each title report."""

    def __init__(self) -> None:
        self.totals: dict[str, list[int | None]] = {}
        self.done: dict[str, int] = {}

    @contextmanager
    def __call__(self, title: str, total: int | None = None) -> Iterator[Progress]:
        self.totals.setdefault(title, []).append(total)
        self.done.setdefault(title, 0)

        def advance(count: int) -> None:
            self.done[title] += count

        yield advance

    def assert_whole(self, *titles: str) -> None:
        """All that was announced was done."""
        for title in titles:
            totals = self.totals[title]
            assert None not in totals, title
            assert sum(total or 0 for total in totals) == self.done[title], title


@pytest.mark.parametrize(
    ("spec", "titles"),
    [
        ("frugalscore(size=nano)", ["scoring"]),
        ("frugalscore(size=tiny)", ["scoring", "encoding"]),
        ("chrf", ["scoring", "chrf"]),
        ("ter", ["scoring", "ter"]),
        ("bertscore(model=nano)", ["scoring", "bertscore", "encoding"]),
        ("moverscore(model=nano)", ["scoring", "moverscore", "encoding"]),
    ],
)
def test_metrics_report_what_they_do(spec: str, titles: list[str]) -> None:
    phases = Phases()
    pairs = farthing.Pairs.of(ROWS, REFERENCES)
    with watching(phases):
        found = score(choose(spec), Given([pairs]))
    phases.assert_whole(*titles)
    assert phases.done["scoring"] == 30
    assert phases.done["reading"] >= 30
    silent = score(choose(spec), Given([pairs]))
    assert found.printed("json") == silent.printed("json")


def test_batches_of_a_language_model_report() -> None:
    from farthing.language.batches import run_batches

    phases = Phases()
    with watching(phases):
        run_batches(lambda rows: [float(row) for row in rows], [5] * 20, tokens=15)
    phases.assert_whole("encoding")


def test_reading_scoring_and_resampling_of_files(tmp_path: Path) -> None:
    for name, rows in (("a", ROWS), ("b", ROWS[::-1]), ("c", REFERENCES), ("r", REFERENCES)):
        (tmp_path / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    phases = Phases()
    inputs = Inputs([str(tmp_path / name) for name in "abc"], [str(tmp_path / "r")])
    with watching(phases):
        score(choose("chrf,bleu"), inputs, test="bootstrap")
    phases.assert_whole("scoring", "resampling", "chrf", "bleu")
    assert phases.done["scoring"] == 30
    assert phases.done["resampling"] >= 6


def test_sets_report(tmp_path: Path) -> None:
    phases = Phases()
    with watching(phases):
        farthing.score(ROWS, REFERENCES, metric="impar(model=nano)")
    phases.assert_whole("neighbours")
    assert phases.done["encoding"] > 0


def test_a_study_with_a_test_reports(tmp_path: Path) -> None:
    from farthing.core.specs import parse_specs
    from farthing.meta.gathered import gather_scores
    from farthing.meta.kept import ScoreStore
    from farthing.meta.read.formats import read_judgements
    from farthing.meta.read.human import HumanColumns
    from farthing.meta.study import study

    rows = [
        {"mt": f"{text} {'x ' * (number % 5)}", "ref": other, "score": float(number % 7), "lp": "de-en"}
        for number, (text, other) in enumerate(zip(ROWS, REFERENCES, strict=True))
    ]
    (tmp_path / "judged.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    phases = Phases()
    with watching(phases):
        judged = read_judgements(str(tmp_path / "judged.jsonl"), HumanColumns())
        scored = gather_scores(judged, parse_specs("chrf,bleu,ter"), [], [], ScoreStore(None))
        study(judged, scored, Question("pearson", test="permutation", resamples=20))
    phases.assert_whole("scoring", "comparing", "resampling")
    assert phases.done["scoring"] == 90
    assert phases.done["resampling"] >= 3
