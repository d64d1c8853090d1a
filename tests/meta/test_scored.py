"""Scores of judged outputs: computed by group, kept on disk, or read from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.registry import load
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.read.human import judgements_of
from farthing.meta.scored import score_judgements

TEXTS = {
    ("de-en", "A", 1): ("the cat sat on the mat", "the cat sat on a mat"),
    ("de-en", "A", 2): ("a dog barked at the postman", "the dog barked at a postman"),
    ("de-en", "B", 1): ("cats sit on mats", "the cat sat on a mat"),
    ("de-en", "B", 2): ("dogs bark", "the dog barked at a postman"),
    ("cs-en", "C", 1): ("we went home by train", "we took the train home"),
    ("cs-en", "D", 2): ("it rains today again", "today it is raining again"),
}


def judged(**more: Any) -> Judgements:
    rows = [
        {"lp": lp, "system": system, "segment_id": segment, "candidate": candidate, "reference": reference, **more}
        for (lp, system, segment), (candidate, reference) in TEXTS.items()
    ]
    return judgements_of(enumerate(rows, start=1), "human.jsonl")


@pytest.mark.parametrize("spec", ["bleu", "chrf(word_order=2)", "ter"])
def test_scores_are_the_metrics_own(spec: str, tmp_path: Path) -> None:
    found = score_judgements(judged(), parse_spec(spec), ScoreStore(tmp_path))
    metric = load(spec)
    expected = [metric.score(Pairs.of([c], [r])).segments[0] for c, r in TEXTS.values()]
    assert found.values == pytest.approx(np.array(expected))
    turned = -found.values if spec == "ter" else found.values
    assert found.oriented.tolist() == turned.tolist()


def test_a_system_is_scored_as_a_whole_by_the_metric_itself(tmp_path: Path) -> None:
    data = judged()
    found = score_judgements(data, parse_spec("bleu"), ScoreStore(tmp_path))
    whole = [load("bleu").score(Pairs.of(*_of_system(name))).corpus for name in "AB"]
    assert found.of_systems(data.grids()[0]) == pytest.approx(np.array(whole))


def _of_system(name: str) -> tuple[list[str], list[str]]:
    rows = [texts for (_, system, _), texts in TEXTS.items() if system == name]
    return [candidate for candidate, _ in rows], [reference for _, reference in rows]


def test_a_second_time_nothing_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = score_judgements(judged(), parse_spec("chrf"), ScoreStore(tmp_path))
    monkeypatch.setattr("farthing.meta.kept.load_pairs_metric", lambda spec: pytest.fail("the metric was loaded"))
    again = score_judgements(judged(), parse_spec("chrf"), ScoreStore(tmp_path))
    assert again.values.tolist() == first.values.tolist()
    assert again.signature == first.signature


def test_progress_counts_every_output(tmp_path: Path) -> None:
    for _ in range(2):
        told: list[int] = []
        score_judgements(judged(), parse_spec("chrf"), ScoreStore(tmp_path), told.append)
        assert sum(told) == len(TEXTS)


@pytest.mark.usefixtures("with_every_size")
def test_every_group_is_scored_by_the_student_that_reads_it(tmp_path: Path) -> None:
    texts = {"en-de": "Der Hund bellte den ganzen Tag lang.", "de-en": "The dog barked all day long."}
    rows = [
        {"lp": pair, "system": system, "segment_id": 1, "candidate": text[:size], "reference": text}
        for pair, text in texts.items()
        for system, size in (("A", 12), ("B", 24))
    ]
    judgements = judgements_of(enumerate(rows, start=1), "human.jsonl")
    for _ in range(2):  # computed, then read
        found = score_judgements(judgements, parse_spec("frugalscore"), ScoreStore(tmp_path))
        lines = found.signature.splitlines()
        assert sorted(line.split("|")[1] for line in lines) == ["model:multi@1", "model:small@3"]
    for pair, size in (("en-de", "multi"), ("de-en", "small")):
        places = [place for place, row in enumerate(rows) if row["lp"] == pair]
        pairs = Pairs.of([str(rows[place]["candidate"]) for place in places], [texts[pair]] * 2)
        assert found.values[places] == pytest.approx(load(f"frugalscore(size={size})").score(pairs).segments)
