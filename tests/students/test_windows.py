"""Long texts in windows: the stitching by brute force, and what a student's scores and marks do with the whole text."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.types import Pairs
from farthing.encoders.backends.token_texts import Tokens
from farthing.encoders.tokens.windows import windows
from farthing.students import crossed, head, marks
from farthing.students.head import all_token_gaps
from farthing.students.match import MatchStudent
from farthing.students.student import LongPairs, PairOptions
from farthing.students.windows import read_whole

WORDS = ("the", "cat", "sat", "on", "mat", "a", "dog", "ran", "far", "not")
LIMIT = 12  # of the student of the tests


def long_text(seed: int, words: int) -> str:
    return " ".join(np.random.default_rng(seed).choice(WORDS, words).tolist())


def remembering(rows: Sequence[list[int]]) -> list[Tokens]:
    """A fake encoder whose vectors tell the token's number and where the piece that it was read in begins."""
    return [
        Tokens(np.array([(number, row[0]) for number in row], dtype=float), np.array(row, dtype=float)) for row in rows
    ]


def context(place: int, start: int, stop: int, length: int) -> float:
    """How far a token is from the nearest end of a window that is not an end of the text."""
    return min(place - start if start else np.inf, stop - 1 - place if stop < length else np.inf)


@pytest.mark.parametrize("room", [4, 5, 12])
def test_every_token_is_read_once_where_it_is_furthest_from_an_end(room: int) -> None:
    lengths = [*range(1, 60), 4 * room, 1]
    found = list(read_whole(remembering, [list(range(length)) for length in lengths], room))
    for length, tokens in zip(lengths, found, strict=True):
        assert tokens.vectors[:, 0].tolist() == tokens.weights.tolist() == list(range(length))
        spans = {window.start: window.stop for window in windows(length, room)}
        for place, start in enumerate(tokens.vectors[:, 1].astype(int).tolist()):
            kept = context(place, start, spans[start], length)
            assert kept == max(context(place, *span, length) for span in spans.items() if span[0] <= place < span[1])


def test_a_table_reads_windows_as_it_reads_the_whole_text(student_folder: Path) -> None:
    """Its vectors depend on one token on either side, so windows lose nothing."""
    texts = [long_text(seed, words) for seed, words in enumerate((3, 12, 13, 40, 100))]
    found = MatchStudent(student_folder).read(texts)
    assert found.long == set(texts[2:])
    config = json.loads((student_folder / "config.json").read_text())
    (student_folder / "config.json").write_text(json.dumps({**config, "max_position_embeddings": 1000}))
    whole = MatchStudent(student_folder).read(texts)
    for text in texts:
        assert found.tokens[text].vectors == pytest.approx(whole.tokens[text].vectors, abs=1e-6)
        assert found.tokens[text].weights == pytest.approx(whole.tokens[text].weights, abs=1e-6)


@pytest.mark.parametrize("long", ["truncate", "window", "error"])
def test_texts_within_the_limit_score_the_same_whatever_happens_to_others(
    student_folder: Path, long: LongPairs
) -> None:
    texts = [long_text(seed, seed % LIMIT + 1) for seed in range(48)]
    pairs = Pairs(texts[::2], [[text] for text in texts[1::2]])
    [plain] = MatchStudent(student_folder).score_systems([pairs])
    [same] = MatchStudent(student_folder, PairOptions(long=long)).score_systems([pairs])
    assert same.segments.tolist() == plain.segments.tolist()
    assert same.notes == ()


def test_the_end_of_a_long_text_counts(student_folder: Path) -> None:
    start = long_text(1, 30)
    pairs = Pairs([f"{start} the cat sat", f"{start} not a dog"], [[f"{start} the cat sat on"]] * 2)
    [whole] = MatchStudent(student_folder).score_systems([pairs])
    [cut] = MatchStudent(student_folder, PairOptions(long="truncate")).score_systems([pairs])
    assert whole.parts["precision"][0] > whole.parts["precision"][1]
    assert cut.parts["precision"][0] == cut.parts["precision"][1]
    assert whole.segments[0] > whole.segments[1]


def test_a_long_text_scores_the_same_alone_and_beside_others(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    texts = [long_text(seed, words) for seed, words in enumerate((40, 3, 25, 90, 12, 13, 7, 64))]
    pairs = Pairs(texts[::2], [[text] for text in texts[1::2]])
    [together] = student.score_systems([pairs])
    alone = [student.score_systems([pairs.part(row, row + 1)])[0].segments[0] for row in range(len(pairs))]
    assert together.segments.tolist() == alone
    [reverse] = student.score_systems([Pairs(pairs.candidates[::-1], pairs.references[::-1])])
    assert reverse.segments.tolist() == alone[::-1]


def test_every_token_of_a_long_text_is_aligned(student_folder: Path) -> None:
    candidate, reference = long_text(1, 50), long_text(2, 31)
    found = MatchStudent(student_folder).align(candidate, reference)
    assert found.similarity.shape == (50, 31)
    assert " ".join(found.candidate_tokens) == candidate
    cut = MatchStudent(student_folder, PairOptions(long="truncate")).align(candidate, reference)
    assert cut.similarity.shape == (LIMIT, LIMIT)
    assert cut.reference_tokens == found.reference_tokens[:LIMIT]


def test_every_word_of_a_long_text_is_marked(student_folder: Path) -> None:
    candidate, reference = long_text(1, 50), long_text(2, 31)
    [found] = MatchStudent(student_folder).explain(Pairs([candidate], [[reference]]))
    assert [candidate[mark["start"] : mark["end"]] for mark in found.errors] == candidate.split()
    assert [reference[mark["start"] : mark["end"]] for mark in found.omissions] == reference.split()
    assert found.notes[0].kind == "windows"


def random_tokens(seed: int, count: int) -> Tokens:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(count, 8))
    return Tokens(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), random.random(count) + 0.1)


@pytest.mark.parametrize("cells", [1, 64, 100])
def test_texts_are_matched_in_blocks_if_they_are_very_long(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    first, second = ([random_tokens(seed + side, 20 + 7 * seed) for seed in range(4)] for side in (0, 9))
    gaps = all_token_gaps(first, second)
    whole = [marks.partners(one, two) for one, two in zip(first, second, strict=True)]
    monkeypatch.setattr(head, "CELLS", cells)
    monkeypatch.setattr(marks, "CELLS", cells)
    assert all_token_gaps(first, second) == pytest.approx(gaps, abs=1e-12)
    for one, two, wanted in zip(first, second, whole, strict=True):
        for column, same in zip(marks.partners(one, two), wanted, strict=True):
            assert column == pytest.approx(same, abs=1e-12)


def test_lists_of_long_texts_score_as_pairs(student_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    student = MatchStudent(student_folder)
    texts = [long_text(seed, words) for seed, words in enumerate((40, 3, 25, 30, 12))]
    lists = [NBest(texts, texts), NBest(texts[:2], [*texts[3:], ""])]
    [pairs] = student.score_systems([crossed_pairs(lists)])
    at_once = crossed.crossed_scores(student, lists)
    assert at_once.segments == pytest.approx(pairs.segments, abs=1e-4)  # pairs: single precision
    monkeypatch.setattr(crossed, "MOST_CELLS", 1)
    one_by_one = crossed.crossed_scores(student, lists)
    assert one_by_one.segments.tolist() == pairs.segments.tolist()
    assert one_by_one.notes == at_once.notes == pairs.notes
