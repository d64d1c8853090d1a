"""The assertion for promptfoo: its contract, and a real evaluation if promptfoo is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import farthing
from farthing.core.types import MetricInfo
from farthing.integrations.promptfoo import get_assert, unit_score

CONFIG = """
prompts: ['{{answer}}']
providers: [echo]
tests:
  - vars: {answer: the cat sat, expected: the cat sat down}
  - vars: {answer: a dog ran, expected: it rains}
defaultTest:
  assert:
    - type: python
      value: file://farthing_assert.py
      config: {metric: chrf, threshold: 60, reference: expected}
"""


def test_a_real_evaluation(tmp_path: Path) -> None:
    command = os.environ.get("PROMPTFOO") or shutil.which("promptfoo")
    if command is None:
        pytest.skip("promptfoo is not here: npm install -g promptfoo, or set PROMPTFOO to its path")
    (tmp_path / "farthing_assert.py").write_text("from farthing.integrations.promptfoo import get_assert\n")
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG)
    quiet = dict.fromkeys(
        ("PROMPTFOO_DISABLE_TELEMETRY", "PROMPTFOO_DISABLE_UPDATE", "PROMPTFOO_DISABLE_REMOTE_GENERATION"), "1"
    )
    environment = {
        **os.environ,
        **quiet,
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "c"),
        "PROMPTFOO_PYTHON": sys.executable,
    }
    done = subprocess.run(
        [command, "eval", "--no-cache", "--no-table", "-o", "out.json"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (tmp_path / "out.json").exists(), done.stdout + done.stderr
    results = json.loads((tmp_path / "out.json").read_text())["results"]["results"]
    results.sort(key=lambda result: result["testIdx"])
    assert [result["success"] for result in results] == [True, False]
    expected = [
        farthing.score(["the cat sat"], ["the cat sat down"], metric="chrf").corpus,
        farthing.score(["a dog ran"], ["it rains"], metric="chrf").corpus,
    ]
    assert [result["score"] for result in results] == pytest.approx([number / 100 for number in expected])
    assert [result["namedScores"]["chrf"] for result in results] == pytest.approx(expected)
    assert results[1]["gradingResult"]["componentResults"][0]["reason"].endswith("at least 60 is asked for")


def asserted(output: object, variables: dict[str, object], **config: object) -> dict[str, object]:
    return dict(get_assert(output, {"vars": variables, "config": config}))


def test_the_threshold_is_on_the_scale_of_the_metric() -> None:
    variables: dict[str, object] = {"reference": "the cat sat down"}
    number = farthing.score(["the cat sat"], ["the cat sat down"], metric="chrf").corpus
    passed = asserted("the cat sat", variables, metric="chrf", threshold=60)
    assert passed == {
        "pass": True,
        "score": pytest.approx(number / 100),
        "reason": "chrf 66.02, at least 60 is asked for",
        "namedScores": {"chrf": number},
    }
    assert not asserted("the cat sat", variables, metric="chrf", threshold=70)["pass"]
    assert asserted("the cat sat", variables, metric="ter", threshold=25)["pass"]  # lower is better
    assert not asserted("the cat sat", variables, metric="ter", threshold=24)["pass"]
    assert asserted("the cat sat", variables, metric="ter")["score"] == 0.75


def test_the_default_metric_needs_no_configuration() -> None:
    found = get_assert("the cat sat", {"vars": {"reference": "the cat sat"}})
    assert found["pass"]
    assert list(found["namedScores"]) == ["frugalscore"]


@pytest.mark.usefixtures("with_every_size")
def test_the_default_metric_compares_with_the_source_if_there_is_no_reference() -> None:
    number = farthing.score(["the cat"], sources=["die Katze"]).corpus
    for variables, config in (({"source": "die Katze"}, {}), ({"german": "die Katze"}, {"source": "german"})):
        found = asserted("the cat", dict(variables), **config)
        assert found["namedScores"] == {"frugalscore": number}
    both = asserted("the cat", {"reference": "the cat", "source": "die Katze"})
    assert both["namedScores"] == {"frugalscore": 100}
    assert "no variable 'reference'" in str(asserted("the cat", {"text": "die Katze"})["reason"])
    assert "no variable 'gold'" in str(asserted("the cat", {"source": "die Katze"}, reference="gold")["reason"])


def test_several_references() -> None:
    variables: dict[str, object] = {"one": "a dog", "two": "the cat sat", "both": ["a dog", "the cat sat"]}
    assert asserted("the cat sat", variables, metric="chrf", reference=["one", "two"])["score"] == 1
    assert asserted("the cat sat", variables, metric="chrf", reference="both")["score"] == 1


def test_structured_output_is_compared_as_json() -> None:
    assert asserted({"a": ["é"]}, {"reference": '{"a": ["é"]}'}, metric="chrf")["score"] == 1


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"reference": "gold"}, "no variable 'gold' (there are: reference)"),
        ({"metric": "chrff"}, "did you mean 'chrf'"),
        ({"metric": "impar(model=nano)"}, "judges a set"),
        ({"treshold": 3}, "config has 'treshold', but takes only metric, threshold"),
        ({"threshold": "high"}, "threshold is 'high': give a number"),
        ({"metric": "xmoverscore(model=nano, monolingual=true)"}, "no variable 'source'"),
    ],
)
def test_a_mistake_is_the_reason_of_the_failure(config: dict[str, object], message: str) -> None:
    found = asserted("x", {"reference": "y"}, **{"metric": "chrf", **config})
    assert not found["pass"]
    assert message in str(found["reason"])


def test_scales_become_promptfoos() -> None:
    def scale(number: float, *ends: float | None, higher: bool = True) -> float:
        return unit_score(number, MetricInfo("x", "", "", (ends[0], ends[1]), higher_is_better=higher), passed=True)

    assert scale(0.5, 0, 1) == 0.5
    assert scale(0.0, -1, 1) == 0.5
    assert scale(-46.0, None, None) == 0.0
    assert scale(130.0, 0, None, higher=False) == 0.0
    assert scale(-3.2, None, 0) == 1.0  # no scale from 0 to 1: passed or not
