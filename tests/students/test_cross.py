"""A cross-encoder as a student: limits, windows, both orders, several references, and what its signature says."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError, UsageError
from farthing.core.types import Pairs
from farthing.students.cross import CrossStudent
from farthing.students.layout import add_facts
from farthing.students.pair_ids import PairIds, pair_ids
from farthing.students.student import PairOptions, PairScores

SHORT, LONG = "the cat sat on", "the cat sat on a mat " * 12


def scored(student: CrossStudent, candidates: list[str], references: list[list[str]]) -> PairScores:
    [found] = student.score_systems([Pairs(candidates, references)])
    return found


def rows(student: CrossStudent, *pairs: tuple[str, str]) -> list[PairIds]:
    return [
        pair_ids(student.tokenizer, *student.tokenizer.contents([first, second]), student.limit)
        for first, second in pairs
    ]


def test_the_graph_and_the_model_agree(cross_folder: Path, exported_folder: Path) -> None:
    plain, exported = CrossStudent(cross_folder), CrossStudent(exported_folder)
    assert (plain.run.backend, exported.run.backend) == ("torch", "onnx")
    pairs = [SHORT, LONG, ""], [[LONG], [SHORT], ["a dog"]]
    assert scored(plain, *pairs).segments == pytest.approx(scored(exported, *pairs).segments, abs=1e-5)


def test_the_best_reference_counts_and_a_text_is_tokenised_once(
    exported_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    student = CrossStudent(exported_folder)
    single = student.scores(rows(student, (SHORT, "a dog"), (SHORT, "the mat")))
    given: list[str] = []
    original = student.tokenizer.contents
    monkeypatch.setattr(student.tokenizer, "contents", lambda texts: given.extend(texts) or original(texts))
    pairs = Pairs([SHORT], [["a dog", "the mat"]])
    found = student.score_systems([pairs, pairs])
    assert [one.segments.tolist() for one in found] == [[pytest.approx(single.max(), abs=1e-6)]] * 2
    assert sorted(given) == sorted([SHORT, "a dog", "the mat"])


def test_symmetric_is_the_mean_of_both_orders(exported_folder: Path) -> None:
    student = CrossStudent(exported_folder, PairOptions(symmetric=True))
    both = student.scores(rows(student, (SHORT, "a dog"), ("a dog", SHORT)))
    assert scored(student, [SHORT], [["a dog"]]).segments == pytest.approx([both.mean()], abs=1e-6)


def test_long_pairs_are_truncated_with_a_note(exported_folder: Path) -> None:
    student = CrossStudent(exported_folder, PairOptions(limit=20))
    found = scored(student, [SHORT, LONG], [[SHORT], [LONG]])
    [note] = found.notes
    assert (note.kind, note.rows) == ("truncated", (1,))
    assert "truncated to 20 tokens" in note.message
    assert found.segments[1] == pytest.approx(student.scores(rows(student, (LONG, LONG)))[0], abs=1e-6)


def test_windows_are_averaged_by_their_tokens(exported_folder: Path) -> None:
    student = CrossStudent(exported_folder, PairOptions(long="window", limit=13))
    words = ["the", "cat", "sat", "on", "a", "mat", "the", "dog", "ran", "far"]
    assert [len(ids) for ids in student.tokenizer.contents(words)] == [1] * len(words)
    first, second = words, words[:6]  # 16 tokens in 10: windows of (5, 3) and (5, 3)
    halves = [(" ".join(first[:5]), " ".join(second[:3])), (" ".join(first[5:]), " ".join(second[3:]))]
    found = scored(student, [" ".join(first)], [[" ".join(second)]])
    assert found.segments == pytest.approx([student.scores(rows(student, *halves)).mean()], abs=1e-6)
    assert [(note.kind, note.rows) for note in found.notes] == [("windows", (0,))]


def test_a_long_pair_is_an_error_on_request(exported_folder: Path) -> None:
    student = CrossStudent(exported_folder, PairOptions(long="error"))
    assert np.isfinite(scored(student, [SHORT], [[SHORT]]).segments).all()
    sentence = r"a pair has \d+ tokens, onnx reads 93: 'the cat .*use long=truncate or long=window"
    with pytest.raises(InputError, match=sentence):
        scored(student, [SHORT, LONG], [[SHORT], [LONG]])


def test_limits(exported_folder: Path) -> None:
    assert CrossStudent(exported_folder).limit == 96
    assert CrossStudent(exported_folder, PairOptions(limit=5)).limit == 5
    assert CrossStudent(exported_folder, PairOptions(compat="evaluate")).limit == 96  # the model reads no 128
    with pytest.raises(UsageError, match="limit=4 is not between 5 and the 96 tokens"):
        CrossStudent(exported_folder, PairOptions(limit=4))


def test_the_fields_tell_what_changes_a_score(exported_folder: Path) -> None:
    plain = CrossStudent(exported_folder).fields()
    assert list(plain) == ["weights", "tokenizer", "precision", "backend", "limit", "long", "symmetric"]
    options = PairOptions(long="window", limit=9, symmetric=True)
    other = CrossStudent(exported_folder, options).fields()
    assert {name for name in plain if plain[name] != other[name]} == {"limit", "long", "symmetric"}


def test_there_is_no_alignment(exported_folder: Path) -> None:
    with pytest.raises(UsageError, match="is a cross-encoder and has no alignment"):
        CrossStudent(exported_folder).align("a cat", "the cat")


def test_rows_in_another_language_are_noted(exported_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(exported_folder, tmp_path / "student"))
    pairs = Pairs.of(["the cat", "кот на ковре"], ["the mat", "the mat"])
    [silent] = CrossStudent(folder).score_systems([pairs])
    add_facts(folder, reads=["en"])
    [scored] = CrossStudent(folder).score_systems([pairs])
    assert silent.notes == ()
    assert [str(note) for note in scored.notes] == [
        "unread: student reads only English; the row's score means little (row 2)"
    ]
    assert scored.segments.tolist() == silent.segments.tolist()


@pytest.mark.parametrize("options", [PairOptions(focus="recall"), PairOptions(precision="fp32")])
def test_options_of_matching_students_are_refused(exported_folder: Path, options: PairOptions) -> None:
    with pytest.raises(UsageError, match=r"=.* is not for onnx, which is a cross-encoder"):
        CrossStudent(exported_folder, options)
