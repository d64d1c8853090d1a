"""Where a student's pairs come from."""

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError, UnknownName
from farthing.learn.matching import data


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_human_scores_are_normalised_by_group(tmp_path: Path) -> None:
    rows = [{"candidate": f"c{n}", "reference": "r", "score": n * (1 + n % 2), "lp": f"l{n % 2}-en"} for n in range(20)]
    rows.append({"candidate": "x", "reference": ["y", "z"], "score": 7, "lp": "en-de"})
    found = data.human(write(tmp_path / "h.jsonl", rows), groups="lp", only={"lp": "*-en"})
    assert len(found) == 20
    for group in (found.targets[::2], found.targets[1::2]):
        assert (group.mean(), group.std()) == pytest.approx((0, 1))


def test_texts_of_other_files_can_be_barred(tmp_path: Path) -> None:
    rows = [{"candidate": f"c{n}", "reference": f"r{n}", "score": n} for n in range(5)]
    barred = write(tmp_path / "b.jsonl", [{"candidate": "r3", "reference": "other", "score": 1}])
    found = data.human(write(tmp_path / "h.jsonl", rows), without=[barred])
    assert found.candidates == ["c0", "c1", "c2", "c4"]
    everything = write(tmp_path / "all.jsonl", rows)
    with pytest.raises(InputError, match="no row is left"):
        data.human(everything, without=[everything])


def test_outputs_of_systems_meet_their_reference_or_each_other(tmp_path: Path) -> None:
    systems = {"a": {"output": ["a0", "a1"]}, "b": {"output": ["b0", "b1"]}}
    path = write(tmp_path / "s.jsonl", [{"reference": ["r0", "r1"], "systems": systems}])
    pairs = data.drawn("systems", path, 6, seed=1)
    assert len(pairs) == 6
    assert all(first[1] == second[1] for first, second in pairs)
    assert any(second.startswith("r") for _, second in pairs)


def test_perturbed_and_unrelated_pairs_differ(tmp_path: Path) -> None:
    path = tmp_path / "corpus.tsv"
    path.write_text("".join(f"news\tthe {n} cats are on their mat with {n} dogs\n" for n in range(30)))
    for kind in ("perturbed", "unrelated"):
        pairs = data.drawn(kind, path, 10, seed=2)
        assert len(pairs) == 10
        assert all(first != second for first, second in pairs)
        assert pairs == data.drawn(kind, path, 10, seed=2)


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="perturbed"):
        data.drawn("perturbd", tmp_path, 1, seed=1)


def test_replaced_words_come_from_the_pool() -> None:
    found = data.replace_words("a b c d e", np.random.default_rng(1), ["x"])
    assert found is not None
    assert found.split().count("x") == 1
