"""Hard cases: which paraphrases are taken, how references are damaged, and metrics whose mistakes are known."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from farthing.core.errors import InputError
from farthing.core.metric import Metric
from farthing.learn.study import hard_pairs as study
from farthing.learn.study.hard_pairs import HardCase
from farthing.text.damage import DAMAGES

Makes: TypeAlias = Callable[[Callable[[str, str], float]], Metric]
PAIRS = [
    (
        f"A dog ran after {n} cats when he was in Lima.",
        f"He was in Lima when a dog chased his {n} cats, and it is late.",
    )
    for n in range(10, 16)
]


def row(candidate: str, reference: str, score: float, split: str, domain: str = "images") -> dict[str, object]:
    return {"candidate": candidate, "reference": reference, "score": score, "split": split, "domain": domain}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Files as the study wants them, with few rows."""
    good = ("seven men in red shirts walk home", "seven men in red shirts are walking home")
    files: dict[str, list[dict[str, object]]] = {
        "human/stsb_en.jsonl.gz": [
            row(*good, 5, "test"),
            row("one cat slept on the big bed", "one cat sleeps on the big bed", 4.0, "test"),
            row("a boy ran to the green door", "a boy runs to the green door", 5, "test"),
        ],
        "human/sts12_16.jsonl.gz": [
            row("the boys ran to the red door", "the boys run to the red door", 5, "test", "SMTnews"),
            row("The dogs sat near the old door", "The dogs sat by the old door", 5, "test"),
        ],
        "human/mrpc.jsonl.gz": [row("A boy RUNS to the green door!", "he went out of the old house", 0, "train")],
        "human/sick.jsonl.gz": [row("x", "y", 5, "train")],
        "corpora/multi30k_5captions_en.jsonl.gz": [{"captions": ["a", "b"]}],
    }
    for folder in ("human", "corpora"):
        (tmp_path / folder).mkdir()
    for name, rows in files.items():
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as stream:
            stream.writelines(json.dumps(one) + "\n" for one in rows)
    with gzip.open(tmp_path / "corpora/corpus_en.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.write("news\tthe dogs sat by the old gate\n")
    return tmp_path


def test_paraphrases_are_high_held_out_and_written_by_people(data: Path) -> None:
    """One is too low, one has a text that was learned in other letters, one was written by a machine."""
    assert [reference for _, reference in study.true_paraphrases(data)] == [
        "seven men in red shirts are walking home", "The dogs sat by the old door",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("he saw 5 cats in the house", "in the house he saw 5 cats", True),
        ("he saw 5 cats in the house", "in the house he saw 6 cats", False),
        ("he saw Tom in the old house", "in the old house he saw Ann", False),
        ("he saw us in the house", "He saw us, in the house!", False),  # the same sentence
        ("he saw us there", "there he saw us", False),
        ("he saw us in the house", "he saw us in the house for the first time in many long years", False),
        ("he saw us in the house", "some birds were singing outside here", False),
    ],
)
def test_what_people_call_a_paraphrase_is_checked(first: str, second: str, same: bool) -> None:
    assert study.mean_the_same(first, second) == same


def test_every_kind_has_as_many_cases() -> None:
    cases = study.hard_cases(PAIRS, each=3)
    assert Counter(case.kind for case in cases) == dict.fromkeys(DAMAGES, 3)
    assert all(case.damaged not in (case.reference, case.paraphrase) for case in cases)
    assert {(case.paraphrase, case.reference) for case in cases} <= set(PAIRS)
    assert max(Counter(case.reference for case in cases).values()) <= 6  # of 30 cases and 6 references
    assert cases == study.hard_cases(PAIRS, each=3) != study.hard_cases(PAIRS, each=3, seed=2)
    with pytest.raises(InputError, match="only 6 references can be damaged in their numbers; 7 are needed"):
        study.hard_cases(PAIRS, each=7)


def test_preferences(rule: Makes, length: Metric, distance: Metric) -> None:
    cases = [HardCase("case", "r", "long", "x"), HardCase("case", "r", "x", "x"), HardCase("names", "r", "x", "long")]
    assert study.preferences(length, cases) == {"case": 0.5, "names": 0.0, "all": pytest.approx(1 / 3)}
    assert study.preferences(distance, cases) == {"case": 0.0, "names": 1.0, "all": pytest.approx(1 / 3)}
