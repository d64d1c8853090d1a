"""The shipped students for every language: their size, their scale, and bad outputs in several languages."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import farthing
from farthing.core.arrays import Segments
from farthing.encoders.folder.locate import EMBEDDED
from farthing.students.layout import StudentFolder
from farthing.students.match import MatchStudent

MOST_MEGABYTES = 55
# The same three sentences, written by us in each language.
TEXTS = {
    "en": ["The bridge was closed for repairs last night.", "My sister has bought a red bicycle.",
           "Nobody knows how many people live in this valley."],
    "de": ["Die Brücke wurde gestern Nacht für Reparaturen gesperrt.", "Meine Schwester hat ein rotes Rad gekauft.",
           "Niemand weiß, wie viele Menschen in diesem Tal leben."],
    "fr": ["Le pont a été fermé la nuit dernière pour des réparations.", "Ma sœur a acheté un vélo rouge.",
           "Personne ne sait combien de gens vivent dans cette vallée."],
    "ru": ["Прошлой ночью мост закрыли на ремонт.", "Моя сестра купила красный велосипед.",
           "Никто не знает, сколько людей живёт в этой долине."],
    "zh": ["昨晚这座桥因维修而关闭。", "我的姐姐买了一辆红色的自行车。", "没有人知道这个山谷里住着多少人。"],
}  # fmt: skip
OFFLINE = """
import socket, sys
def refuse(*arguments, **keywords): raise AssertionError("a socket was opened")
socket.socket, socket.create_connection = refuse, refuse
import farthing
print(farthing.score(["Das Haus ist klein."], GIVEN).signature)
assert not {"torch", "transformers", "pandas"} & set(sys.modules), "a heavy library was imported"
"""


def multi(candidates: list[str], references: list[str]) -> Segments:
    return np.asarray(farthing.score(candidates, references, "frugalscore(size=multi)").segments)


def source(candidates: list[str], sources: list[str]) -> Segments:
    needs_source()
    return np.asarray(farthing.score(candidates, sources=sources, metric="frugalscore(size=source)").segments)


def needs_source() -> None:
    if not (EMBEDDED / "source").is_dir():
        pytest.skip("source is not embedded")


def moved(texts: list[str]) -> list[str]:
    """The same texts, each at the place of another one."""
    return texts[1:] + texts[:1]


def test_together_they_are_small() -> None:
    total = sum(path.stat().st_size for size in ("multi", "source") for path in (EMBEDDED / size).glob("*"))
    assert total <= MOST_MEGABYTES * 1e6


def test_they_share_the_lowest_layers() -> None:
    needs_source()
    lower = [StudentFolder.read(EMBEDDED / size).weights[1] for size in ("multi", "source")]
    assert lower == [EMBEDDED / "multi" / "lower.onnx"] * 2
    assert not (EMBEDDED / "source" / "tokenizer.json").exists()


@pytest.mark.parametrize(("given", "size"), [("['Das Haus war klein.']", "multi"), ("sources=['A house.']", "source")])
def test_no_network_and_no_torch(given: str, size: str) -> None:
    if size == "source":
        needs_source()
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE.replace("GIVEN", given)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"model:{size}@" in done.stdout


@pytest.mark.parametrize("language", TEXTS)
def test_equal_texts_score_100_and_unrelated_ones_little(language: str) -> None:
    texts = TEXTS[language]
    assert multi(texts, texts).tolist() == [100.0] * len(texts)
    assert multi(moved(texts), texts).mean() < 30
    assert multi([""] * len(texts), texts).max() < multi(moved(texts), texts).min()


@pytest.mark.parametrize("language", [code for code in TEXTS if code != "en"])
def test_a_translation_is_above_what_a_failed_system_says(language: str) -> None:
    english, texts = TEXTS["en"], TEXTS[language]
    real = source(texts, english)
    for bad in (english, [""] * len(texts), moved(texts)):  # left as it was, nothing, about something else
        assert (source(bad, english) < real).all()
    assert (real < 100).all()


def test_no_score_depends_on_its_neighbours() -> None:
    texts = [text for own in TEXTS.values() for text in own]
    others = [text for own in TEXTS.values() for text in moved(own)]
    student = MatchStudent(EMBEDDED / "multi")
    together = student.raw(texts, others)
    assert [float(student.raw([one], [two])[0]) for one, two in zip(texts, others, strict=True)] == together.tolist()


def test_no_two_texts_look_alike() -> None:
    """Characters that are in no piece of the vocabulary are spelled in bytes."""
    encoder = MatchStudent(EMBEDDED / "multi").encoder
    first, second = encoder.tokenizer.contents(["ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏘ"])
    assert first != second


def test_a_language_without_a_figure_gets_a_note() -> None:
    text = "სახლი პატარაა და ძალიან ლამაზი"  # Georgian
    found = farthing.score([text], [text + " არის"], "frugalscore(size=multi)")
    assert "unmeasured" in {note.kind for note in found.notes}
