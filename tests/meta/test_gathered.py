"""The metrics of a study: which are wanted, and in which order their scores come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.core.progress import Progress, watching
from farthing.core.registry import DEFAULT
from farthing.core.specs import parse_spec, parse_specs
from farthing.meta.gathered import gather_scores, wanted_metrics
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.scored import score_judgements

NOTHING = ScoreStore(None)


@pytest.fixture
def scores(tmp_path: Path) -> str:
    path = tmp_path / "mine.txt"
    path.write_text("6\n5\n4\n3\n2\n1\n")
    return str(path)


def test_the_default_metric_is_computed_unless_there_are_files() -> None:
    assert wanted_metrics(None) == parse_specs(DEFAULT)
    assert wanted_metrics(None, ["mine=x.txt"]) == []
    assert list(map(str, wanted_metrics("bleu,chrf(beta=3)", ["mine=x.txt"]))) == ["bleu", "chrf(beta=3)"]
    with pytest.raises(UnknownName, match="did you mean 'chrf'"):
        wanted_metrics("bleu,chrff")


def test_computed_scores_come_first_then_files(six_judged: Judgements, scores: str) -> None:
    found = gather_scores(six_judged, parse_specs("chrf,ter"), [f"mine={scores}"], ["mine"], NOTHING)
    assert [one.name for one in found] == ["chrf", "ter", "mine"]
    assert [one.higher_is_better for one in found] == [True, False, False]
    alone = score_judgements(six_judged, parse_spec("ter"), NOTHING)
    assert found[1].values.tolist() == alone.values.tolist()
    assert found[2].values.tolist() == [6, 5, 4, 3, 2, 1]


def test_progress_counts_outputs_times_computed_metrics(six_judged: Judgements, scores: str) -> None:
    opened: list[tuple[str, int | None]] = []
    told: dict[str, list[int]] = defaultdict(list)

    @contextmanager
    def bar(title: str, total: int | None = None) -> Iterator[Progress]:
        opened.append((title, total))
        yield told[title].append

    with watching(bar):
        gather_scores(six_judged, parse_specs("chrf,bleu"), [f"mine={scores}"], [], NOTHING)
    assert [entry for entry in opened if entry[0] == "scoring"] == [("scoring", 12)]
    assert sum(told["scoring"]) == 12


@pytest.mark.parametrize(
    ("metrics", "files", "lower", "words"),
    [
        ("chrf,bleu,chrf", [], [], "the metric chrf is given twice"),
        ("chrf", ["chrf=none.txt"], [], "the metric chrf is given twice"),
        ("chrf", ["a=none.txt", "a=none.txt"], [], "the metric a is given twice"),
        ("ter", ["mine=none.txt"], ["ter"], r"unknown score file in --lower 'ter'.*there are: mine"),
    ],
)
def test_names_are_checked_before_anything_is_read(
    six_judged: Judgements, metrics: str, files: list[str], lower: list[str], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        gather_scores(six_judged, parse_specs(metrics), files, lower, NOTHING)
