"""A whole estimator, from texts to scores, against COMET itself; and what its folder may get wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import InputError, ModelError, UsageError
from farthing.core.types import Pairs
from farthing.students.estimator import EstimatorStudent
from farthing.students.layout import HEAD, StudentFolder
from farthing.students.student import PairOptions


@pytest.fixture(scope="module")
def folder(estimator_folder: Callable[..., Path]) -> Path:
    return estimator_folder()


@pytest.fixture(scope="module")
def pairs(parity_texts: dict[str, list[str]]) -> Pairs:
    return Pairs.of(parity_texts["candidates"], parity_texts["references"], parity_texts["sources"])


@pytest.mark.parametrize(
    ("number", "changes"),
    [(1, {}), (0, {"transform": "softmax"}), (6, {"inputs": ("source",), "layer_norm": True})],
)
def test_scores_are_those_of_comet(
    number: int, changes: Any, pairs: Pairs, estimator_folder: Callable[..., Path], published: Callable[[str], Any]
) -> None:
    student = EstimatorStudent(estimator_folder(**changes), threads=1)
    expected = published("comet")[0][f"{number}.scores"]
    np.testing.assert_allclose(student.score_systems([pairs])[0].segments, expected, atol=1e-5)


def test_every_text_is_encoded_once(folder: Path, pairs: Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    student = EstimatorStudent(folder, threads=1)
    run, seen = student.engine.encoder.run, []

    def counting(ids: Any, *rest: Any) -> Any:
        seen.extend(map(tuple, ids.tolist()))
        return run(ids, *rest)

    monkeypatch.setattr(student.engine.encoder, "run", counting)
    systems = [pairs, Pairs(list(reversed(pairs.candidates)), pairs.references, pairs.sources)]
    student.score_systems(systems)
    assert len(seen) == len(set(seen)) == 9


def test_the_best_reference_counts(folder: Path, pairs: Pairs) -> None:
    student = EstimatorStudent(folder, threads=1)
    others = [*pairs.references[1:], pairs.references[0]]
    swapped = Pairs(pairs.candidates, others, pairs.sources)
    both = Pairs(pairs.candidates, [[*a, *b] for a, b in zip(pairs.references, others, strict=True)], pairs.sources)
    one, two, best = (found.segments for found in student.score_systems([pairs, swapped, both]))
    np.testing.assert_allclose(best, np.maximum(one, two), atol=1e-6)


def test_long_texts_are_cut_read_in_windows_or_refused(folder: Path, pairs: Pairs) -> None:
    long = Pairs(["w1 " * 60, "w2"], [["w1"], ["w2"]], ["w3", "w3"])
    [cut] = EstimatorStudent(folder, threads=1).score_systems([long])
    [note] = cut.notes
    assert (note.kind, note.rows) == ("truncated", (0,))
    [windows] = EstimatorStudent(folder, PairOptions(long="window"), threads=1).score_systems([long])
    assert [(note.kind, note.rows) for note in windows.notes] == [("windows", (0,))]
    assert windows.segments[0] != cut.segments[0]
    assert windows.segments[1] == pytest.approx(cut.segments[1])
    with pytest.raises(InputError, match="a text has 60 tokens"):
        EstimatorStudent(folder, PairOptions(long="error"), threads=1).score_systems([long])


def test_needs_follow_the_shape(folder: Path, estimator_folder: Callable[..., Path]) -> None:
    assert EstimatorStudent(folder).needs == {"reference", "source"}
    source = EstimatorStudent(estimator_folder(inputs=("source",)))
    assert (source.needs, source.against) == ({"source"}, "source")


def test_options_of_other_kinds_are_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="symmetric=True is not for estimator, which is an estimator"):
        EstimatorStudent(folder, PairOptions(symmetric=True))
    student = EstimatorStudent(folder)
    with pytest.raises(UsageError, match="has no alignment"):
        student.align("w1", "w2")
    with pytest.raises(UsageError, match="marks no words"):
        student.explain(Pairs(["w1"], [["w2"]]))


def test_a_damaged_folder_is_told(estimator_folder: Callable[..., Path]) -> None:
    folder = estimator_folder()
    assert StudentFolder.read(folder).digest != "unknown"
    other = estimator_folder(inputs=("source",))
    (folder / HEAD).write_bytes((other / HEAD).read_bytes())
    with pytest.raises(ModelError, match="the head does not fit the encoder"):
        EstimatorStudent(folder)
    (folder / HEAD).unlink()
    with pytest.raises(ModelError, match=r"head.safetensors cannot be read"):
        EstimatorStudent(folder)
