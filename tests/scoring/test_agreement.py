"""The table of what differences have meant: its counts against the data, and what is looked up in it."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sacrebleu

import farthing
from farthing.scoring import agreement
from farthing.scoring.agreement import HumanAgreement, human_agreement, spec_told

PROJECT = Path(__file__).resolve().parents[2]
TABLE = json.loads(Path(agreement.__file__).with_name("agreement.json").read_text(encoding="utf-8"))
MEASURED = [
    "bleu", "chrf", "chrf(word_order=2)", "ter",
    "frugalscore(size=small)", "frugalscore(size=tiny)", "frugalscore(size=nano)",
]  # fmt: skip


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script that makes the table."""
    spec = importlib.util.spec_from_file_location("agreement_table", PROJECT / "benchmarks" / "agreement_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["agreement_table"] = module
    spec.loader.exec_module(module)
    return module


def test_every_class_has_pairs_and_large_differences_are_agreed_on() -> None:
    assert list(TABLE) == MEASURED
    for counts in TABLE.values():
        assert len(counts["pairs"]) == len(counts["agreed"]) == len(counts["edges"]) + 1
        assert counts["edges"] == sorted(counts["edges"])
        assert min(counts["pairs"]) >= 30
        shares = [agreed / pairs for agreed, pairs in zip(counts["agreed"], counts["pairs"], strict=True)]
        assert shares[0] < 0.75 < 0.9 < shares[-1] <= 1


def test_the_number_of_pairs_is_that_of_the_data(human: Callable[[str], list[dict[str, Any]]]) -> None:
    """Pairs of systems with different human scores, counted directly."""
    english = everywhere = 0
    for record in human("wmt18_toen_systems"):
        scores = [system["score"] for system in record["systems"].values()]
        english += sum(a != b for a, b in combinations(scores, 2))
    by_set: dict[tuple[str, str], dict[str, list[float]]] = {}
    for record in [*human("wmt20_mqm_seg"), *human("wmt21_mqm_seg")]:
        if record["system"] != "ref.A":
            systems = by_set.setdefault((record["dataset"], record["lp"]), {})
            systems.setdefault(record["system"], []).append(record["score"])
    for (_, pair), systems in by_set.items():
        count = sum(sum(a) / len(a) != sum(b) / len(b) for a, b in combinations(systems.values(), 2))
        everywhere += count
        english += count if pair.endswith("-en") else 0
        everywhere -= count if pair.endswith("-en") else 0
    for name, counts in TABLE.items():
        assert sum(counts["pairs"]) == (english if name.startswith("frugalscore") else english + everywhere)


def test_the_script_agrees_with_sacrebleu_on_one_test_set(
    script: ModuleType, human: Callable[[str], list[dict[str, Any]]], shared: Path
) -> None:
    sets = script.direct_assessments(shared / "data" / "human" / "wmt18_toen_systems.jsonl.gz")
    czech = next(one for one in sets if one.name == "wmt18 cs-en")
    few = {name: texts[:300] for name, texts in czech.outputs.items()}
    small = script.TestSet("few", "en", czech.references[:300], few, czech.human)
    found = dict(script.decisions(script.corpus_scores("chrf", small, None), czech.human, True))
    scores = {name: sacrebleu.corpus_chrf(texts, [small.references]).score for name, texts in few.items()}
    for first, second in combinations(sorted(scores), 2):
        difference = abs(scores[first] - scores[second])
        [agreed] = [agreed for size, agreed in found.items() if abs(size - difference) < 1e-9]
        assert agreed == ((scores[first] > scores[second]) == (czech.human[first] > czech.human[second]))


def test_classes_count_every_pair_once(script: ModuleType) -> None:
    found = [(number / 10, number > 20) for number in range(80)]
    counts = script.table_of(found)
    assert sum(counts["pairs"]) == 80
    assert sum(counts["agreed"]) == 59
    assert max(abs(count - 10) for count in counts["pairs"]) <= 1
    ties = list(script.decisions({"a": 1.0, "b": 1.0, "c": 2.0}, {"a": 0.0, "b": 1.0, "c": 1.0}, False))
    assert ties == [(0.0, False), (1.0, False)]  # people do not tell b and c apart


def test_a_difference_is_looked_up_by_its_size() -> None:
    edges, pairs = TABLE["chrf"]["edges"], TABLE["chrf"]["pairs"]
    assert human_agreement("chrf", 0.0) == HumanAgreement(0.0, edges[0], pairs[0], TABLE["chrf"]["agreed"][0])
    middle = human_agreement("chrf", -edges[2])
    assert middle is not None
    assert (middle.low, middle.high, middle.pairs) == (edges[2], edges[3], pairs[3])
    last = human_agreement("chrf", 1000)
    assert last is not None
    assert (last.low, last.high) == (edges[-1], None)
    assert str(HumanAgreement(0, 1, 50, 34)) == "68 % of 50 pairs"


@pytest.mark.parametrize(
    ("spec", "same"),
    [
        ("chrf(beta=2)", "chrf"),
        ("frugalscore(size=small, symmetric=false)", "frugalscore(size=small)"),
        ("frugalscore(threads=1, size=nano)", "frugalscore(size=nano)"),
    ],
)
def test_options_that_change_nothing_do_not_matter(spec: str, same: str) -> None:
    assert human_agreement(spec, 3.0) == human_agreement(same, 3.0) != None  # noqa: E711


@pytest.mark.parametrize("spec", ["chrf(lowercase=true)", "impar", "bertscore(model=nano)", "mine"])
def test_what_was_not_measured_is_not_told(spec: str) -> None:
    assert human_agreement(spec, 1.0) is None


@pytest.mark.usefixtures("with_every_size")
def test_the_default_is_looked_up_as_the_student_that_it_chose() -> None:
    texts = ["Wir sind den ganzen Tag gelaufen.", "Der Regen hörte nicht auf.", "Sie hat drei Äpfel gekauft."]
    english = ["We walked all day long.", "The rain did not stop.", "She has bought three apples."]
    for references, size in ((english, "small"), (texts, "multi")):
        scores = farthing.score(references, references)
        told = spec_told("frugalscore", scores.signature)
        assert told == f"frugalscore(size={size})"
        assert (human_agreement(told, 3.0) is not None) is (told in TABLE)
    assert spec_told("chrf(word_order=2)", farthing.score(["a"], ["b"], "chrf++").signature) == "chrf(word_order=2)"
    assert spec_told("mine", farthing.Signature("mine")) == "mine"


@pytest.mark.usefixtures("with_every_size")
def test_a_test_says_what_differences_of_the_chosen_student_have_meant() -> None:
    english = [f"We walked all day long to house number {number}." for number in range(40)]
    german = [f"Wir sind den ganzen Tag zum Haus Nummer {number} gelaufen." for number in range(40)]
    for references, size in ((english, "small"), (german, "multi")):
        bad = [text[:12] for text in references]
        found = farthing.compare({"good": references, "bad": bad}, references)
        assert ("people preferred the same one" in str(found)) is (f"frugalscore(size={size})" in TABLE)
