"""Tokens of texts that are encoded at once, or when they are asked for: they are the same."""

import tracemalloc

import numpy as np
import pytest

from farthing.core.types import Pairs
from farthing.core.workspace import Workspace
from farthing.encoders.backends.token_texts import TokenTexts
from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.tokens.id_rows import IdRows
from farthing.students.match import MatchStudent
from farthing.students.texts import TextTokens, row_blocks

TEXTS = ["The cat sat on the mat.", "", "A dog, and a cat.", "Rain"]


def tokens_of(student: MatchStudent, *, later: bool) -> TextTokens:
    contents = student.tokenizer.rows(TEXTS)
    return TextTokens(TEXTS, contents, student.encoder.encode, student.encoder.together(contents) if later else None)


@pytest.mark.parametrize("later", [False, True])
def test_every_text_has_its_tokens(later: bool) -> None:
    student = MatchStudent(EMBEDDED / "nano")
    tokens = tokens_of(student, later=later)
    assert list(tokens) == TEXTS
    assert tokens[""] is None
    assert tokens.rows(TEXTS).tolist() == [0, 1, 2, 3]
    assert tokens.sizes(np.array([1])) == [0]
    for text in (TEXTS[0], TEXTS[2]):
        [expected] = student.encoder.encode(student.tokenizer.contents([text]))
        found = tokens[text]
        assert found is not None
        assert tokens.sizes(tokens.rows([text])) == [len(found.weights)]
        assert (found.vectors == expected.vectors).all()
    several = list(tokens.several(np.array([3, 0])).single())
    assert [len(one.weights) for one in several] == tokens.sizes(np.array([3, 0])).tolist()


def test_a_score_does_not_depend_on_when_texts_are_encoded() -> None:
    """With a reference that all share they are encoded at once, alone for their pair."""
    student = MatchStudent(EMBEDDED / "nano")
    candidates = [f"The cat sat on mat {number}, and a dog came." for number in range(9)]
    [together] = student.score_systems([Pairs(candidates, [["A cat sat on the mat."]] * 9)])
    alone = [student.score_systems([Pairs([one], [["A cat sat on the mat."]])])[0] for one in candidates]
    assert np.array_equal(together.segments, np.concatenate([one.segments for one in alone]))


def test_texts_are_encoded_at_once_if_pairs_share_them(monkeypatch: pytest.MonkeyPatch) -> None:
    student = MatchStudent(EMBEDDED / "nano")
    assert student.encoder.tables is not None
    read: list[int] = []
    original = student.encoder.tables.together

    def counted(rows: IdRows, memory: Workspace | None = None) -> TokenTexts:
        read.append(len(rows))
        return original(rows, memory)

    monkeypatch.setattr(student.encoder.tables, "together", counted)
    references = [[f"the dog {row}"] for row in range(5)]
    student.score_systems([Pairs([f"a cat {name} {row}" for row in range(5)], references) for name in "xyz"])
    assert sum(read) == 20  # fifteen outputs and five references


def pairs_of(lengths: list[tuple[int, ...]], letter: str) -> Pairs:
    texts = [[letter * length for length in row] for row in lengths]
    return Pairs([row[0] for row in texts], [row[1:] for row in texts])


def test_blocks_have_the_rows_of_all_systems_and_few_characters() -> None:
    draws, most = np.random.default_rng(3), 40
    for _ in range(200):
        sizes = draws.integers(0, 12, size=2)
        systems = [
            pairs_of([tuple(draws.integers(0, 30, size=draws.integers(2, 4)).tolist()) for _ in range(size)], letter)
            for size, letter in zip(sizes.tolist(), "ab", strict=True)
        ]
        blocks = list(row_blocks(systems, most))
        for number, pairs in enumerate(systems):
            assert [text for block in blocks for text in block[number].candidates] == pairs.candidates
            assert [texts for block in blocks for texts in block[number].references] == pairs.references
        characters = [sum(len(text) for pairs in block for text in pairs.texts()) for block in blocks]
        assert all(count <= most for count, block in zip(characters, blocks, strict=True) if max(map(len, block)) > 1)
        # no block could have taken the first row of the next one
        firsts = [sum(len(text) for pairs in block for text in pairs.part(0, 1).texts()) for block in blocks[1:]]
        assert all(count + first > most for count, first in zip(characters, firsts, strict=False))


@pytest.mark.parametrize("size", ["nano", "tiny"])
def test_blocks_change_no_score_and_no_note(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    student = MatchStudent(EMBEDDED / size)
    long = "cat " * (student.tokenizer.room + 1)
    rows = [("a cat", "the cat"), (long, long + "!"), ("", "x"), ("A dog.", "A cat."), ("Un chien noir dort ici", "y")]
    systems = [Pairs([c for c, _ in rows], [[r] for _, r in rows]), Pairs(["other"], [["the cat"]])]
    whole, explained = student.score_systems(systems), student.explain(systems[0])
    assert {note.kind for note in whole[0].notes} == {"windows", "unread"}
    monkeypatch.setattr("farthing.students.match.CHARACTERS", 30)
    assert student.explain(systems[0]) == explained
    for one, other in zip(whole, student.score_systems(systems), strict=True):
        assert one.segments.tolist() == other.segments.tolist()
        assert one.notes == other.notes
        assert {name: part.tolist() for name, part in one.parts.items()} == {
            name: part.tolist() for name, part in other.parts.items()
        }


def test_four_times_the_documents_need_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farthing.students.match.CHARACTERS", 20_000)
    student = MatchStudent(EMBEDDED / "nano")
    documents = [f"Document {number}. " + "The cat sat on the mat. " * 200 for number in range(34)]

    def peak(count: int) -> int:
        pairs = Pairs(documents[:count], [[text] for text in documents[1 : count + 1]])
        tracemalloc.start()
        student.score_systems([pairs])
        try:
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2)  # what is read once is in memory afterwards
    assert peak(32) < 1.5 * peak(8)
