"""The default chooses a student by the texts: which one, for whom, and what everybody else sees of it."""

from __future__ import annotations

import gzip
import json
import pickle
import random
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farthing
from farthing.core.errors import MissingInput, ModelError, UsageError
from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.metrics.frugalscore import FrugalScore, is_english, looked_at
from farthing.scoring.engine import Ready, score_stretches
from farthing.scoring.identity import contents, identity

ENGLISH = ["We walked all day long.", "The rain did not stop before the evening.", "She has bought three red apples."]
GERMAN = ["Wir sind den ganzen Tag gelaufen.", "Der Regen hörte nicht auf.", "Sie hat drei rote Äpfel gekauft."]
CHINESE = ["我们走了一整天。", "雨一直下到晚上。", "她买了三个红苹果。"]
pytestmark = pytest.mark.usefixtures("with_every_size")


def model(scores: Any) -> object:
    """The student that a signature names, in its newest version."""
    size, version = str(scores.signature.fields["model"]).split("@")
    assert version == ("3" if size == "small" else "1")
    return size


def chosen(references: list[str]) -> object:
    return default()._chosen([Pairs.of(references, references)])


def default() -> FrugalScore:
    metric = farthing.load("frugalscore")
    assert isinstance(metric, FrugalScore)
    return metric


@pytest.fixture(scope="module")
def xnli(shared: Path) -> dict[str, list[str]]:
    """The hypotheses of XNLI in fifteen languages."""
    texts: dict[str, list[str]] = {}
    with gzip.open(shared / "data" / "corpora" / "xnli_parallel15.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            for language, text in json.loads(line)["hypothesis"].items():
                texts.setdefault(language, []).append(text)
    return texts


@pytest.fixture(scope="module")
def tatoeba(shared: Path) -> dict[str, list[str]]:
    """Short everyday sentences in some twenty languages."""
    texts: dict[str, list[str]] = {}
    with gzip.open(shared / "data" / "corpora" / "tatoeba_parallel.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            language, text, english = line.rstrip("\n").split("\t")
            texts.setdefault(language, []).append(text)
            texts.setdefault("eng", []).append(english)
    return {language: some for language, some in texts.items() if len(some) >= 1000}


def runs(texts: list[str], size: int, count: int = 20) -> list[list[str]]:
    draw = random.Random(size)
    return [draw.sample(texts, size) for _ in range(count)]


@pytest.mark.parametrize("size", [20, 200])
def test_fifteen_languages_of_xnli(xnli: dict[str, list[str]], size: int) -> None:
    assert len(xnli) == 15
    for language, texts in xnli.items():
        assert {is_english(run) for run in runs(texts, size)} == {language == "en"}, language


@pytest.mark.parametrize("size", [20, 200])
def test_the_languages_of_tatoeba(tatoeba: dict[str, list[str]], size: int) -> None:
    assert len(tatoeba) > 15
    for language, texts in tatoeba.items():
        assert {is_english(run) for run in runs(texts, size)} == {language == "eng"}, language


@pytest.mark.parametrize("name", ["stsb_en", "sick", "mrpc", "d2t_bagel", "d2t_sfhot", "sum_newsroom", "dialog_grade"])
def test_real_english_references_stay_with_small(human: Callable[[str], list[dict[str, Any]]], name: str) -> None:
    given = [row["reference"] for row in human(name)]
    texts = [one[0] if isinstance(one, list) else one for one in given if one]
    assert len(texts) > 100
    assert all(map(is_english, [*runs(texts, 20), *runs(texts, 100)]))


@pytest.mark.parametrize("language", ["de", "sw", "zh"])
def test_a_mixed_run_goes_to_multi(xnli: dict[str, list[str]], language: str) -> None:
    for share, english in ((5, True), (20, False), (50, False), (95, False)):
        texts = xnli["en"][: 200 - 2 * share] + xnli[language][: 2 * share]
        random.Random(share).shuffle(texts)
        assert is_english(texts) is english, share


@pytest.mark.parametrize(
    ("references", "wanted"),
    [
        (ENGLISH, "small"),
        (GERMAN, "multi"),
        (CHINESE, "multi"),
        ([*ENGLISH, GERMAN[0]], "multi"),
        (["42", "3,5 %", "→ ∞", ""], "small"),
        (["", " "], "small"),
        (["Ludwig van Beethoven", "https://example.org"], "small"),
        ([*ENGLISH, "😀😀😀"], "small"),
        (["😀😀😀", "🎉"], "multi"),
    ],
)
def test_references_decide(references: list[str], wanted: str) -> None:
    assert chosen(references) == wanted


def test_the_scores_are_those_of_the_size_that_is_named() -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        ("small", {"references": ENGLISH}),
        ("multi", {"references": GERMAN}),
        ("multi", {"references": GERMAN, "sources": ENGLISH}),
        ("source", {"sources": GERMAN}),
    ]
    for size, given in cases:
        candidates = ["We went by foot.", "Es regnet.", "Three apples."]
        by_default = farthing.score(candidates, **given)
        named = farthing.score(candidates, metric=f"frugalscore(size={size})", **given)
        assert model(by_default) == size
        assert str(by_default.signature) == str(named.signature)
        assert np.asarray(by_default.segments).tolist() == np.asarray(named.segments).tolist()


def test_all_systems_of_a_run_are_scored_by_one_student_in_any_order() -> None:
    systems = {"english": ENGLISH, "german": GERMAN, "chinese": CHINESE}
    found = []
    for order in permutations(systems):
        result = farthing.compare({name: systems[name] for name in order}, GERMAN)
        assert {model(row.cells[0].scores) for row in result.rows} == {"multi"}
        found.append({row.system: row.cells[0].scores.corpus for row in result.rows})
    assert all(one == found[0] for one in found)
    english = farthing.compare(systems, ENGLISH)
    assert {model(row.cells[0].scores) for row in english.rows} == {"small"}


def test_systems_with_other_references_decide_together() -> None:
    one, other = Pairs.of(ENGLISH, ENGLISH, system="a"), Pairs.of(ENGLISH, GERMAN, system="b")
    for systems in ([one, other], [other, one], [one, one, other]):
        assert default()._chosen(systems) == "multi"
    assert sorted(looked_at([one, other, one])) == sorted(ENGLISH + GERMAN)


def test_a_long_run_is_looked_at_in_part_and_evenly() -> None:
    texts = [f"{number}" for number in range(10_000)]
    looked = [int(text) for text in looked_at([Pairs.of(texts, texts)])]
    assert 900 <= len(looked) <= 1000
    assert np.ptp(np.diff(looked)) == 0
    assert looked[-1] > 9_900


def test_later_stretches_keep_the_decision() -> None:
    for first, later, wanted in ((ENGLISH, GERMAN, "small"), (GERMAN, ENGLISH, "multi")):
        stretches = [[Pairs.of(texts, texts)] for texts in (first, later)]
        [[scores]] = score_stretches([default()], lambda stretches=stretches: stretches)
        assert model(scores) == wanted
        assert len(scores.segments) == 6


def test_another_process_is_told_what_was_chosen() -> None:
    metric = default()
    state = metric.prepare([[Pairs.of(GERMAN, GERMAN)]])
    assert state == {"model": "multi"}
    assert json.loads(json.dumps(state)) == state
    there = pickle.loads(pickle.dumps(metric.prepared(state)))
    assert isinstance(there, Metric)
    assert model(there.score(ENGLISH, ENGLISH)) == "multi"
    assert model(Ready.rebuilt("frugalscore", state).metric.score_pairs(Pairs.of(ENGLISH, ENGLISH))) == "multi"
    assert model(pickle.loads(pickle.dumps(metric)).score(ENGLISH, ENGLISH)) == "small"
    assert model(farthing.score(ENGLISH, ENGLISH, metric=there)) == "multi"  # a decision is not made twice


def test_a_resumed_run_keeps_the_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from farthing.files.inputs import Given
    from farthing.files.run import read_run
    from farthing.scoring import journal
    from farthing.scoring.score import choose, score

    monkeypatch.setattr(journal, "SHARD", 2)
    texts = [*GERMAN, *GERMAN, *ENGLISH[:1]]  # the last shard alone is English
    inputs = Given([Pairs.of(texts, texts[::-1], system=name) for name in ("a", "b")])
    whole = score(choose("frugalscore"), inputs, run=tmp_path / "whole")
    written, write = [], journal.write_shard

    def torn(folder: Path, number: int, rows: Any) -> Any:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(rows)
        return write(folder, number, rows)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(journal, "write_shard", torn)
        score(choose("frugalscore"), inputs, run=tmp_path / "torn")
    resumed = score(choose("frugalscore"), inputs, run=tmp_path / "torn")
    again = score(choose("frugalscore"), inputs, run=tmp_path / "torn")  # complete: read, not scored
    for found in (resumed, again):
        assert [str(row.cells[0].scores.signature) for row in found.rows] == [
            str(row.cells[0].scores.signature) for row in whole.rows
        ]
        assert model(found.rows[0].cells[0].scores) == "multi"
    run = read_run(tmp_path / "torn")
    assert {str(run.scores("frugalscore", name).signature) for name in ("a", "b")} == {
        str(whole.rows[0].cells[0].scores.signature)
    }


def test_before_it_has_seen_texts_the_default_is_what_english_gets() -> None:
    metric = default()
    assert metric._opened == {}
    assert metric.info.range == (None, 100)
    assert metric.info.needs == {"reference"}
    assert metric.info.or_source
    assert metric.info.higher_is_better
    assert metric._opened == {}
    assert metric.learned() is None
    assert metric.signature.fields["model"] == "small@3"
    assert metric.align("a cat", "the cat").parts["score"] == pytest.approx(
        farthing.load("frugalscore(size=small)").align("a cat", "the cat").parts["score"]
    )


def test_students_are_opened_once_however_often_texts_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    from farthing.metrics import frugalscore

    opened: list[str] = []
    original = frugalscore.open_student

    def counting(folder: Path, *arguments: Any, **options: Any) -> Any:
        opened.append(folder.name)
        return original(folder, *arguments, **options)

    monkeypatch.setattr(frugalscore, "open_student", counting)
    metric = default()
    for _ in range(2):
        metric.score(ENGLISH, ENGLISH)
        metric.score(GERMAN, GERMAN)
        farthing.score(ENGLISH, ENGLISH, metric=metric)
    assert sorted(opened) == ["multi", "small"]


def test_mbr_is_decided_by_the_candidates() -> None:
    for texts, wanted in ((ENGLISH, "small"), (GERMAN, "multi"), (CHINESE, "multi")):
        assert model(farthing.mbr([texts, texts[::-1]])) == wanted
        assert model(farthing.mbr([texts], sources=ENGLISH[:1])) == wanted
    assert model(default().score_crossed([farthing_list(GERMAN * 3)])) == "multi"


def farthing_list(texts: list[str]) -> Any:
    from farthing.core.nbest import NBest

    return NBest(texts, texts)


def test_rerank_compares_with_the_source_if_there_are_no_references() -> None:
    lists = [[ENGLISH[0], "Nonsense."], [ENGLISH[1], "More of it."]]
    found = farthing.rerank(lists, sources=GERMAN[:2])
    named = farthing.rerank(lists, sources=GERMAN[:2], metric="frugalscore(size=source)")
    assert model(found) == model(named) == "source"
    assert found.scores.tolist() == named.scores.tolist()
    assert model(farthing.rerank(lists, ENGLISH[:2], sources=GERMAN[:2])) == "small"
    with pytest.raises(MissingInput, match=r"needs sources or references: give them \(-s or -r .* or use mbr"):
        farthing.rerank(lists)
    with pytest.raises(UsageError, match="use rerank"):
        farthing.mbr(lists, sources=GERMAN[:2], metric="frugalscore(size=source)")


def test_compare_and_tables_without_references() -> None:
    systems = {"a": ENGLISH, "b": ENGLISH[::-1]}
    rows = [
        {"system": name, "mt": text, "src": GERMAN[row]} for name in systems for row, text in enumerate(systems[name])
    ]
    for result in (
        farthing.compare(systems, sources=GERMAN),
        farthing.compare({**systems, "source": GERMAN}),
        farthing.compare(rows),
        farthing.compare([Pairs.of(texts, sources=GERMAN, system=name) for name, texts in systems.items()]),
    ):
        assert [row.system for row in result.rows] == ["a", "b"]
        assert {model(row.cells[0].scores) for row in result.rows} == {"source"}
    assert model(farthing.score({"mt": ENGLISH, "source": GERMAN})) == "source"
    assert model(default().score(ENGLISH, sources=GERMAN)) == "source"


def test_a_size_wins_and_is_refused_if_it_cannot_read() -> None:
    assert model(farthing.score(ENGLISH, ENGLISH, metric="frugalscore(size=multi)")) == "multi"
    assert model(farthing.score(ENGLISH, ENGLISH, metric="frugalscore(size=source)", sources=GERMAN)) == "source"
    for size in ("small", "tiny", "nano"):
        with pytest.raises(UsageError) as caught:
            farthing.score(GERMAN, GERMAN, metric=f"frugalscore(size={size})")
        assert str(caught.value) == (
            f"{size} reads only English, but 3 of 3 references look like something else (mostly German): leave out the "
            "size, or pass size=multi"
        )


def test_a_size_keeps_the_rule_of_the_half() -> None:
    mixed = [*ENGLISH, GERMAN[0]]
    assert model(farthing.score(mixed, mixed, metric="frugalscore(size=small)")) == "small"


@pytest.mark.parametrize(
    ("metric", "given", "said"),
    [
        ("frugalscore", {}, r"^frugalscore needs a reference or a source for every candidate \(-r or -s on the "),
        ("frugalscore(size=source)", {"references": ENGLISH}, r"^source compares with sources, and there are none: "
         r"give them \(-s on the command line, sources= in Python\), or leave out the size to compare with ref"),
        ("frugalscore(size=multi)", {"sources": ENGLISH}, r"^multi compares with references, and there are none: "
         r"give them \(-r on .*\), or pass size=source to compare with sources$"),
        ("frugalscore(size=multi)", {}, r"size=source"),
        ("frugalscore(size=small)", {"sources": ENGLISH}, r"size=source"),
        ("frugalscore", {"references": [["a"], [], ["b"]]}, r"row 2 has none"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(metric: str, given: dict[str, Any], said: str) -> None:
    for door in (farthing.score, lambda texts, **options: farthing.load(options.pop("metric")).score(texts, **options)):
        with pytest.raises(MissingInput, match=said):
            door(ENGLISH, metric=metric, **given)


def test_no_texts_are_no_question_of_references() -> None:
    with pytest.raises(UsageError, match="nothing to score"):
        farthing.score([], [])


def test_options_of_other_kinds_are_refused_before_there_are_texts() -> None:
    with pytest.raises(UsageError, match="limit=9 is for students of the kind cross"):
        farthing.load("frugalscore(limit=9)")


def test_identities_hold_all_that_may_be_chosen(with_every_size: Path) -> None:
    small, multi, source = ((with_every_size / size).resolve() for size in ("small", "multi", "source"))

    def folders(spec: str) -> set[Path]:
        return {Path(name).resolve() for name in contents(spec)}

    assert folders("frugalscore") == {small, multi, source}
    assert folders("frugalscore(size=small)") == {small}
    assert folders("frugalscore(size=source)") == {multi, source}  # it shares the encoder of multi
    assert identity("frugalscore") != identity("frugalscore(size=small)")


def test_a_signature_names_a_size_that_verify_finds() -> None:
    from farthing.scoring.verification import verify_signature

    for size, scores in {
        "small": farthing.score(ENGLISH, ENGLISH),
        "multi": farthing.score(GERMAN, GERMAN),
        "source": farthing.score(ENGLISH, sources=GERMAN),
    }.items():
        verified = verify_signature(str(scores.signature))
        assert verified.same, verified
        assert verified.spec == f"frugalscore(size={size})"


def test_an_alignment_is_made_by_the_student_that_reads_the_reference() -> None:
    found = default().align(GERMAN[0], GERMAN[1])
    named = farthing.load("frugalscore(size=multi)").align(GERMAN[0], GERMAN[1])
    assert found.parts == named.parts


def test_normalised_texts_are_decided_and_signed() -> None:
    scores = farthing.score(GERMAN, GERMAN, metric="frugalscore(normalise=lower)")
    assert (model(scores), scores.signature.fields["normalise"]) == ("multi", "lower")


@pytest.mark.usefixtures("with_english_only")
class TestWithoutTheOtherSizes:
    """An installation that has the English students only answers as ever."""

    def test_english_is_scored(self) -> None:
        assert model(default().score(ENGLISH, ENGLISH)) == "small"
        mixed = [*ENGLISH, GERMAN[0]]
        assert model(default().score(mixed, mixed)) == "small"

    def test_other_languages_are_refused(self) -> None:
        with pytest.raises(UsageError, match=r"^small reads only English, but 3 of 3 .* German\): use chrf, or bertsc"):
            default().score(GERMAN, GERMAN)

    def test_sources_do_not_stand_in_for_references(self) -> None:
        with pytest.raises(MissingInput, match=r"^frugalscore needs a reference for every candidate \(-r on the"):
            default().score(ENGLISH, sources=GERMAN)
        with pytest.raises(MissingInput, match=r"^frugalscore needs references"):
            farthing.rerank([ENGLISH], sources=GERMAN[:1], metric=default())

    def test_the_other_sizes_are_not_there(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "source").mkdir()
        monkeypatch.chdir(tmp_path)  # a folder of that name is none of Farthing's students
        with pytest.raises(ModelError, match="this installation of Farthing has no student of the size source"):
            farthing.load("frugalscore(size=source)")
        with pytest.raises(MissingInput):
            default().score(ENGLISH, sources=GERMAN)
        assert len(contents("frugalscore")) == 1
