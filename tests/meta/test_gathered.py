"""The metrics of a study: which ones are computed, and names that clash."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.core.registry import DEFAULT
from farthing.core.specs import parse_specs
from farthing.meta.gathered import gather_scores, wanted_metrics
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore


def test_the_default_metric_is_computed_unless_scores_are_given() -> None:
    assert [spec.name for spec in wanted_metrics(None)] == [DEFAULT]
    assert wanted_metrics(None, ["mine=x.txt"]) == []
    assert [str(spec) for spec in wanted_metrics("chrf,bleu", ["mine=x.txt"])] == ["chrf", "bleu"]
    with pytest.raises(UnknownName, match="did you mean 'chrf'"):
        wanted_metrics("chrff")


def test_computed_metrics_come_before_files(tmp_path: Path, six_judged: Judgements) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("".join(f"{row}\n" for row in range(6)))
    files = [f"mine={path}"]
    found = gather_scores(six_judged, parse_specs("chrf,ter"), files, ["mine"], ScoreStore(None))
    assert [(one.name, one.higher_is_better) for one in found] == [("chrf", True), ("ter", False), ("mine", False)]
    assert found[2].oriented.tolist() == [0, -1, -2, -3, -4, -5]


def test_names_that_clash_or_are_unknown(six_judged: Judgements) -> None:
    store = ScoreStore(None)
    with pytest.raises(UsageError, match="the metric chrf is given twice"):
        gather_scores(six_judged, parse_specs("chrf"), ["chrf=x.txt"], [], store)
    with pytest.raises(UnknownName, match="unknown score file in --lower 'chrf'"):
        gather_scores(six_judged, parse_specs("chrf"), ["mine=x.txt"], ["chrf"], store)


def test_set_metrics_are_refused(six_judged: Judgements) -> None:
    with pytest.raises(UsageError, match="fid judges a set"):
        gather_scores(six_judged, parse_specs("fid"), [], [], ScoreStore(None))
