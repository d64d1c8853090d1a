"""Measuring for a card: closed forms with a metric that is easy to predict, and the failures that the cards tell."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.encoders.folder.locate import EMBEDDED
from farthing.learn.study import measure as study
from farthing.learn.study.hard_languages import language_failures
from farthing.students.card import ABOVE, read_match_facts
from farthing.students.layout import StudentFolder


class Rule(Metric):
    """Scores a pair by any function of its two texts."""

    about = MetricInfo("rule", "A function of two texts.", "none", (None, None))

    def __init__(self, rule: Callable[[str, str], float]) -> None:
        self.rule = rule

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair."""
        both = zip(pairs.candidates, pairs.references, strict=True)
        segments = np.array([self.rule(candidate, references[0]) for candidate, references in both])
        return Scores(float(segments.mean()), segments, Signature("rule", {}), system=pairs.system)


LENGTH = Rule(lambda candidate, reference: float(len(candidate)))
EQUAL = Rule(lambda candidate, reference: 100.0 * (candidate == reference))


def write(data: Path, name: str, rows: list[dict[str, object]]) -> None:
    with gzip.open(data / f"{name}.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    texts, scores = ("a", "bb", "ccc", "dddd"), (1, 2, 4, 3)
    pairs = [{"candidate": text, "reference": "one two three four five six", "score": float(score)}
             for text, score in zip(texts, scores, strict=True)]  # fmt: skip
    turned = [{**row, "score": -float(row["score"]), "lp": "de-en"} for row in pairs]
    away = {**pairs[0], "lp": "en-de", "score": 99.0}
    write(tmp_path, "wmt16_da_seg", [*({**row, "lp": "cs-en"} for row in pairs), *turned, away])
    write(tmp_path, "stsb_en", [*({**row, "split": "test"} for row in pairs), {**away, "split": "train"}])
    for name, dimension in (("sum_newsroom", "relevance"), ("sum_dialsummeval", "relevance"),
                            ("d2t_sfhot", "informativeness"), ("d2t_sfres", "informativeness")):  # fmt: skip
        write(tmp_path, name, [{**row, "scores": {dimension: -row["score"]}} for row in pairs])
    write(tmp_path, "pawsx", [{**row, "lang": "en", "score": int(row["score"] > 2)} for row in pairs])
    return tmp_path


def test_groups_are_correlated_one_by_one(data: Path) -> None:
    assert study.wmt16(data, LENGTH) == pytest.approx({"cs-en": 0.8, "de-en": -0.8, "mean": 0.0})


def test_tasks_have_their_own_dimensions_and_rows(data: Path) -> None:
    found = study.tasks(data, LENGTH)
    assert found == pytest.approx({**dict.fromkeys(study.TASKS, -0.8), "STS-B": 0.8, "mean": (0.8 - 4 * 0.8) / 5})


def test_summaries_are_judged_by_the_mean_of_all_dimensions(data: Path) -> None:
    assert study.summaries(data, LENGTH) == pytest.approx({"newsroom": 0.8, "dialsummeval": 0.8, "mean": 0.8})


def test_typical_scores_are_mean_and_quartiles(data: Path) -> None:
    assert study.typical(data, LENGTH) == pytest.approx([2.5, 1.75, 3.25])


def test_paraphrases_are_put_in_order(data: Path) -> None:
    assert study.paws(data, LENGTH) == 1.0
    assert study.paws(data, Rule(lambda candidate, reference: 0.0)) == 0.5


def test_a_metric_agrees_with_itself(data: Path) -> None:
    assert study.teacher_agreement(data, LENGTH, LENGTH) == pytest.approx(1)


def test_damage_is_seen_by_a_metric_that_knows_equality_and_by_no_constant(data: Path) -> None:
    kinds = ("drop", "swap", "repeat")  # a replaced word may be the same again
    seen = study.damage(data, EQUAL)
    assert {name: seen[name] for name in kinds} == dict.fromkeys(kinds, 1.0)
    assert seen[ABOVE] == 0
    blind = study.damage(data, Rule(lambda candidate, reference: 100.0))
    assert set(blind.values()) == {0}
    worse = study.damage(data, Rule(lambda candidate, reference: float(candidate != reference)))
    assert worse[ABOVE] >= 3


def test_failures_are_the_worst_of_the_hard_pairs() -> None:
    wanted = {(row[0], row[1]): row[3] for row in study.HARD}
    right = Rule(lambda candidate, reference: 99.0 if wanted[candidate, reference] else 1.0)
    assert len(study.failures(right)) == study.SHOWN
    wrong = Rule(lambda candidate, reference: 90.0 if "Oslo" in candidate else right.rule(candidate, reference))
    [worst] = study.failures(wrong, count=1)
    assert (worst["why"], worst["same"], worst["score"]) == ("another time", False, 90.0)


@pytest.mark.parametrize("size", sorted(path.name for path in EMBEDDED.iterdir()))
def test_the_cards_tell_the_failures(size: str) -> None:
    facts = read_match_facts(StudentFolder.read(EMBEDDED / size))
    find = language_failures if "robustness" in facts else study.failures
    found = find(load_pairs_metric(facts["spec"]))
    told = {one["candidate"]: one["score"] for one in facts["failures"]}
    assert [one["candidate"] for one in found] == list(told)
    for one in found:  # the card has whole numbers, and other processors round 8-bit products differently
        assert one["score"] == pytest.approx(told[one["candidate"]], abs=1)


def test_only_what_is_asked_is_measured(data: Path) -> None:
    assert study.measure_quality(data, LENGTH, {}, ["paws"]) == {"paws": 1.0}
    assert study.measure_quality(data, LENGTH, {"itself": LENGTH}, ["agreement"]) == {
        "agreement": {"itself": pytest.approx(1)}
    }
    whole = study.measure_quality(data, LENGTH, {})
    assert set(whole) == {"wmt16", "typical", "tasks", "summaries", "paws", "damage", "agreement"}


def test_rows_that_are_not_there_are_named(data: Path) -> None:
    with pytest.raises(InputError, match=r"pawsx\.jsonl\.gz: there is no row"):
        study.HumanSet.read(data, "pawsx", lang="fr")
