"""Folders, MQM tables, joined tables and preferences as WMT has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.columns import Columns
from farthing.core.errors import InputError
from farthing.meta.read.human import HumanColumns
from farthing.meta.read.wmt import read_folder


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
    with pytest.raises(InputError, match="not a known layout of WMT"):
        read_folder(str(tmp_path))
