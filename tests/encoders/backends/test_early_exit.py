"""Early exit: the vectors are those of the layer each text left from, and blocks are really skipped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import SpecError
from farthing.core.types import Pairs
from farthing.encoders.backends.early_exit import EarlyExitEncoder, exiting
from farthing.encoders.backends.torch import TorchEncoder
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.metrics.tokens.moverscore import MoverScore
from farthing.scoring.engine import score_stretches

TEXTS = ["the cat sat on the mat", "a dog was lying on the carpet", "rain", "nobody expected the old bridge", "", "the"]


def made(folder: Path, threshold: float) -> EarlyExitEncoder:
    return EarlyExitEncoder(TorchEncoder(folder, "tiny"), threshold)


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet", "t5"])
def test_each_text_has_the_states_of_the_layer_it_left_from(tiny_model: Callable[..., Path], family: str) -> None:
    folder = tiny_model(family, layers=4)
    encoder = TorchEncoder(folder, "tiny")
    every = dict(Engine(encoder, threads=1).encode(TEXTS, encoder.layers))
    changes = {text: [_change(encoded, layer) for layer in range(1, 4)] for text, encoded in every.items()}
    # the threshold at which the texts leave from the most different layers
    values = sorted(value + 1e-4 for row in changes.values() for value in row)
    threshold = max(values, key=lambda value: len({_exit(row, value) for row in changes.values()}))
    early = made(folder, threshold)
    left = set()
    for text, encoded in Engine(early, threads=1).encode(TEXTS, early.layers):
        expected = _exit(changes[text], threshold)
        left.add(expected)
        assert early.used(encoded.ids) == expected
        assert np.allclose(encoded.states[4], every[text].states[expected], atol=1e-5)
    assert len(left) > 1  # the test means something only where texts leave at different layers


def _exit(changes: list[float], threshold: float) -> int:
    below = [layer for layer, value in enumerate(changes, start=1) if value < threshold]
    return below[0] if below else 4


def _change(encoded: object, layer: int) -> float:
    states = encoded.states  # type: ignore[attr-defined]
    x, y = states[layer], states[layer - 1]
    cosines = (x * y).sum(axis=1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
    return float(1 - cosines.mean())


def test_padding_and_batch_mates_move_nothing(tiny_model: Callable[..., Path]) -> None:
    early = made(tiny_model("bert", layers=4), 0.5)
    alone = {t: e.states[4] for t in TEXTS for t, e in Engine(early, threads=1).encode([t], early.layers)}
    early.slack = 0.9  # texts of different lengths in one batch, with padding
    for text, encoded in Engine(early, threads=1).encode(TEXTS, early.layers):
        assert np.allclose(encoded.states[4], alone[text], atol=1e-5)


def test_blocks_are_not_run(tiny_model: Callable[..., Path]) -> None:
    early = made(tiny_model("bert", layers=6), 2.0)
    calls: list[int] = []
    for number, block in enumerate(early.inner.model.encoder.layer):
        block.register_forward_pre_hook(lambda *_, n=number: calls.append(n))
    list(Engine(early, threads=1).encode(TEXTS, early.layers))
    assert set(calls) == {0}
    report = early.report()
    assert report.layers.tolist() == [1] * len(TEXTS)
    assert report.share == pytest.approx(5 / 6)
    assert "83%" in str(report)


def test_no_threshold_is_the_whole_model(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("bert")
    whole = dict(Engine(TorchEncoder(folder, "tiny"), threads=1).encode(TEXTS, [3]))
    early = made(folder, 0.0)
    for text, encoded in Engine(early, threads=1).encode(TEXTS, early.layers):
        assert np.allclose(encoded.states[3], whole[text].states[3], atol=1e-6)
    assert early.report().saved == 0


def test_a_metric_reports_layers_and_time(tiny_model: Callable[..., Path]) -> None:
    metric = MoverScore(model=str(tiny_model("bert")), early_exit=2.0, idf=False)
    scores = metric.score(Pairs.of(TEXTS[:2], TEXTS[2:4]))
    assert np.asarray(scores.parts["layers"]).tolist() == [1, 1]
    assert any(note.kind == "early exit" for note in scores.notes)
    assert "early_exit:2.0" in str(scores.signature)
    parts = [[Pairs.of([left], [right])] for left, right in zip(TEXTS[:2], TEXTS[2:4], strict=True)]
    [[whole]] = score_stretches([metric], lambda: iter(parts))
    assert [note.kind for note in whole.notes] == ["early exit"]


def test_wrong_use_is_a_sentence(tiny_model: Callable[..., Path]) -> None:
    encoder = load_encoder(str(tiny_model("bert")))
    with pytest.raises(SpecError, match="not a cosine distance"):
        exiting(encoder, -1)
