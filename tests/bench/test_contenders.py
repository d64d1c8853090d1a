"""Who is measured: metrics times encoders times data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.bench.contenders import contenders, expanded, short_label
from farthing.bench.data import BenchData, read_bench_data
from farthing.bench.peers import Peer
from farthing.core.errors import FarthingError
from farthing.core.specs import parse_spec
from farthing.meta.read.human import HumanColumns


def test_metrics_over_every_encoder() -> None:
    found = expanded("chrf,bertscore,moverscore(model=x),bertscore(layer=2)", ["a", "b"])
    assert list(map(str, found)) == [
        "chrf",
        "bertscore(model=a)",
        "bertscore(model=b)",
        "moverscore(model=x)",
        "bertscore(layer=2, model=a)",
        "bertscore(layer=2, model=b)",
    ]


@pytest.mark.parametrize(
    ("text", "encoders", "message"),
    [
        ("chrf", ["a"], "has nothing to do"),
        ("distinct", [], "judges a set"),
        ("chrf(size=3)", [], "size"),
        ("chrff", [], "did you mean 'chrf'"),
    ],
)
def test_mistakes(text: str, encoders: list[str], message: str) -> None:
    with pytest.raises(FarthingError, match=message):
        expanded(text, encoders)


def test_data_sets_are_named_if_there_are_several(judged: BenchData, judged_file: Callable[..., str]) -> None:
    other = read_bench_data(judged_file("other"), HumanColumns())
    peer = Peer.of("mine=run {candidates}")
    assert [one.label for one in contenders(expanded("chrf"), [peer], [judged])] == ["chrf", "mine"]
    found = contenders(expanded("chrf"), [peer], [judged, other])
    assert [one.label for one in found] == ["chrf on judged", "mine on judged", "chrf on other", "mine on other"]


def test_nothing_and_the_same_twice(judged: BenchData) -> None:
    with pytest.raises(FarthingError, match="nothing to measure"):
        contenders([], [], [judged])
    with pytest.raises(FarthingError, match="chrf is asked for twice"):
        contenders(expanded("chrf"), [Peer.of("chrf=run {candidates}")], [judged])


def test_labels_have_no_paths(tmp_path: Path) -> None:
    (tmp_path / "minilm").mkdir()
    assert short_label(parse_spec(f"bertscore(model={tmp_path}/minilm)")) == "bertscore(model=minilm)"
    assert short_label(parse_spec("bertscore(model=org/name)")) == "bertscore(model=org/name)".replace("'", '"')
