"""The students that come with Farthing: no network, no torch, a scale people can read."""

import subprocess
import sys
from collections.abc import Iterable

import numpy as np
import pytest

import farthing
from farthing.encoders.folder.locate import EMBEDDED
from farthing.students.match import MatchStudent
from farthing.students.texts import ReadTexts
from farthing.text.perturb import drop_words, repeat_words, swap_neighbours

SIZES = ("nano", "tiny", "small")  # the English ones
SENTENCES = [
    "The council will vote on the new budget next Tuesday.",
    "Heavy rain closed several roads in the north of the country.",
    "She bought two tickets for the evening train to Vienna.",
    "Researchers found water under the surface of the dry lake.",
    "He said that nobody had told him about the change of plans.",
    "The company expects its profits to fall in the second half of the year.",
]
UNRELATED = SENTENCES[3:] + SENTENCES[:3]
OFFLINE = """
import socket, sys
def refuse(*arguments, **keywords): raise AssertionError("a socket was opened")
socket.socket, socket.create_connection = refuse, refuse
import farthing
print(farthing.load("frugalscore(size=SIZE)").score(farthing.Pairs.of(["a small house"], ["a little house"])).corpus)
assert not {"torch", "transformers", "pandas"} & set(sys.modules), "a heavy library was imported"
"""


def scores(size: str, candidates: list[str], references: list[str]) -> np.ndarray:
    found = farthing.load(f"frugalscore(size={size})").score(farthing.Pairs.of(candidates, references)).segments
    return np.asarray(found)


@pytest.mark.parametrize("size", SIZES)
def test_equal_texts_score_100_and_unrelated_ones_about_0(size: str) -> None:
    assert scores(size, SENTENCES, SENTENCES).tolist() == [100.0] * len(SENTENCES)
    assert abs(scores(size, SENTENCES, UNRELATED).mean()) < 15


@pytest.mark.parametrize("size", SIZES)
def test_damage_lowers_the_score(size: str) -> None:
    random = np.random.default_rng(4)
    changes = [change(text, random) for text in SENTENCES for change in (drop_words, repeat_words, swap_neighbours)]
    pairs = [(changed, SENTENCES[place // 3]) for place, changed in enumerate(changes) if changed is not None]
    found = scores(size, [changed for changed, _ in pairs], [text for _, text in pairs])
    assert (found < 99.3).mean() >= 0.9  # every text but an equal one is below 100: that much is the scale's bend
    assert (found < 100).all()


@pytest.mark.parametrize("size", SIZES)
def test_a_paraphrase_beats_another_sentence(size: str) -> None:
    paraphrase = ["Next Tuesday the council is going to vote about the new budget."]
    [near], [far] = scores(size, paraphrase, SENTENCES[:1]), scores(size, paraphrase, SENTENCES[1:2])
    assert near > far + 20


@pytest.mark.parametrize("size", SIZES)
def test_no_network_and_no_torch(size: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE.replace("SIZE", size)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert 0 < float(done.stdout) < 100


def test_the_alignment_is_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "farthing", "align", "-c", "a cat sat", "-r", "the cat sits"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "cat" in done.stdout


def test_together_they_are_below_60_megabytes() -> None:
    total = sum(path.stat().st_size for size in SIZES for path in (EMBEDDED / size).iterdir())
    assert total < 60e6


@pytest.mark.parametrize("size", SIZES)
def test_every_student_has_its_card(size: str) -> None:
    card = (EMBEDDED / size / "card.md").read_text(encoding="utf-8")
    for heading in ("Limits", "Licence", "WMT16", "Failures"):
        assert heading in card


def test_references_are_read_once_for_all_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = farthing.load("frugalscore(size=small)")
    read: list[str] = []
    original = MatchStudent.read

    def counted(self: MatchStudent, texts: Iterable[str], *, later: bool = False) -> ReadTexts:
        read.extend(found := list(texts))
        return original(self, found, later=later)

    monkeypatch.setattr(MatchStudent, "read", counted)
    systems = [farthing.Pairs.of([text], ["a reference"], system=text) for text in ("one", "two")]
    together = metric.score_systems(systems)
    assert len(read) == 4
    assert [one.corpus for one in together] == [metric.score(pairs).corpus for pairs in systems]


def test_the_default_metric_is_the_embedded_student() -> None:
    result = farthing.score(SENTENCES[:1], UNRELATED[:1])
    assert "frugalscore|model:small@3|" in str(result.signature)


WRONG = [  # a copy with one thing wrong, and a true paraphrase, of each of these references
    ("The council will vote on the new budget next Friday.", "Next Tuesday the council votes on the new budget.", 0),
    ("She bought three tickets for the evening train to Vienna.", "She got two tickets for Vienna's evening train.", 2),
    ("He said that nobody had told her about the change of plans.", "Nobody, he said, had told him about the change of "
     "plans.", 4),
    ("The company expect its profits to fall in the second half of the year.", "Profits will fall in the second "
     "half of the year, the company expects.", 5),
]  # fmt: skip


def test_one_wrong_word_counts_for_more_than_a_paraphrase() -> None:
    references = [SENTENCES[place] for _, _, place in WRONG]
    wrong, right = ([row[side] for row in WRONG] for side in (0, 1))
    assert (scores("small", wrong, references) < scores("small", right, references)).all()
    assert scores("small", wrong, references).max() < 73  # docs: at most about 72
