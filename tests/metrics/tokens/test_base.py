"""The base of token metrics: a metric written in a few lines, what is encoded for it, and sharing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

from farthing.core import registry
from farthing.core.errors import MissingInput, SpecError
from farthing.core.options import options_of
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Pairs
from farthing.metrics.tokens import moverscore
from farthing.metrics.tokens.base import TokenMetric, reference_count
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.metrics.tokens.results import RowScore
from farthing.scoring.engine import score_stretch

CANDIDATES = ["the cat sat", "a dog, watching", "shares fell"]
REFERENCES = [["the cat sat", "the mat"], ["the dog was watching"], ["the bank's shares"]]
SOURCES = ["the cat", "it pours", "rain"]


@dataclass(kw_only=True, eq=False)
class Length(TokenMetric[float]):
    """The number of tokens of the candidate, divided by that of its longest reference."""

    about = MetricInfo("length", "Ratio of lengths.", "none", (0, None))
    power: Annotated[float, "an exponent"] = 1.0

    def row(self, texts: EncodedRow) -> float:
        sizes = [len(text.ids[text.content]) for text in texts.texts]
        return float(sizes[0] / max(sizes[1:]) ** self.power)

    def fields(self) -> dict[str, Value]:
        return {"power": self.power}


@dataclass(kw_only=True, eq=False)
class AllTexts(TokenMetric[RowScore]):
    """Needs references and the source, and keeps what it saw."""

    about = MetricInfo("alltexts", "for this test", "none", (0, None), needs=frozenset({"reference", "source"}))

    def row(self, texts: EncodedRow) -> RowScore:
        assert texts.source is not None
        sizes = [len(text.ids[text.content]) for text in (texts.candidate, *texts.references, texts.source)]
        parts = {"candidate": float(sizes[0]), "references": float(sum(sizes[1:-1])), "source": float(sizes[-1])}
        return RowScore(float(len(sizes)), parts)


@dataclass(kw_only=True, eq=False)
class Words(TokenMetric[str]):
    """Gives what no score can be made of."""

    about = MetricInfo("words", "for this test", "none", (0, None))

    def row(self, texts: EncodedRow) -> str:
        return "no number"


def sizes(metric: TokenMetric[float], texts: list[str]) -> list[int]:
    return [len(content) for content in metric.engine.encoder.tokenizer.contents(texts)]


def test_a_metric_is_its_options_row_and_fields(
    tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._ADDED["metric"], "length", Length)
    metric = registry.load_pairs_metric(f'length(model="{tiny_model("bert")}", power=2, layer=1)')
    assert isinstance(metric, Length)
    scores = metric.score(Pairs.of(CANDIDATES, REFERENCES))
    expected = [
        sizes(metric, [text])[0] / max(sizes(metric, own)) ** 2
        for text, own in zip(CANDIDATES, REFERENCES, strict=True)
    ]
    assert scores.segments == pytest.approx(expected)
    assert scores.corpus == pytest.approx(np.mean(expected))
    assert next(iter(scores.signature.fields)) == "nrefs"
    assert (scores.signature.fields["nrefs"], scores.signature.fields["power"]) == ("var", 2.0)
    assert metric.layers == (1,)


def test_encoder_options_are_declared_once_and_come_last() -> None:
    assert list(options_of(Length)) == ["power", "model", "layer", "long", "backend", "threads", "device", "cache"]
    assert not hasattr(moverscore, "Long")  # the type of an inherited option is resolved where it is declared
    assert options_of(moverscore.MoverScore)["long"].type_name == "truncate | window | error"


def test_a_row_has_candidate_references_and_source(tiny_model: Callable[..., Path]) -> None:
    metric = AllTexts(model=str(tiny_model("bert")))
    scores = metric.score(Pairs.of(CANDIDATES, REFERENCES, SOURCES))
    tokens = metric.engine.encoder.tokenizer.contents
    assert scores.segments is not None
    assert scores.segments.tolist() == [4, 3, 3]
    for name, side in (("candidate", [[text] for text in CANDIDATES]), ("references", REFERENCES)):
        assert np.asarray(scores.parts[name]).tolist() == [sum(map(len, tokens(row))) for row in side]
    assert np.asarray(scores.parts["source"]).tolist() == [len(row) for row in tokens(SOURCES)]


def test_missing_and_empty_texts_are_named(tiny_model: Callable[..., Path]) -> None:
    metric = AllTexts(model=str(tiny_model("bert")))
    with pytest.raises(MissingInput, match="alltexts needs a source"):
        metric.score(Pairs.of(CANDIDATES, REFERENCES))
    with pytest.raises(MissingInput, match="alltexts needs a reference"):
        metric.score(Pairs.of(CANDIDATES, None, SOURCES))
    scores = metric.score(Pairs.of(["", "a"], ["b", ""], ["c", ""]))
    assert [str(note) for note in scores.notes] == [
        "empty: the candidate has no text (row 1)",
        "empty: a reference has no text (row 2)",
        "empty: a source has no text (row 2)",
    ]


def test_a_model_must_be_given_and_a_result_must_be_a_score(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(SpecError, match="length needs the option model"):
        Length()
    with pytest.raises(TypeError, match="row\\(\\) gave a str"):
        Words(model=str(tiny_model("bert"))).score(Pairs.of(["a"], ["b"]))


def test_metrics_share_a_pass_if_they_need_the_same_texts(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model("bert"))
    one, two, other = Length(model=folder), Length(model=folder, power=2.0), AllTexts(model=folder)
    assert one.sharing() == two.sharing()
    assert one.sharing() != other.sharing()
    assert one.sharing() != Length(model=folder, long="window").sharing()
    pairs = [Pairs.of(CANDIDATES, REFERENCES, SOURCES)]
    for metric, [scores] in zip((one, other, two), score_stretch([one, other, two], pairs), strict=True):
        assert scores.segments == pytest.approx(metric.score(pairs[0]).segments)


def test_what_the_model_cannot_read_is_named(tiny_model: Callable[..., Path]) -> None:
    scores = Length(model=str(tiny_model("bert"))).score(Pairs.of(["rain " * 99, "rain"], ["rain", "rain"]))
    assert [(note.kind, note.rows) for note in scores.notes] == [("truncated", (0,))]


def test_reference_count() -> None:
    assert reference_count(Pairs.of(["a", "b"], ["x", "y"])) == 1
    assert reference_count(Pairs.of(["a", "b"], [["x", "z"], "y"])) == "var"
