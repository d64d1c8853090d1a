"""The worked examples of CONTRIBUTING.md: each is short, runs from outside, and gives numbers that can be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import farthing
from farthing.app.cli.main import main
from farthing.core import registry

PAGE = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"### (.+)\n(?:(?!```|###).*\n)*```python\n((?:.*\n)*?)```")
EXAMPLES = dict(BLOCK.findall(PAGE))


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What an example registers is forgotten after its test."""
    for kind in ("metric", "backend", "command"):
        monkeypatch.setitem(registry._ADDED, kind, {})
    return


def run(title: str) -> dict[str, object]:
    names: dict[str, object] = {"__name__": "example"}
    exec(compile(EXAMPLES[title], title, "exec", dont_inherit=True), names)
    return names


def test_every_example_is_short() -> None:
    assert list(EXAMPLES) == ["A token metric", "A set metric", "An encoder backend", "A command"]
    assert {title: code.count("\n") for title, code in EXAMPLES.items() if code.count("\n") > 40} == {}


def test_the_token_metric_is_the_precision_of_bertscore() -> None:
    run("A token metric")
    texts = ["the cat sat", "a dog", ""], ["the cat sat down", "two dogs ran", "x"]
    found = farthing.score(*texts, metric="nearest(model=nano)")
    expected = farthing.score(*texts, metric="bertscore(model=nano)").parts["precision"]
    assert np.allclose(found.segments, expected, atol=1e-6)
    assert "nearest|nrefs:1|model:nano" in str(found.signature)
    assert "power:1.0" in str(found.signature)
    with pytest.raises(farthing.SpecError, match="power=x is not number"):
        farthing.load("nearest(model=nano, power=x)")


def test_the_set_metric_is_the_distance_of_means() -> None:
    run("A set metric")
    random = np.random.default_rng(0)
    generated, corpus = random.normal(size=(50, 3)), random.normal(loc=(3, 0, 4), size=(80, 3))
    found = farthing.score(generated, corpus, metric="centroid")  # type: ignore[arg-type]
    assert found.corpus == pytest.approx(np.sqrt(np.square(generated.mean(0) - corpus.mean(0)).sum()))
    texts = farthing.score(["a cat", "a dog", "birds"], ["a cat", "a dog", "birds"], metric="centroid(model=nano)")
    assert texts.corpus == 0


def test_the_backend_sees_which_tokens_are_equal() -> None:
    run("An encoder backend")
    spec = "bertscore(model=nano, backend=hashed, layer=0)"
    same, other = farthing.score(["the cat", "cat"], ["the cat", "dog"], metric=spec).segments  # type: ignore[misc]
    assert same == pytest.approx(1)
    assert abs(other) < 0.5
    assert "backend:hashed" in str(farthing.score(["a"], ["a"], metric=spec).signature)


def test_the_command_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("A command")
    (tmp_path / "hyp.txt").write_text("the cat\nsat\n")
    for arguments, expected in (([], "2\n"), (["--words"], "3\n")):
        with pytest.raises(SystemExit) as left:
            main(["count", str(tmp_path / "hyp.txt"), *arguments])
        assert (left.value.code, capsys.readouterr().out) == (0, expected)
