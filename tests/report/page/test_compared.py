"""A report of a comparison in memory shows what the comparison says."""

from __future__ import annotations

import pytest

import farthing
from farthing.core.types import Pairs
from farthing.report.page.compared import comparison_content

REFERENCES = [["the cat sat"], ["it rained"], ["nobody came"]]
SYSTEMS = {"a": ["a cat sat", "it rains", "nobody"], "b": ["cats", "it rained", "nobody came"]}


def test_scores_tests_and_parts() -> None:
    found = farthing.compare(SYSTEMS, REFERENCES, ["chrf", "rouge"], resamples=20)
    texts = [Pairs(outputs, REFERENCES, system=name) for name, outputs in SYSTEMS.items()]
    content = comparison_content(found, texts, "a title")
    assert list(content.systems) == ["a", "b"]
    assert [measure.label for measure in content.measures] == ["chrf", "rouge1", "rouge2", "rougeL", "rougeLsum"]
    for row in found.rows:
        shown = content.scores[row.system, "chrf"]
        assert shown.corpus == row.cells[0].scores.corpus
        assert shown.interval is not None
        parts = row.cells[1].scores.parts
        assert content.scores[row.system, "rouge1"].corpus == pytest.approx(parts["rouge1"].mean())  # type: ignore[union-attr]
    assert content.scores["a", "chrf"].p_value is None
    assert content.scores["b", "chrf"].p_value is not None
    assert content.baselines == {"a"}
    assert any("Tested against a" in sentence for sentence in content.sentences)
    assert content.rows == 3
