"""A matching student: differences of tokens and the head in closed form, and the rules for all kinds of texts."""

import unicodedata
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from farthing.align.greedy import greedy
from farthing.core.errors import InputError, ModelError, UsageError
from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.types import Pairs
from farthing.encoders.backends.token_texts import Tokens
from farthing.students.crossed import crossed_scores
from farthing.students.head import GAPS, Head, all_token_gaps, best_rows, token_gaps
from farthing.students.layout import add_facts
from farthing.students.match import MatchStudent
from farthing.students.student import Focus, LongPairs, PairOptions
from farthing.students.surface import CHRF, surface_gaps

SENTENCE = st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat", "dog", "unheard"]), min_size=1, max_size=8).map(
    " ".join
)


def tokens(seed: int, count: int) -> Tokens:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(count, 8))
    return Tokens(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), random.random(count) + 0.1)


def test_equal_texts_have_no_gap() -> None:
    one = tokens(1, 7)
    assert token_gaps(one, one) == pytest.approx([0.0] * len(GAPS), abs=1e-7)


def test_precision_and_recall_are_those_of_greedy_matching() -> None:
    first, second = tokens(1, 5), tokens(2, 8)
    precision, recall = greedy(first.vectors, second.vectors, first.weights, second.weights)
    found = token_gaps(first, second)
    assert found[:2] == pytest.approx((1 - precision, 1 - recall))
    assert found[2] == pytest.approx(1 - 2 * precision * recall / (precision + recall))


def test_orthogonal_texts_in_closed_form() -> None:
    first, second = Tokens(np.eye(4)[:2], np.ones(2)), Tokens(np.eye(4)[2:], np.ones(2))
    assert token_gaps(first, second) == pytest.approx((1, 1, 1, 1, 1, 1), abs=1e-3)


def test_turning_the_pair_round_turns_precision_into_recall() -> None:
    first, second = tokens(3, 4), tokens(4, 6)
    forth, back = token_gaps(first, second), token_gaps(second, first)
    assert forth[0] == pytest.approx(back[1])
    assert forth[3] == pytest.approx(back[4])
    assert forth[5] == pytest.approx(back[5])


def plain_gaps(first: Tokens, second: Tokens) -> np.ndarray:
    """The definition, token by token."""
    sides = []
    for one, two in ((first, second), (second, first)):
        gaps = [max(1 - max(float(a @ b) for b in two.vectors), 0) for a in one.vectors]
        shares = one.weights / one.weights.sum()
        mean = sum(share * gap for share, gap in zip(shares, gaps, strict=True))
        square = sum(share * gap**2 for share, gap in zip(shares, gaps, strict=True))
        sides.append((mean, (square + 1e-8) ** 0.5 - 1e-4, np.average(one.vectors, axis=0, weights=one.weights)))
    (precision, spread, mean), (recall, back_spread, other) = sides
    near, back_near = max(1 - precision, 0), max(1 - recall, 0)  # tokens may be unlike all others
    harmonic = 1 - 2 * near * back_near / (near + back_near) if near + back_near else 1
    pooled = float(mean @ other) / np.linalg.norm(mean) / np.linalg.norm(other)
    return np.array([precision, recall, harmonic, spread, back_spread, 1 - pooled], dtype=np.float64)


def test_pairs_of_all_lengths_are_matched_as_if_each_were_alone() -> None:
    random = np.random.default_rng(5)
    lengths = [*random.integers(1, 30, (60, 2)).tolist(), [1, 1], [8, 8], [9, 16], [600, 3], [2, 600]]
    first, second = ([tokens(seed + side, pair[side]) for seed, pair in enumerate(lengths)] for side in (0, 1))
    found = all_token_gaps(first, second)
    assert found == pytest.approx(np.array(list(map(plain_gaps, first, second))), abs=1e-12)
    assert found.tolist() == [list(token_gaps(one, two)) for one, two in zip(first, second, strict=True)]
    assert all_token_gaps([], []).shape == (0, len(GAPS))


def scores(student: MatchStudent, candidates: list[str], references: list[list[str]]) -> list[float]:
    pairs = Pairs(candidates, references)
    [scored] = student.score_systems([pairs])
    return scored.segments.tolist()


def test_equal_texts_score_100(student_folder: Path) -> None:
    assert scores(MatchStudent(student_folder), ["the cat sat"], [["the cat sat"]]) == [100.0]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(candidate=SENTENCE, reference=SENTENCE)
def test_equal_texts_score_100_and_no_others(student_folder: Path, candidate: str, reference: str) -> None:
    [found] = scores(MatchStudent(student_folder), [candidate], [[reference]])
    assert found == 100.0 if candidate == reference else found < 100.0


def test_an_empty_text_scores_lowest_unless_both_are_empty(student_folder: Path) -> None:
    pairs = ["", "the cat", "", " "], [["the cat"], [""], [""], [""]]
    head = Head.read(student_folder / "head.safetensors")
    apart = np.concatenate([np.ones((2, len(GAPS))), surface_gaps(["", "the cat"], ["the cat", ""])], axis=1)
    by_hand = head.scores(apart).tolist()  # all tokens are as far as can be
    assert scores(MatchStudent(student_folder), *pairs) == [*by_hand, 100.0, 100.0]
    add_facts(student_folder, lowest=-1e6)
    assert scores(MatchStudent(student_folder), *pairs) == [-1e6, -1e6, 100.0, 100.0]
    add_facts(student_folder, lowest=1e6)
    assert scores(MatchStudent(student_folder), *pairs) == [*by_hand, 100.0, 100.0]


def test_white_space_and_the_unicode_form_are_no_difference(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    accented = "the caté"
    candidates = [" the  cat\t", unicodedata.normalize("NFD", accented)]
    assert scores(student, candidates, [["the cat"], [accented]]) == [100.0, 100.0]


def test_what_the_tokens_do_not_show_still_counts(student_folder: Path) -> None:
    """The tokenizer lowers letters; a head that likes differences still gets no more than the texts have in common."""
    student = MatchStudent(student_folder)
    student.head = replace(student.head, linear=1e3 * np.ones_like(student.head.linear), out=0 * student.head.out)
    [score] = scores(student, ["The cat"], [["the cat"]])
    assert score == 100 - surface_gaps(["The cat"], ["the cat"])[0, CHRF]


FOREIGN = "Wir waren gestern alle sehr müde und hungrig."


def test_a_text_that_it_cannot_read_is_scored_by_its_characters_and_noted(student_folder: Path) -> None:
    add_facts(student_folder, reads=["en"], characters={"far": 0.8, "power": 2.0})
    student = MatchStudent(student_folder)
    pairs = Pairs(
        ["the cat", FOREIGN, "the mat", FOREIGN], [["the cat sat"], ["the mat"], [FOREIGN, "the mat"], [FOREIGN]]
    )
    [scored] = student.score_systems([pairs])
    [note] = scored.notes
    assert (note.kind, note.rows) == ("unread", (1, 2, 3))
    assert (
        str(note)
        == f"unread: {student.folder.name} reads only English; the row is scored by shared characters (row 2, 3, 4)"
    )
    gap = surface_gaps([FOREIGN], ["the mat"])[0, CHRF]
    assert scored.segments[1] == pytest.approx(100 * (1 - (gap / 0.8) ** 2))
    assert scored.segments[2:].tolist() == [100.0, 100.0]


def test_without_a_scale_of_characters_the_note_says_so(student_folder: Path) -> None:
    before = scores(MatchStudent(student_folder), [FOREIGN], [["the mat"]])
    add_facts(student_folder, reads=["en"])
    [scored] = MatchStudent(student_folder).score_systems([Pairs([FOREIGN], [["the mat"]])])
    assert scored.segments.tolist() == before
    assert "the row's score means little" in scored.notes[0].message


def test_a_student_that_does_not_tell_its_languages_reads_all(student_folder: Path) -> None:
    [scored] = MatchStudent(student_folder).score_systems([Pairs([FOREIGN], [[FOREIGN + "!"]])])
    assert scored.notes == ()


def test_of_several_references_the_best_counts(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    single = scores(student, ["the cat sat", "the cat sat"], [["a dog ran far"], ["the cat ran"]])
    [both] = scores(student, ["the cat sat"], [["a dog ran far", "the cat ran"]])
    assert both == max(single)


def test_a_score_does_not_depend_on_mates_or_order(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    candidates = ["the cat sat", "a dog ran", "the mat"]
    references = [["the cat ran"], ["a cat ran far"], ["on the mat"]]
    together = scores(student, candidates, references)
    alone = [scores(student, [a], [b])[0] for a, b in zip(candidates, references, strict=True)]
    assert together == alone
    assert scores(student, candidates[::-1], references[::-1]) == together[::-1]


@pytest.mark.parametrize(("long", "kind"), [(None, "windows"), ("window", "windows"), ("truncate", "truncated")])
def test_long_texts_are_noted(student_folder: Path, long: LongPairs | None, kind: str) -> None:
    student = MatchStudent(student_folder, PairOptions(long=long))
    pairs = Pairs(["the cat", "the " * 30], [["the cat"], ["the mat"]])
    [scored] = student.score_systems([pairs])
    [note] = scored.notes
    assert (note.kind, note.rows) == (kind, (1,))
    assert student.fields().get("long") == long


def test_the_alignment_shows_the_nearest_tokens(student_folder: Path) -> None:
    found = MatchStudent(student_folder).align("The cat sat", "the dog sat on")
    assert found.candidate_tokens == ("the", "cat", "sat")
    assert found.matches[0] == 0
    assert found.matches[2] == 2
    assert found.similarity.shape == (3, 4)
    assert found.candidate_weights.sum() == pytest.approx(1)
    assert found.parts["score"] < 100


def test_a_text_without_tokens_cannot_be_aligned(student_folder: Path) -> None:
    with pytest.raises(ModelError, match="nothing to align"):
        MatchStudent(student_folder).align("", "the cat")


def test_an_unknown_kind_is_named(student_folder: Path) -> None:
    (student_folder / "config.json").write_text('{"farthing": {"kind": "oracle"}}')
    with pytest.raises(ModelError, match="unknown kind 'oracle'"):
        MatchStudent(student_folder)


def test_a_missing_table_is_named(student_folder: Path) -> None:
    (student_folder / "tokens.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"tokens\.safetensors is no table"):
        MatchStudent(student_folder)


def test_a_folder_without_token_vectors_is_refused(student_folder: Path) -> None:
    (student_folder / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ModelError, match="it has no token vectors"):
        MatchStudent(student_folder)


def test_a_long_text_is_an_error_on_request(student_folder: Path) -> None:
    student = MatchStudent(student_folder, PairOptions(long="error"))
    assert scores(student, ["the cat"], [["the cat"]]) == [100.0]
    with pytest.raises(InputError, match="more than the 12 tokens"):
        scores(student, ["the " * 13], [["the cat"]])


@pytest.mark.parametrize(
    "options",
    [PairOptions(limit=9), PairOptions(symmetric=True), PairOptions(compat="evaluate")],
)
def test_options_of_cross_encoders_are_refused(student_folder: Path, options: PairOptions) -> None:
    with pytest.raises(UsageError, match=r"is for students of the kind cross; .* is of the kind static"):
        MatchStudent(student_folder, options)


def test_a_pair_is_judged_by_all_its_differences(student_folder: Path) -> None:
    """One score put together by hand: tokens, gaps, surface, head."""
    student = MatchStudent(student_folder)
    candidate, reference = "the cat sat", "a dog sat on"
    first, second = student.encoder.encode(student.tokenizer.contents([candidate, reference]))
    features = [*token_gaps(first, second), *surface_gaps([candidate], [reference])[0]]
    wanted = student.head.scores(np.array([features]))
    assert scores(student, [candidate], [[reference]]) == pytest.approx(wanted)


def test_raw_values_are_the_heads_own(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    values = student.raw(["the cat sat", "a dog"], ["the cat sat", "the mat"])
    assert values[0] == student.head.top
    assert values[1] < student.head.top


def test_the_signature_changes_with_the_weights(student_folder: Path) -> None:
    before = MatchStudent(student_folder).fields()
    assert before["kind"] == "static"
    head = student_folder / "head.safetensors"
    arrays = load_file(head)
    save_file({**arrays, "floor": np.asarray(arrays["floor"] - 1)}, head)
    after = MatchStudent(student_folder).fields()
    assert {name for name in before if before[name] != after[name]} == {"weights"}


CANDIDATES = ["the cat sat", "a dog ran far", "the mat", "the cat", "", ""]
OTHERS = [["the cat ran", "the cat sat on the mat"], ["the cat"], ["on the mat"], ["the  cat"], ["the dog"], [""]]


def test_parts_are_those_of_the_reference_that_counts(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    [scored] = student.score_systems([Pairs(CANDIDATES, OTHERS)])
    for row, (candidate, references) in enumerate(zip(CANDIDATES[:3], OTHERS[:3], strict=True)):
        best = max(references, key=lambda other, candidate=candidate: scores(student, [candidate], [[other]]))
        first, second = student.encoder.encode(student.tokenizer.contents([candidate, best]))
        by_hand = greedy(first.vectors, second.vectors, first.weights, second.weights)
        assert [scored.parts[side][row] / 100 for side in ("precision", "recall")] == pytest.approx(by_hand, abs=1e-6)
    for side in ("precision", "recall"):
        assert scored.parts[side][3:].tolist() == [100.0, 0.0, 100.0]  # equal, one empty, both empty


@pytest.mark.parametrize("side", ["precision", "recall"])
def test_a_focus_is_its_part_on_the_scale_of_scores(student_folder: Path, side: Focus) -> None:
    add_facts(student_folder, focus={side: {"far": 0.5}}, lowest=-50.0)
    student = MatchStudent(student_folder, PairOptions(focus=side))
    [scored] = student.score_systems([Pairs(CANDIDATES, [[some[0]] for some in OTHERS])])
    by_hand = 100 * (1 - (1 - scored.parts[side] / 100) / 0.5)
    assert scored.segments[:3] == pytest.approx(np.minimum(by_hand[:3], 99.99))
    assert scored.segments[3:].tolist() == [100.0, -100.0, 100.0]
    assert scored.segments.argmin() == 4  # silence scores lowest
    plain = MatchStudent(student_folder)
    assert student.fields() == {**plain.fields(), "focus": side}
    [balanced] = plain.score_systems([Pairs(CANDIDATES, [[some[0]] for some in OTHERS])])
    assert balanced.parts[side].tolist() == scored.parts[side].tolist()


def test_a_focus_chooses_its_own_best_reference(student_folder: Path) -> None:
    add_facts(student_folder, focus={"recall": {"far": 0.5}})
    student = MatchStudent(student_folder, PairOptions(focus="recall"))
    references = ["the", "the cat sat on the mat far"]
    single = [scores(student, ["the cat sat"], [[one]])[0] for one in references]
    assert scores(student, ["the cat sat"], [references]) == [max(single)]


def test_lists_score_as_pairs_with_a_focus(student_folder: Path) -> None:
    add_facts(student_folder, focus={"recall": {"far": 0.6}})
    student = MatchStudent(student_folder, PairOptions(focus="recall"))
    lists = [NBest(CANDIDATES, [some[0] for some in OTHERS])]
    [pairs] = student.score_systems([crossed_pairs(lists)])
    assert crossed_scores(student, lists).segments == pytest.approx(pairs.segments, abs=1e-4)  # pairs: single precision


def test_a_focus_without_a_scale_is_a_sentence(student_folder: Path) -> None:
    for facts in ({}, {"focus": {"recall": {"far": 0.5}}}, {"focus": "recall"}):
        add_facts(student_folder, **facts)
        with pytest.raises(ModelError, match="has no scale for focus=precision: leave out the option, or let recipes"):
            MatchStudent(student_folder, PairOptions(focus="precision"))


def test_the_best_row_of_each_owner() -> None:
    random = np.random.default_rng(5)
    for count in (1, 2, 9, 60):
        owners, values = random.integers(0, 5, count), random.integers(-2, 3, count).astype(float)
        by_hand = [max(np.flatnonzero(owners == one), key=lambda row: (values[row], -row)) for one in np.unique(owners)]
        assert best_rows(owners, values).tolist() == by_hand
