"""Reading what people judged, with rows that cannot be used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError, InputError
from farthing.learn.data.judgements import NAMED, read_judged, texts_in

Writer = Callable[[str, list[dict[str, object]]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    def one(name: str, rows: list[dict[str, object]]) -> Path:
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return tmp_path / name

    return one


def row(number: int, **more: object) -> dict[str, object]:
    return {"candidate": f"c{number}", "reference": f"r{number}", "score": number, **more}


def test_reading_judged_pairs(write: Writer) -> None:
    rows: list[dict[str, object]] = [
        {"candidate": "a b", "reference": "a", "score": 1, "lp": "de-en"},
        {"candidate": "a c", "reference": ["a", "c"], "score": 2, "lp": "de-en"},
        {"candidate": "x", "reference": "y", "score": None, "lp": "de-en"},
        {"candidate": "b", "reference": "b", "score": 5, "lp": "fi-en"},
        {"candidate": "q", "reference": "q", "score": 9, "lp": "en-ru"},
    ]
    data = read_judged(write("people.jsonl", rows), groups=["*-en"])
    assert data.scores.tolist() == [1, 2, 5]
    assert data.references == [["a"], ["a", "c"], ["b"]]
    assert (data.name, data.groups) == ("people", ["de-en", "de-en", "fi-en"])
    same = write("same.jsonl", [{**one, "score": 3} for one in rows])
    with pytest.raises(InputError, match=r"all human scores are the same \(3\)"):
        read_judged(same)
    with pytest.raises(FarthingError, match=r"unknown group '\*-fr'.* .there are: de-en, en-ru, fi-en"):
        read_judged(same, groups=["*-fr"])
    with pytest.raises(FarthingError, match="1 judged pairs are too few"):
        read_judged(same, groups=["en-*"])


def test_a_bad_row_among_many_is_left_out_and_named(write: Writer) -> None:
    rows = [row(n) for n in range(20)]
    del rows[0]["reference"], rows[7]["reference"]
    rows[3]["candidate"] = None
    rows[5]["score"] = None
    rows[9]["reference"] = []
    path = write("h.jsonl", rows)
    said: list[str] = []
    data = read_judged(path, log=said.append)
    assert data.candidates == [f"c{n}" for n in range(20) if n not in (0, 3, 5, 7, 9)]
    reasons = [(1, "reference"), (4, "candidate"), (6, "score"), (8, "reference"), (10, "reference")]
    assert said == [f"{path}:{line}: left out: it has no {what}" for line, what in reasons]


def test_many_bad_rows_are_counted(write: Writer) -> None:
    path = write("h.jsonl", [row(n) for n in range(9)] + [{"candidate": "x", "score": 1}] * 30)
    said: list[str] = []
    assert len(read_judged(path, log=said.append)) == 9
    assert len(said) == NAMED + 1
    assert said[-1] == f"{path}: 30 rows are left out in all"


def test_nothing_that_can_be_used(write: Writer) -> None:
    with pytest.raises(InputError, match=r"h\.jsonl: no row has a candidate and a reference"):
        read_judged(write("h.jsonl", [{"candidate": "x", "score": 1}] * 3))
    with pytest.raises(InputError, match=r"h\.jsonl:1: no row can be used: it has no reference"):
        read_judged(write("h.jsonl", [{"candidate": "x", "reference": "", "score": 1}] * 3))


def test_a_malformed_score_is_an_error_with_its_line(write: Writer) -> None:
    with pytest.raises(InputError, match=r"h\.jsonl:2: 'high' in column 'score' is not a number"):
        read_judged(write("h.jsonl", [row(1), row(2, score="high"), row(3), row(4)]))


def test_texts_of_other_files_can_be_barred(write: Writer) -> None:
    rows = [row(n) for n in range(5)]
    barred = write("b.jsonl", [{"candidate": "r3", "reference": "other", "score": 1}])
    assert read_judged(write("h.jsonl", rows), without=[barred]).candidates == ["c0", "c1", "c2", "c4"]
    with pytest.raises(InputError, match="no row is left"):
        read_judged(write("some.jsonl", rows[:2]), without=[write("all.jsonl", rows)])


def test_a_training_split_can_be_kept_apart_from_the_test_split_of_its_file(write: Writer) -> None:
    rows = [row(n, split="train") for n in range(5)]
    rows += [{"candidate": "r2", "reference": "c4", "score": 1, "split": "test"}]
    file = write("h.jsonl", rows)
    assert read_judged(file, only={"split": "train"}).candidates == ["c0", "c1", "c2", "c3", "c4"]
    assert read_judged(file, only={"split": "train"}, without=[file]).candidates == ["c0", "c1", "c3"]


def test_columns_can_be_named(write: Writer) -> None:
    path = write("h.jsonl", [row(n, fluency=n * n, domain=f"d{n % 2}", lp="x") for n in range(6)])
    data = read_judged(path, human="fluency", by="domain", groups=["d1"])
    assert data.scores.tolist() == [1, 9, 25]
    assert set(read_judged(path, by="none").groups) == {"all"}


def test_all_texts_of_files(write: Writer) -> None:
    files = [write("a.jsonl", [row(1)]), write("b.jsonl", [{"candidate": None, "reference": ["x", "y"]}, row(2)])]
    assert texts_in(map(str, files)) == {"c1", "r1", "x", "y", "c2", "r2"}


def test_rows_with_divisible_numbers_are_left_out(write: Writer) -> None:
    path = write("h.jsonl", [row(n, segment_id=n) for n in range(12)])
    data = read_judged(path, indivisible={"segment_id": 4})
    assert data.candidates == [f"c{n}" for n in range(12) if n % 4]


def test_several_columns_count_alike_whatever_their_scale(write: Writer) -> None:
    first, second = np.array([1.0, 2, 4, 9, 3, 7]), np.array([900.0, 100, 500, 300, 200, np.nan])
    groups = np.array(list("aaabbb"))
    rows = [
        row(n, lp=str(groups[n]), judges={"x": first[n], "y": None if np.isnan(second[n]) else second[n]})
        for n in range(6)
    ]
    data = read_judged(write("h.jsonl", rows), human=("judges.x", "judges.y"), by="lp")
    wanted = []
    for group in "ab":
        own = groups == group
        standard = [(one[own] - np.nanmean(one[own])) / np.nanstd(one[own]) for one in (first, second)]
        wanted += list(np.nanmean(standard, axis=0))
    assert data.scores == pytest.approx(np.array(wanted))


def test_outputs_of_one_segment_are_known(write: Writer) -> None:
    rows = [row(n, lp="de-en", segment_id=n // 2, source=f"s{n // 2}", system=f"x{n % 2}") for n in range(6)]
    names = read_judged(write("h.jsonl", rows)).segments
    assert [names.index(name) for name in names] == [0, 0, 2, 2, 4, 4]


def test_a_second_output_of_one_system_for_one_segment_is_left_out(write: Writer) -> None:
    rows = [row(n, system="x", segment_id=n, source=f"s{n}") for n in range(6)]
    rows.append({**rows[2], "candidate": "another"})
    rows.append({**rows[3], "score": 100})  # the same output, judged again
    said: list[str] = []
    data = read_judged(write("h.jsonl", rows), log=said.append)
    assert data.candidates == [f"c{n}" for n in range(6)]
    assert data.scores[3] == 51.5
    assert said == [f"{write('h.jsonl', rows)}:7: left out: its system has another output for the same segment"]
