"""`farthing bench` as a user types it."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

from farthing.report.bench_document import bench_schema

Command = Callable[..., Any]


@pytest.fixture
def judged(made_bench: ModuleType, tmp_path: Path) -> str:
    return made_bench.write_judged(tmp_path / "judged.jsonl")


def test_metrics_and_a_command_in_one_table(farthing: Command, judged: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    code = "import sys; [print(len(line)) for line in open(sys.argv[1])]"
    said = farthing(
        "bench", judged, "-m", "chrf,frugalscore(size=nano)", "--repeats", "1", "--part", "4", "--batches", "1",
        "--command", f"length={shlex.quote(sys.executable)} -c {shlex.quote(code)} {{candidates}}",
        "-o", str(tmp_path / "bench.json"), "--plot", str(tmp_path / "pareto.png"),
    ).stdout  # fmt: skip
    assert [line.split()[0] for line in said.splitlines()[2:5]] == ["chrf", "frugalscore(size=nano)", "length"]
    document = json.loads((tmp_path / "bench.json").read_text())
    jsonschema.validate(document, bench_schema())
    assert [row["quality"] is not None for row in document["rows"]] == [True, True, True]
    assert document["rows"][0]["agreement"]["groups"].keys() == {"de-en", "fr-en"}
    assert (tmp_path / "pareto.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--human", "fluency"], "no column 'fluency'"),
        (["--batches", "0"], "--batches 0 is not a list"),
        (["--scenario", "9"], "SEGMENTSxPAIRSxSYSTEMS"),
        (["--statistic", "person"], "did you mean 'pearson'"),
        (["--command", "x=y"], "write {candidates}"),
        (["--command", "x=no-such-program {candidates}"], "there is no program no-such-program"),
        (["--encoders", "nano"], "has nothing to do"),
        (["--train", "no/such"], "no/such"),
        (["--adapters", "lora"], "name encoders with --train"),
        (["--train", "nano", "--adapters", "prefix"], "unknown adapter 'prefix'"),
        (["--human", "none", "--plot", "p.png"], "no human scores"),
        (["--plot", "p.gif"], "unknown kind of picture"),
        (["-o", "bench.txt"], "results are written as .json"),
        (["--repeats", "0"], "at least 1"),
    ],
)
def test_mistakes_are_said_before_anything_is_measured(
    options: list[str], message: str, farthing: Command, judged: str
) -> None:
    assert message in farthing("bench", judged, "-m", "chrf", *options, code=2).stderr


def test_scores_that_no_correlation_can_be_computed_with(
    farthing: Command, made_bench: ModuleType, tmp_path: Path
) -> None:
    same = made_bench.write_judged(tmp_path / "same.jsonl", {place: {"score": 1} for place in range(6)})
    gap = made_bench.write_judged(tmp_path / "gap.jsonl", {2: {"score": float("nan")}})
    assert "no correlation with them is defined" in farthing("bench", same, "-m", "chrf", code=2).stderr
    assert "row 3 has no number" in farthing("bench", gap, "-m", "chrf", code=2).stderr
