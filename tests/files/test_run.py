"""A run on disk: what was scored comes back as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow
import pytest

from farthing.core.errors import InputError, UnknownName
from farthing.core.signature import Signature
from farthing.core.types import Note, Pairs, Scores
from farthing.files.journal import Journal
from farthing.files.run import TEXTS, Run, read_run, shard_scores, shard_table, unique_labels

SPECS = ["chrf", "bertscore(layer=5)"]
LABELS = ["chrf", "bertscore"]
SYSTEMS = ["one", "two"]


def texts(system: str, start: int, count: int, *, ids: bool = True, sources: bool = True) -> Pairs:
    numbers = range(start, start + count)
    return Pairs(
        [f"{system} {n} ä" for n in numbers],
        [[f"r{n}"] * (n % 3) for n in numbers],
        [f"s{n}" for n in numbers] if sources else None,
        [f"id{n}" for n in numbers] if ids else None,
        system,
    )


def scored(pairs: Pairs, seed: int) -> list[Scores]:
    """Scores with statistics, and scores with parts of one and two dimensions and a single number."""
    random = np.random.default_rng(seed)
    count = len(pairs)
    return [
        Scores(
            corpus=random.random(),
            segments=random.random(count),
            signature=Signature("chrf", {"nrefs": "var", "list": [1, None], "lower": False}, "0"),
            statistics=random.random((count, 4)),
            notes=(Note("empty", "no text", (0, count - 1)), Note("general", "of the whole")),
            system=pairs.system,
        ),
        Scores(
            corpus=random.random(),
            segments=random.random(count),
            signature=Signature("bertscore", {"model": "m"}, "0"),
            parts={"precision": random.random(count), "layers": random.random((3, count)), "size": 7.0},
            system=pairs.system,
        ),
    ]


def assert_equal(found: Scores, given: Scores) -> None:
    assert (found.corpus, found.system, found.notes) == (given.corpus, given.system, given.notes)
    assert found.signature == given.signature
    assert set(found.parts) == set(given.parts)
    np.testing.assert_array_equal(found.segments, given.segments)
    for name, part in given.parts.items():
        np.testing.assert_array_equal(found.parts[name], part)
    assert (found.statistics is None) == (given.statistics is None)
    if given.statistics is not None:
        np.testing.assert_array_equal(found.statistics, given.statistics)


def write(folder: Path, stretches: list[list[Pairs]]) -> list[list[list[Scores]]]:
    journal = Journal.open(folder, {"systems": SYSTEMS, "metrics": {spec: {} for spec in SPECS}})
    everything, start = [], 0
    for number, systems in enumerate(stretches):
        by_system = [scored(pairs, 10 * number + place) for place, pairs in enumerate(systems)]
        by_metric = [list(row) for row in zip(*by_system, strict=True)]
        journal.add(shard_table(systems, by_metric, LABELS, start))
        everything.append(by_metric)
        start += len(systems[0])
    journal.finish()
    return everything


def test_scores_come_back_to_the_last_bit(tmp_path: Path) -> None:
    stretches = [[texts(name, 0, 5) for name in SYSTEMS], [texts(name, 5, 2) for name in SYSTEMS]]
    given = write(tmp_path / "run", stretches)
    run = read_run(tmp_path / "run")
    assert (run.systems, run.metrics, run.labels, run.complete) == (SYSTEMS, SPECS, LABELS, True)
    for found, shard in zip(run.stretches(), given, strict=True):
        for found_row, row in zip(found, shard, strict=True):
            for one, other in zip(found_row, row, strict=True):
                assert_equal(one, other)


@pytest.mark.parametrize(("ids", "sources"), [(True, True), (True, False), (False, True), (False, False)])
def test_texts_come_back(tmp_path: Path, ids: bool, sources: bool) -> None:
    whole = [texts(name, 0, 7, ids=ids, sources=sources) for name in SYSTEMS]
    write(tmp_path / "run", [[pairs.part(0, 4) for pairs in whole], [pairs.part(4, 7) for pairs in whole]])
    assert read_run(tmp_path / "run").pairs() == whole


def test_the_table_has_one_row_per_system_and_segment(tmp_path: Path) -> None:
    stretches = [[texts(name, 0, 3) for name in SYSTEMS], [texts(name, 3, 1) for name in SYSTEMS]]
    write(tmp_path / "run", stretches)
    table = read_run(str(tmp_path / "run")).table()
    own = ["chrf", "chrf:statistics", "bertscore", "bertscore:precision", "bertscore:layers"]
    assert table.column_names == [*TEXTS, *own]
    assert table.column("system").to_pylist() == ["one"] * 3 + ["two"] * 3 + ["one", "two"]
    assert table.column("row").to_pylist() == [1, 2, 3, 1, 2, 3, 4, 4]


def test_an_interrupted_run_is_read_as_far_as_it_went(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", {"systems": SYSTEMS, "metrics": {spec: {} for spec in SPECS}})
    run = read_run(tmp_path / "run")
    assert not run.complete
    assert list(run.stretches()) == []
    assert Run(tmp_path / "run", journal).labels == LABELS


def test_two_metrics_of_one_name_are_called_by_their_specs() -> None:
    specs = ["chrf", "bertscore(layer=5)", "bertscore(layer=6)", "bleu(lowercase=true)"]
    assert unique_labels(specs) == ["chrf", "bertscore(layer=5)", "bertscore(layer=6)", "bleu"]


def test_what_is_not_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a run"):
        read_run(tmp_path)
    pairs = texts("one", 0, 2)
    table = shard_table([pairs], [[one] for one in scored(pairs, 0)], LABELS, 0)
    assert isinstance(table, pyarrow.Table)
    with pytest.raises(UnknownName, match="unknown metric of the run 'chrff'; did you mean 'chrf'"):
        shard_scores(table, ["chrff", "bertscore"], ["one"])


def test_documents_are_kept_and_older_runs_have_none(tmp_path: Path) -> None:
    named = Pairs(["a", "b"], [["a"], ["b"]], system="one", documents=["x", "y"])
    table = shard_table([named], [[one] for one in scored(named, 0)], LABELS, 0)
    older = table.drop_columns(["document"])
    for number, (rows, documents) in enumerate([(table, ["x", "y"]), (older, None)]):
        about = {"systems": ["one"], "metrics": {spec: {} for spec in SPECS}}
        Journal.open(tmp_path / str(number), about).add(rows)
        [pairs] = read_run(tmp_path / str(number)).pairs()
        assert pairs.documents == documents
