"""Agreement with people, and quality against cost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from farthing.core.errors import InputError
from farthing.files.run import Run
from farthing.report.page.gather import run_content
from farthing.report.page.studies import document_sections, judged_section, read_document

STUDY = {
    "farthing": "0",
    "kind": "meta-correlate",
    "data": "some/wmt.jsonl",
    "human": "score",
    "notes": [],
    "question": {"statistic": "pearson"},
    "groups": ["de-en", "fr-en"],
    "metrics": [
        {
            "name": "chrf",
            "groups": {"de-en": {"value": 0.5, "unbeaten": True}, "fr-en": {"value": None, "unbeaten": False}},
            "mean": 0.5,
            "pooled": {"value": 0.4, "unbeaten": False},
        }
    ],
    "points": {"human": [1.0, 2.0], "groups": ["de-en", "fr-en"], "metrics": {"chrf": [10.0, None]}},
}
BENCH = {
    "kind": "bench",
    "plan": {"statistic": "pearson"},
    "rows": [
        {"label": "chrf", "data": "wmt", "seconds": 0.001, "memory": {"median": 5e7}, "quality": 0.5},
        {"label": "slow", "data": "wmt", "seconds": 0.01, "memory": {"median": 9e7}, "quality": None},
    ],
    "fronts": [{"data": "wmt", "cost": "time", "labels": ["chrf"]}],
}


def test_a_study_is_a_table_with_charts(tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    path.write_text(json.dumps(STUDY))
    [section] = document_sections(read_document(path))
    assert section.title == "Agreement with people: wmt.jsonl"
    assert list(section.table.columns) == ["de-en", "fr-en", "mean", "pooled"]
    assert section.table.rows == [("chrf", [0.5, None, 0.5, 0.4])]
    assert section.table.marked == {(0, 0)}
    assert "1 outputs" in section.charts[0]


def test_a_bench_is_a_table_with_fronts(tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(BENCH))
    [section] = document_sections(read_document(path))
    assert section.table.rows == [("chrf", [0.5, 1.0, 50.0]), ("slow", [None, 10.0, 90.0])]
    assert len(section.charts) == 2  # time and memory


@pytest.mark.parametrize("content", ['{"kind": "meta-select"}', "[1]", "not json"])
def test_other_documents_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"other\.json"):
        read_document(path)


def test_labels_are_correlated_with_the_stored_scores(tested_run: Run, tmp_path: Path) -> None:
    labels = [("one", 1, 50), ("one", 2, 10), ("two", 1, 90), ("three", 2, 95), ("three", 4, 100)]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps({"system": s, "row": r, "score": v}) + "\n" for s, r, v in labels))
    section = judged_section(run_content(tested_run), str(path))
    human = np.array([value for _, _, value in labels])
    for label, [pearson, spearman, kendall, count] in section.table.rows:
        scores = np.array([tested_run.scores(label, s).segments[r - 1] for s, r, _ in labels])  # type: ignore[index]
        assert pearson == pytest.approx(stats.pearsonr(human, scores).statistic)
        assert spearman == pytest.approx(stats.spearmanr(human, scores).statistic)
        assert kendall == pytest.approx(stats.kendalltau(human, scores).statistic)
        assert count == 5
