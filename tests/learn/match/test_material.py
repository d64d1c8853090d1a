"""What a recipe's files give to its judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from farthing.core.progress import silent_log
from farthing.learn.data.examples import Examples
from farthing.learn.match.material import (
    Material,
    asked,
    compared_with,
    examples_of,
    fixed_targets,
    gathered,
    judge_of,
)
from farthing.learn.match.panel import Assignment
from farthing.learn.match.recipe import StudentRecipe
from farthing.learn.match.recipe_tables import DrawnPairs, HumanPairs, JudgeRecipe
from farthing.learn.pairs.base import TrainingPair

Writer = Callable[[str, list[dict[str, object]]], Path]


@pytest.fixture
def root(write: Writer, tmp_path: Path) -> Path:
    """Twelve outputs of three systems with sources, references, post-edits and scores; and parallel texts."""
    rows: list[dict[str, object]] = [
        {
            "candidate": f"output {n}", "reference": f"right {n // 3}", "source": f"quelle {n // 3}", "score": n,
            "lp": "de-en", "system": f"s{n % 3}", "segment_id": n // 3, "edit": f"result {n}",
        }
        for n in range(12)
    ]  # fmt: skip
    write("human.jsonl", rows)
    write("parallel.jsonl", [{"text": {"de": f"satz {n}", "en": f"sentence {n}"}} for n in range(40)])
    return tmp_path


def material(root: Path, human: tuple[HumanPairs, ...] = (), drawn: tuple[DrawnPairs, ...] = ()) -> Material:
    recipe = StudentRecipe("match", JudgeRecipe("x"), human=human, drawn=drawn, parallel="parallel.jsonl")
    return Material(recipe, root, silent_log)


def test_a_judge_of_sources_learns_from_sources(root: Path) -> None:
    plain = HumanPairs("human.jsonl", by="lp")
    sourced = HumanPairs("human.jsonl", by="lp", against="source", marks="edit")
    first, second = material(root, (plain, sourced)).human()
    assert (first.judge, second.judge) == ("reference", "source")
    assert first.examples.references == [f"right {n // 3}" for n in range(12)]
    assert second.examples.references == [f"quelle {n // 3}" for n in range(12)]
    assert first.examples.candidates == second.examples.candidates
    assert first.examples.wrong is None
    assert second.examples.wrong == [[(0, 6)]] * 12  # "output" became "result"


def test_segments_are_whole(root: Path) -> None:
    one = HumanPairs("human.jsonl", by="lp", within=True, indivisible={"segment_id": 2}, clip=0.5)
    [part] = material(root, (one,)).human()
    assert part.examples.references == ["right 1"] * 3 + ["right 3"] * 3
    assert part.examples.segments is not None
    assert len(set(part.examples.segments)) == 2
    assert np.abs(part.examples.targets).max() == 0.5


def test_pairs_that_set_the_scale(root: Path) -> None:
    given = material(root)
    number = str.split
    for candidate, reference in given.unrelated():
        assert number(candidate)[0] == number(reference)[0]
        assert number(candidate)[1] != number(reference)[1]
    for candidate, source in given.unrelated("source"):
        assert number(candidate)[0] != number(source)[0]
        assert number(candidate)[1] != number(source)[1]
    for candidate, source in given.translations():
        assert number(candidate)[0] != number(source)[0]
        assert number(candidate)[1] == number(source)[1]


def test_related_pairs_are_those_of_the_judge(root: Path) -> None:
    sourced = HumanPairs("human.jsonl", by="lp", against="source")
    given = material(root, (HumanPairs("human.jsonl", by="lp"), sourced))
    assert {reference for _, reference in given.related(given.human())} == {f"right {n}" for n in range(4)}
    assert {source for _, source in given.related(given.human(), "source")} == {f"quelle {n}" for n in range(4)}


def test_without_references_the_sources_of_other_segments_are_unrelated(root: Path) -> None:
    sourced = HumanPairs("human.jsonl", by="lp", against="source")
    given = Material(replace(material(root, (sourced,)).recipe, parallel=None), root, silent_log)
    assert compared_with(given.recipe) == "source"
    assert [part.judge for part in given.human()] == ["reference"]  # the only judge learns from it
    known = {*given.related(given.human())}
    strangers = given.unrelated()
    assert strangers
    assert not known & {*strangers}
    both = material(root, (HumanPairs("human.jsonl", by="lp"), sourced)).recipe
    assert (compared_with(both), judge_of(both, "source")) == ("reference", "source")


def test_parts_with_absolute_targets_are_joined_by_judge() -> None:
    def examples(name: str, segments: list[str] | None = None) -> Examples:
        return Examples([name], ["r"], np.zeros(1), np.ones(1), segments)

    parts = [
        Assignment("reference", examples("a")), Assignment("source", examples("b")),
        Assignment("reference", examples("c", ["s"])), Assignment("reference", examples("d")),
    ]  # fmt: skip
    found = [(part.judge, part.examples.candidates, part.examples.segments) for part in gathered(parts)]
    assert found == [("reference", ["a", "d"], None), ("source", ["b"], None), ("reference", ["c"], ["s"])]


def test_drawn_pairs_are_scored_by_what_made_them(write: Writer, tmp_path: Path) -> None:
    rows = [("He is 12.", "He has 12 years."), ("They were 7 men.", "There were 7 men.")]
    write("pairs.jsonl", [{"candidate": a, "reference": b} for a, b in rows])
    options = {"damage": ["numbers", "agreement"]}
    one = DrawnPairs("contrasts", "pairs.jsonl", 50, options, scores={"paraphrase": 1.0, "numbers": -2.0}, within=True)
    pairs = material(tmp_path, drawn=(one,)).drawn(0)
    targets = fixed_targets(pairs, one)
    told = {"paraphrase": 1.0, "numbers": -2.0}
    for pair, target in zip(pairs, targets.tolist(), strict=True):
        assert target == pytest.approx(told.get(pair.generator, np.nan), nan_ok=True)  # the teachers score the others
    targets[np.isnan(targets)] = 0.0
    found = examples_of(pairs, targets, one)
    assert found.segments == [pair.document for pair in pairs]
    assert len(set(found.segments or ())) == 4
    assert found.targets.tolist() == targets.tolist()
    assert set(fixed_targets(pairs, replace(one, score=0.5)).tolist()) == {1.0, -2.0, 0.5}
    assert examples_of(pairs, targets, replace(one, within=False)).segments is None


def test_segments_that_show_no_difference_are_left_out() -> None:
    one = DrawnPairs("contrasts", "x", 3, within=True, weight=0.5)
    pairs = [TrainingPair(f"c{n}", "r", "contrasts", "g", "given", document) for n, document in enumerate("aabbb")]
    found = examples_of(pairs, np.array([1.0, 1.0, 0.0, 1.0, 0.0]), one)
    assert (found.candidates, found.segments) == (["c2", "c3", "c4"], ["b", "b", "b"])
    assert found.weights.tolist() == [0.5] * 3


def test_a_teacher_is_asked_for_every_pair_in_its_place() -> None:
    pairs = [(str(n), str(n * n % 7)) for n in range(4500)]

    def teacher(first: list[str], second: list[str]) -> np.ndarray:
        return np.array([10 * int(a) + int(b) for a, b in zip(first, second, strict=True)])

    scores = asked(teacher, pairs)
    assert scores.tolist() == [10 * n + n * n % 7 for n in range(4500)]
