"""Early exit: the note is made from the rows' values alone, whichever way they were scored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.signature import Signature
from farthing.core.types import Note, Pairs, Scores
from farthing.encoders.backends.early_exit import EarlyExitEncoder
from farthing.files.inputs import Given
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.metrics.tokens.base import TokenMetric
from farthing.metrics.tokens.early_exit import exit_message, mean_layers, with_exit_note
from farthing.metrics.tokens.moverscore import MoverScore
from farthing.scoring.engine import score_stretches
from farthing.scoring.score import Chosen, score

TEXTS = ["the cat sat on the mat", "a dog was lying on the carpet", "rain", "nobody expected the old bridge", "the"]
PAIRS = Pairs.of(TEXTS, TEXTS[::-1])


def scores(layers: list[float], *notes: Note) -> Scores:
    return Scores(0.0, np.zeros(len(layers)), Signature("x"), {"layers": np.array(layers)}, notes=notes)


def test_the_note_counts_rows_whose_layers_are_known() -> None:
    found = with_exit_note(scores([2.0, 4.0, 0.0], Note("empty", "x"), Note("early exit", "of a stretch")), 6)
    assert [str(note) for note in found.notes] == [
        "empty: x",
        "early exit: texts left after 3.0 of 6 layers on average; 50% of the layers were not run",
    ]
    assert with_exit_note(scores([0.0]), 6).notes == ()
    assert exit_message(6, 6) == "texts left after 6.0 of 6 layers on average; 0% of the layers were not run"


@pytest.mark.parametrize("kind", [BertScore, MoverScore])
def test_whole_or_in_stretches_the_note_is_the_same(
    tiny_model: Callable[..., Path], kind: type[BertScore] | type[MoverScore]
) -> None:
    threshold = _dividing_threshold(tiny_model("bert", layers=4))
    metric: TokenMetric[object] = kind(  # type: ignore[assignment]
        model=str(tiny_model("bert", layers=4)), early_exit=threshold, idf=False
    )
    whole = metric.score(PAIRS)
    layers = np.asarray(whole.parts["layers"])
    encoder = metric.engine.encoder
    assert isinstance(encoder, EarlyExitEncoder)
    encoded = dict(metric.engine.encode(TEXTS, metric.layers))
    expected = [mean_layers(encoder, [encoded[one], encoded[two]]) for one, two in zip(TEXTS, TEXTS[::-1], strict=True)]
    assert layers.tolist() == expected
    assert len(set(expected)) > 1
    assert whole.notes[-1].message == exit_message(float(np.mean(expected)), 4)
    [[joined]] = score_stretches([metric], lambda: iter([[PAIRS.part(0, 2)], [PAIRS.part(2, 5)]]))
    assert joined.notes == whole.notes
    assert np.array_equal(np.asarray(joined.parts["layers"]), layers)


def _dividing_threshold(folder: Path) -> float:
    """Find a threshold at which some texts leave early and others do not."""
    for threshold in np.linspace(0.02, 1.5, 60):
        metric = MoverScore(model=str(folder), early_exit=float(threshold), idf=False)
        if len(set(np.asarray(metric.score(PAIRS).parts["layers"]).tolist())) > 1:
            return float(threshold)
    raise AssertionError("no threshold divides the texts")


def test_a_run_that_is_read_again_has_the_same_note(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    spec = f'moverscore(model="{tiny_model("bert")}", early_exit=2.0, idf=false)'
    metric = MoverScore(model=str(tiny_model("bert")), early_exit=2.0, idf=False)
    first, again = (
        score([Chosen(spec, metric)], Given([PAIRS]), run=tmp_path / "run").rows[0].cells[0].scores for _ in range(2)
    )
    assert first.notes == again.notes
    assert [note.kind for note in first.notes] == ["early exit"]
