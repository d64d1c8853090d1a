"""The head of a matching student: its scale in closed form, its units by hand, and files that are not one."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from farthing.core.errors import ModelError
from farthing.students.head import FocusScale, Head, harmonic_gap
from farthing.students.layout import StudentFolder, add_facts


def test_the_scale_is_a_straight_line_that_bends_below_100() -> None:
    """A head whose value is minus its one feature: at 0 it reads 100, at -2 it reads 0."""
    one = np.ones((1, 1))
    head = Head.of({"scale": one[0], "top": 0.0, "linear": -one, "hidden": 0 * one, "hidden_bias": 0 * one[0],
                    "out": 0 * one, "floor": -2.0})  # fmt: skip
    found = head.scores(np.array([[2.0], [1.0], [0.2], [0.001], [-0.01], [-0.1], [-9.0], [0.0]]))
    assert found[:3] == pytest.approx([0.0, 50.0, 90.0], abs=1e-3)
    assert (np.diff(found[:6]) > 0).all()  # what the head likes better than equal texts keeps its order
    assert (found[:-1] < 100).all()
    assert found[-1] == 100.0


def test_the_head_is_cut_at_the_value_of_equal_texts(student_folder: Path) -> None:
    head = Head.read(student_folder / "head.safetensors")
    above = -1e3 * np.sign(head.linear)[None] * (head.linear != 0)
    assert head.raw(-above)[0] <= head.top
    assert head.scores(np.zeros((1, len(head.scale)))).tolist() == [100.0]


def test_a_cap_lowers_texts_with_a_wrong_word_alone() -> None:
    """A head whose value is minus its one feature; the two after it see what is wrong."""
    one = np.ones((1, 1))
    head = Head.of({"scale": one[0], "top": 0.0, "linear": -one, "hidden": 0 * one, "hidden_bias": 0 * one[0],
                    "out": 0 * one, "floor": -2.0, "cap": -0.8})  # fmt: skip
    rows = np.array([[0.2, 0, 0], [0.2, 0.5, 0.5], [0.2, 0.5, 0], [0.4, 0, 0.5], [1.5, 0, 0.5]])
    assert head.raw(rows).tolist() == pytest.approx([-0.2, -0.2, -0.8 - 0.25 * 0.2, -0.8 - 0.25 * 0.4, -1.5])


def test_a_broken_head_is_named(student_folder: Path) -> None:
    arrays = load_file(student_folder / "head.safetensors")
    save_file({"scale": arrays["scale"]}, student_folder / "head.safetensors")
    with pytest.raises(ModelError, match="has no 'top'"):
        Head.read(student_folder / "head.safetensors")


def test_a_missing_head_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"head\.safetensors cannot be read"):
        Head.read(tmp_path / "head.safetensors")


def test_the_hidden_units_do_not_move_equal_texts(student_folder: Path) -> None:
    head = Head.read(student_folder / "head.safetensors")
    differences = np.random.default_rng(5).random((4, len(head.scale)))
    by_hand = [
        head.top
        + sum(w * x / s for w, x, s in zip(head.linear, row, head.scale, strict=True))
        + sum(
            out * (np.tanh(weights @ (row / head.scale) + bias) - np.tanh(bias))
            for out, weights, bias in zip(head.out, head.hidden, head.hidden_bias, strict=True)
        )
        for row in differences
    ]
    assert head.raw(differences) == pytest.approx(np.minimum(by_hand, head.top))
    assert head.raw(0 * differences).tolist() == [head.top] * 4


def arrays_of(features: int = 4, **more: object) -> dict[str, np.ndarray]:
    random = np.random.default_rng(11)
    arrays = {
        "scale": random.random(features) + 0.5, "top": 1.5, "linear": random.normal(size=features),
        "hidden": random.normal(size=(3, features)), "hidden_bias": random.normal(size=3),
        "out": random.normal(size=3), "floor": -2.0, **more,
    }  # fmt: skip
    return {name: np.asarray(array) for name, array in arrays.items()}


def test_a_ceiling_reads_as_100_and_is_never_quite_reached() -> None:
    """Without differences the value is `top`, here far below the ceiling: equal texts are nothing special."""
    zero = np.zeros((1, 4))
    head = Head.of(arrays_of(ceiling=8.0))
    assert head.scores(zero) == pytest.approx(100 * (1.5 + 2) / (8 + 2), abs=1e-9)
    at, above = (Head.of(arrays_of(ceiling=ceiling)).scores(zero)[0] for ceiling in (1.5, 1.0))
    assert at == pytest.approx(100 - np.log(2))
    assert at < above < 100
    assert head.raw(zero).tolist() == [1.5]
    row = np.random.default_rng(3).random((1, 4))
    lifted = Head.of(arrays_of(ceiling=8.0, linear=np.full(4, 9.0)))
    assert lifted.raw(row)[0] > lifted.top  # what is above equal texts is not cut


def test_a_focus_reads_one_side_on_a_straight_line(student_folder: Path) -> None:
    add_facts(student_folder, focus={"precision": {"far": 0.4}, "recall": {"far": 0.8}})
    gaps = np.array([[0.0, 0.0], [0.2, 0.2], [0.4, 0.4], [0.8, 0.8]])
    for side, wanted in (("precision", [100, 50, 0, -100]), ("recall", [100, 75, 50, 0])):
        found = FocusScale.read(StudentFolder.read(student_folder), side).scores(gaps)
        assert found.tolist() == pytest.approx(wanted)


def test_a_student_that_compares_with_sources_has_no_side(student_folder: Path) -> None:
    add_facts(student_folder, against="source")
    with pytest.raises(ModelError, match=r"has no scale for focus=recall: leave out the option$"):
        FocusScale.read(StudentFolder.read(student_folder), "recall")


def test_the_harmonic_gap_stays_within_0_and_1_for_tokens_unlike_all_others() -> None:
    gaps = np.array([0.0, 0.5, 0.9, 1.0, 1.2, 2.0])
    found = np.array([harmonic_gap(gaps, np.full_like(gaps, other)) for other in gaps])
    assert (found >= 0).all()
    assert (found <= 1).all()
    assert found[4:].tolist() == [[1.0] * 6] * 2
    assert found[1, 2] == pytest.approx(1 - 2 * 0.5 * 0.1 / 0.6)
