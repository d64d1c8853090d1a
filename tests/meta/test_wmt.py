"""Folders, MQM tables, joined tables and preferences as WMT has them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.files.columns import Columns
from farthing.meta.correlation import correlate
from farthing.meta.human import HumanColumns, judgements_of
from farthing.meta.join import join_scores
from farthing.meta.mqm import penalty, read_mqm
from farthing.meta.preferences import STATISTIC, read_preferences
from farthing.meta.wmt import read_folder


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


EVALUATION = {
    "system-outputs/de-en/A.txt": "a1\na2\n",
    "system-outputs/de-en/B.txt": "b1\nb2\n",
    "references/de-en.refA.txt": "r1\nr2\n",
    "references/de-en.refB.txt": "q1\nq2\n",
    "sources/de-en.txt": "s1\ns2\n",
    "human-scores/de-en.mqm.seg.score": "A\t-1\nA\tNone\nB\t-2.5\nB\t0\n",
    "human-scores/de-en.mqm.sys.score": "A\t-1\nB\t-1.25\n",
}


def test_one_file_a_system(tmp_path: Path) -> None:
    found = read_folder(str(put(tmp_path, EVALUATION)))
    assert found.texts.candidates == ["a1", "a2", "b1", "b2"]
    assert [list(row) for row in found.texts.references] == [["r1"], ["r2"], ["r1"], ["r2"]]
    assert found.texts.sources == ["s1", "s2", "s1", "s2"]
    assert found.grids()[0].spread(found.judged("mqm")) == pytest.approx(
        np.array([[-1, np.nan], [-2.5, 0]]), nan_ok=True
    )
    assert found.system_scores["score"]["de-en", "B"] == -1.25


def test_a_reference_can_be_chosen(tmp_path: Path) -> None:
    put(tmp_path, EVALUATION)
    chosen = read_folder(str(tmp_path), HumanColumns(Columns(reference=("refB", "refA"))))
    assert list(chosen.texts.references[0]) == ["q1", "r1"]
    with pytest.raises(InputError, match="no reference 'refC'"):
        read_folder(str(tmp_path), HumanColumns(Columns(reference=("refC",))))


def test_parallel_files_of_direct_assessments(tmp_path: Path) -> None:
    files = {"mt-system": "x\ny\n", "reference": "r\nq\n", "source": "s\nt\n", "human": "0.5\n-0.25\n"}
    put(tmp_path, {f"DAseg.{role}.cs-en": text for role, text in files.items()})
    found = read_folder(str(tmp_path))
    assert (found.texts.candidates, found.judged().tolist()) == (["x", "y"], [0.5, -0.25])
    (tmp_path / "DAseg.human.cs-en").write_text("0.5\n")
    with pytest.raises(InputError, match=r"DAseg.human.cs-en: only 1 lines"):
        read_folder(str(tmp_path))


def test_an_unknown_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no layout of WMT"):
        read_folder(str(tmp_path))


@pytest.mark.parametrize(
    ("category", "severity", "weight"),
    [
        ("Accuracy/Mistranslation", "Major", 5),
        ("Non-translation!", "Major", 25),
        ("Fluency/Grammar", "Minor", 1),
        ("Fluency/Punctuation", "Minor", 0.1),
        ("Style/Awkward", "Neutral", 0),
        ("No-error", "No-error", 0),
    ],
)
def test_weights_of_errors(category: str, severity: str, weight: float) -> None:
    assert penalty(category, severity) == weight


def test_errors_are_summed_by_rater_and_averaged(tmp_path: Path) -> None:
    head = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = [
        "A\td\t1\t2\tr1\ts\ta <v>bad</v> one\tAccuracy/Addition\tMajor",
        "A\td\t1\t2\tr1\ts\t<v>a</v> bad one\tFluency/Punctuation\tMinor",
        "A\td\t1\t2\tr2\ts\ta bad one\tNo-error\tNo-error",
    ]
    put(tmp_path, {"mqm.tsv": head + "\n".join(rows) + "\n", "ref.txt": "first\nsecond\n"})
    found = read_mqm(str(tmp_path / "mqm.tsv"), str(tmp_path / "ref.txt"))
    assert found.texts.candidates == ["a bad one"]
    assert list(found.texts.references[0]) == ["second"]
    assert found.judged().tolist() == [pytest.approx(-(5.1 + 0) / 2)]
    (tmp_path / "ref.txt").write_text("first\n")
    with pytest.raises(InputError, match="seg_id 2, but there are 1 references"):
        read_mqm(str(tmp_path / "mqm.tsv"), str(tmp_path / "ref.txt"))


def outputs() -> list[tuple[int, dict[str, object]]]:
    rows = [
        {
            "lp": lp,
            "system": system,
            "segment_id": segment,
            "reference": f"r{segment}",
            "candidate": f"{system}{segment}",
        }
        for lp in ("de-en", "cs-en")
        for system in "AB"
        for segment in (1, 2)
    ]
    return list(enumerate(rows, start=1))


def test_scores_from_a_table_of_their_own(tmp_path: Path) -> None:
    table = tmp_path / "da.tsv"
    table.write_text("lp\tsystem\tsegment\tz\nde-en\tA\t1\t0.5\nde-en\tA\t1\t1.5\ncs-en\tB\t2\t-1\n")
    found = join_scores(judgements_of(outputs()), str(table))
    scores = dict(zip(zip(found.groups, found.texts.candidates, strict=True), found.judged("z").tolist(), strict=True))
    assert (scores["de-en", "A1"], scores["cs-en", "B2"]) == (1.0, -1.0)
    assert np.isnan(scores["cs-en", "A1"])
    assert "6 outputs have no score" in str(found.notes[0])


def test_scores_of_whole_systems(tmp_path: Path) -> None:
    table = tmp_path / "sys.tsv"
    table.write_text("year\tlp\tsystem\tscore\nWMT\tde-en\tA\t0.5\nWMT\tcs-en\tB\t0.1\n")
    found = join_scores(judgements_of(outputs()), str(table))
    assert found.system_scores["score"]["de-en", "A"] == 0.5
    assert np.isnan(found.system_scores["score"]["cs-en", "A"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lp\tscore\nde-en\t1\n", "no column of systems"),
        ("system\tlp\tfame\nA\tde-en\t1\n", "no column of scores"),
        ("system\tlp\tscore\nX\tde-en\t1\n", "none of its rows fits"),
    ],
)
def test_tables_that_cannot_be_joined(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "t.tsv").write_text(text)
    with pytest.raises(InputError, match=words):
        join_scores(judgements_of(outputs()), str(tmp_path / "t.tsv"))


def test_better_and_worse_texts(tmp_path: Path) -> None:
    rows = [{"better": "good", "worse": "bad", "reference": "r"}, {"better": "fine", "worse": "poor", "reference": "q"}]
    path = tmp_path / "rr.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_preferences(str(path))
    grid = found.grids()[0]
    length = np.array([len(text) for text in found.texts.candidates], dtype=float)
    # "good" is longer than "bad", "fine" as long as "poor": a tie is discordant.
    result = correlate(grid.spread(found.judged()), grid.spread(length), STATISTIC, "item")
    assert (result.value, result.pairs) == (0, 2)


def test_better_and_worse_systems(tmp_path: Path) -> None:
    path = tmp_path / "rr.tsv"
    path.write_text("LP\tDATA\tSID\tBETTER\tWORSE\nde-en\tx\t2\tB\tA\n")
    found = read_preferences(str(path), outputs=judgements_of(outputs()))
    assert found.texts.candidates == ["B2", "A2"]
    path.write_text("LP\tDATA\tSID\tBETTER\tWORSE\nde-en\tx\t9\tB\tA\n")
    with pytest.raises(InputError, match="no output of B for segment 9"):
        read_preferences(str(path), outputs=judgements_of(outputs()))
