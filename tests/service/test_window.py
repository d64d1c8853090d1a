"""Requests that are scored together get what they get alone, and share the encoding of equal texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.scoring.engine import Ready
from farthing.service.window import score_window, shared_passes
from farthing.service.work import ScoringWork

TEXTS = ["the cat sat", "a dog barked loudly", "", "nobody came to the party", "it rained"]
SPECS = ("frugalscore(size=tiny)", "chrf", "bertscore(model=tiny, idf=true)", "bertscore(model=tiny)")


def requests(metrics: dict[str, Ready]) -> list[ScoringWork]:
    """Four requests of different metrics over overlapping texts."""
    asked = [SPECS, SPECS[:1], SPECS[1:], SPECS[2:]]
    systems = [Pairs(TEXTS[place:], [[text, TEXTS[0]] for text in reversed(TEXTS[place:])]) for place in range(4)]

    def work(specs: Sequence[str], pairs: Pairs) -> ScoringWork:
        made = ScoringWork(lambda: [metrics[spec] for spec in specs], [pairs], 10_000)
        made.prepare()
        return made

    return [work(specs, pairs) for specs, pairs in zip(asked, systems, strict=True)]


def test_together_is_as_alone() -> None:
    metrics = {spec: Ready(spec, load_pairs_metric(spec)) for spec in SPECS}
    works = requests(metrics)
    together = score_window([(work, work.pieces[0]) for work in works])
    for work, found in zip(works, together, strict=True):
        [alone] = score_window([(work, work.pieces[0])])
        for ready, [ours], [theirs] in zip(work.ready, found, alone, strict=True):
            expected = ready.metric.score(work.systems[0])
            assert ours.segments == pytest.approx(expected.segments, abs=1e-6)
            assert ours.segments == pytest.approx(theirs.segments, abs=1e-6)
            assert str(ours.signature) == str(expected.signature)
            assert ours.notes == expected.notes


def test_a_text_of_several_clients_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = "frugalscore(size=tiny)"
    ready = Ready(spec, load_pairs_metric(spec))
    encoded: list[int] = []
    real = EmbeddedEncoder.encode

    def counting(self: EmbeddedEncoder, contents: Sequence[Any]) -> Any:
        encoded.append(len(contents))
        return real(self, contents)

    works = [ScoringWork(lambda: [ready], [Pairs(["the cat sat"], [["a cat sat down"]])], 1000) for _ in range(8)]
    for work in works:
        work.prepare()
    monkeypatch.setattr(EmbeddedEncoder, "encode", counting)
    score_window([(work, work.pieces[0]) for work in works])
    assert sum(encoded) == 2


def test_metrics_over_one_encoder_share_a_pass() -> None:
    metrics = [
        Ready(spec, load_pairs_metric(spec)) for spec in ("chrf", "bertscore(model=nano)", "moverscore(model=nano)")
    ]
    assert sorted(shared_passes(metrics).values()) == [(0,), (1, 2)]
