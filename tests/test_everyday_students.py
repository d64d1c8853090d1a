"""What people see of the embedded students: silence, nearly equal texts, and texts in other languages."""

from __future__ import annotations

import pytest

import farthing

CANDIDATES = ["The cat sat on the mat.", "It is raining today.", "He bought three apples.", "She does not like tea."]
REFERENCES = ["A cat was sitting on the mat.", "Today it rains.", "He bought three red apples.", "She dislikes tea."]
OTHERS = ["A dog ran.", "It rains today.", "He sold three apples.", "She likes tea."]
RUSSIAN = ["Кошка сидела на коврике у двери.", "Сегодня весь день идёт дождь.", "Он купил три красных яблока."]
CHINESE = ["猫坐在门前的垫子上。", "今天下了一整天的雨。", "他买了三个红苹果。"]
GERMAN = ["Die Katze saß auf der Matte vor der Tür.", "Heute regnet es den ganzen Tag.", "Er hat drei Äpfel gekauft."]


@pytest.mark.parametrize("size", ["small", "tiny", "nano"])
def test_silence_is_the_lowest_score(size: str) -> None:
    metric = f"frugalscore(size={size})"
    reference = "The committee approved the new budget after a long debate on Tuesday."
    bad = ["The", "the the the the the the", "Elephants swim.", ")(*&", "approved"]
    silence, *others = farthing.score(["", *bad], [reference] * 6, metric=metric).segments
    assert silence < min(others)


@pytest.mark.parametrize("size", ["small", "tiny", "nano"])
@pytest.mark.parametrize(
    ("first", "second"),
    [("Páris is nice.", "Paris is nice."), ("THE CAT SAT.", "the cat sat."), ("Ann met Bob.", "Ann met Rob.")],
)
def test_no_unequal_pair_prints_as_100(size: str, first: str, second: str) -> None:
    score = farthing.score([first], [second], metric=f"frugalscore(size={size})").segments[0]
    assert f"{score:.2f}" != "100.00"


@pytest.mark.parametrize("size", ["small", "tiny", "nano"])
@pytest.mark.parametrize("texts", [RUSSIAN, GERMAN], ids=["Russian", "German"])
def test_a_run_that_cannot_be_read_is_refused(size: str, texts: list[str]) -> None:
    with pytest.raises(farthing.FarthingError, match=r"reads only English.*(size=multi|chrf)"):
        farthing.score(texts[::-1], texts, metric=f"frugalscore(size={size})")


@pytest.mark.usefixtures("with_every_size")
@pytest.mark.parametrize("texts", [RUSSIAN, GERMAN, CHINESE], ids=["Russian", "German", "Chinese"])
def test_other_languages_and_texts_without_references_are_scored(texts: list[str]) -> None:
    assert "model:multi" in str(farthing.score(texts[::-1], texts).signature)
    assert "model:multi" in str(farthing.mbr([texts]).signature)
    assert "model:source" in str(farthing.score(CANDIDATES[:3], sources=texts).signature)
    assert "model:source" in str(farthing.rerank([CANDIDATES], sources=texts[:1]).signature)
    systems = {"a": CANDIDATES[:3], "b": OTHERS[:3]}
    compared = farthing.compare(systems, sources=texts)
    assert {"model:source" in str(row.cells[0].scores.signature) for row in compared.rows} == {True}


def test_a_row_that_cannot_be_read_is_named() -> None:
    scores = farthing.score([*CANDIDATES, RUSSIAN[0]], [*REFERENCES, RUSSIAN[1]], "frugalscore(size=small)")
    assert scores.segments[-1] < 60
    assert any(4 in note.rows for note in scores.notes)
