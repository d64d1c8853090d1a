"""Tokens of texts that are encoded at once, or when they are asked for: they are the same."""

import numpy as np
import pytest

from farthing.core.types import Pairs
from farthing.core.workspace import Workspace
from farthing.encoders.backends.token_texts import TokenTexts
from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.tokens.id_rows import IdRows
from farthing.students.match import MatchStudent
from farthing.students.texts import TextTokens

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
