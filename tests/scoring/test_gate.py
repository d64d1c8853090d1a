"""Thresholds and losses: which comparison passes, and what the reason says."""

from __future__ import annotations

import pytest

import farthing
from farthing.core.errors import GateFailed, UnknownName, UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scoring.comparison import Comparison
from farthing.scoring.gate import check_not_worse, check_thresholds, read_thresholds
from farthing.scoring.score import choose, score

CHOSEN = choose("chrf,ter")
TEXTS = ["the cat sat on the mat", "a big dog ran away", "five green apples fell"] * 10


def scored(texts: list[str], name: str = "mine") -> Comparison:
    return score(CHOSEN, Given([Pairs.of(texts, TEXTS, system=name)]))


def check(found: Comparison, *texts: str) -> None:
    check_thresholds(found, read_thresholds(texts, CHOSEN), "the table")


def test_reached_thresholds_pass() -> None:
    check(scored(TEXTS), "chrf=100", "ter=0")
    check(scored(["nothing alike"] * 30), "ter=500", "chrf=0")


def test_lower_is_better_fails_above() -> None:
    found = scored([text.replace("the", "a") for text in TEXTS])
    chrf, ter = (cell.scores.corpus for cell in found.rows[0].cells)
    with pytest.raises(GateFailed) as failure:
        check(found, "chrf=99", "ter=1.5")
    assert str(failure.value) == f"mine has chrf {chrf:.2f}, below 99; mine has ter {ter:.2f}, above 1.5"
    assert failure.value.printed == "the table"
    check(found, f"chrf={chrf}", f"ter={ter}")  # exactly reached
    with pytest.raises(GateFailed, match=f"mine has chrf {chrf:.2f}"):
        check(found, f"chrf={chrf + 1}")


def test_a_miss_by_less_than_the_shown_digits_is_shown() -> None:
    found = scored([text.replace("the", "a") for text in TEXTS])
    score = found.rows[0].cells[0].scores.corpus
    limit = round(score, 2)
    if limit <= score:
        limit += 0.01
    with pytest.raises(GateFailed) as failure:
        check(found, f"chrf={limit:.2f}")
    shown, _, below = str(failure.value).removeprefix("mine has chrf ").partition(", below ")
    assert float(shown) < float(below)


def test_every_system_must_pass() -> None:
    found = score(CHOSEN, Given([Pairs.of(TEXTS, TEXTS, system="a"), Pairs.of(["x"] * 30, TEXTS, system="b")]))
    with pytest.raises(GateFailed, match=r"^b has chrf"):
        check(found, "chrf=50")


@pytest.mark.parametrize("text", ["chrf", "chrf=", "chrf=much", "=60", "chrf=nan", ""])
def test_broken_thresholds_are_named(text: str) -> None:
    with pytest.raises(UsageError):
        read_thresholds([text], CHOSEN)


def test_thresholds_name_metrics_of_the_run() -> None:
    with pytest.raises(UnknownName, match="unknown metric of this run 'bleu'"):
        read_thresholds(["bleu=30"], CHOSEN)
    two = choose("chrf(word_order=2),chrf(word_order=1)")
    with pytest.raises(UsageError, match=r"several metrics are called chrf: write chrf\(word_order=2\) or"):
        read_thresholds(["chrf=60"], two)
    assert read_thresholds(["chrf(word_order=1)=60"], two)[0].place == 1
    mixed = choose("chrf(word_order=2),chrf")
    assert read_thresholds(["chrf=60"], mixed)[0].place == 1


def test_only_significantly_worse_systems_fail() -> None:
    worse = [text.replace("the", "a").replace("green", "red") for text in TEXTS]
    systems = {"old": TEXTS, "new": worse}
    with pytest.raises(GateFailed, match=r"new is worse than old: chrf \d+\.\d\d against 100\.00, p < 0\.001; new is"):
        check_not_worse(farthing.compare(systems, TEXTS, metrics="chrf,ter"))
    check_not_worse(farthing.compare(systems, TEXTS, metrics="chrf,ter", baseline="new"))  # better
    once = {"old": TEXTS, "new": [worse[0], *TEXTS[1:]]}
    check_not_worse(farthing.compare(once, TEXTS, metrics="chrf", test="randomization"))  # one segment is chance
