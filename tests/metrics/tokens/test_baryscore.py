"""BaryScore against the published code's calls of POT written out, and its laws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.align.barycenter import barycenter
from farthing.align.transport import distances, transport
from farthing.core.types import Pairs
from farthing.metrics.tokens.baryscore import BaryScore

CANDIDATES = ["the cat sat on the mat", "a dog, watching the rain", "shares fell on Tuesday", "she studied birds"]
REFERENCES = ["the cat looked at the mat", "the dog was watching it pour", "the bank's shares fell", "winter survives"]


@pytest.mark.parametrize(("form", "regularisation"), [("wasserstein", 0.1), ("sinkhorn", 1.0), ("sinkhorn", 0.1)])
def test_compat_is_the_published_code(tiny_model: Callable[..., Path], form: Any, regularisation: float) -> None:
    """Uniform weights, specials and embeddings included, barycentres from zeros, emd2 or sinkhorn2: all by POT."""
    import ot

    metric = BaryScore(model=str(tiny_model("bert")), form=form, regularisation=regularisation, compat="baryscore")
    encoded = dict(metric.engine.encode([*CANDIDATES, *REFERENCES], [0, 1, 2, 3]))
    expected = []
    for pair in zip(CANDIDATES, REFERENCES, strict=True):
        clouds = []
        for text in pair:
            single = [encoded[text].states[layer] for layer in range(4)]  # scaled as such, by the published code, too
            layers = [(one / np.sqrt((one * one).sum(axis=1, keepdims=True))).astype(float) for one in single]
            share = np.full(len(layers[0]), 1 / len(layers[0]))
            start = np.zeros(layers[0].shape)
            clouds.append(ot.lp.free_support_barycenter(layers, [share] * 4, start, b=share, numItermax=1000))
        weights = [np.full(len(cloud), 1 / len(cloud)) for cloud in clouds]
        cost = ot.dist(clouds[0], clouds[1])
        if form == "wasserstein":
            expected.append(ot.emd2(*weights, cost))
        else:
            expected.append(ot.bregman.sinkhorn2(*weights, cost, regularisation, numItermax=10_000))
    assert np.allclose(metric.score(Pairs.of(CANDIDATES, REFERENCES)).segments, expected, atol=1e-6)


def test_default_is_transport_between_barycentres_with_real_idf(tiny_model: Callable[..., Path]) -> None:
    metric = BaryScore(model=str(tiny_model("bert", layers=6)))
    assert metric.layers == (2, 3, 4, 5, 6)
    encoded = dict(metric.engine.encode([*CANDIDATES, *REFERENCES], metric.layers))
    ready = metric.prepared(metric.prepare([[Pairs.of(CANDIDATES, REFERENCES)]]))
    assert ready.counts is not None
    assert ready.counts.references is not None
    expected, varied = [], False
    for pair in zip(CANDIDATES, REFERENCES, strict=True):
        sides = []
        for text, idf in zip(pair, (ready.counts.candidates["system"], ready.counts.references), strict=True):
            found = encoded[text]
            layers = [found.states[k][found.content].astype(float) for k in metric.layers]
            layers = [layer / np.linalg.norm(layer, axis=1, keepdims=True) for layer in layers]
            assert idf is not None
            weights = idf.weights(found.ids[found.content])
            sides.append((weights, barycenter(layers, weights)))
        (a, x), (b, y) = sides
        varied |= len(set(a.round(6))) > 1
        expected.append(transport(a, b, distances(x, y, squared=True)).cost)
    assert varied  # idf is not uniform
    assert np.allclose(metric.score(Pairs.of(CANDIDATES, REFERENCES)).segments, expected, atol=1e-9)


def test_equal_texts_are_at_distance_zero_in_both_forms(tiny_model: Callable[..., Path]) -> None:
    for form in ("wasserstein", "sinkhorn"):
        scores = BaryScore(model=str(tiny_model("bert")), form=form, idf=False).score(Pairs.of(CANDIDATES, CANDIDATES))
        assert np.allclose(scores.segments, 0, atol=1e-9)
    biased = BaryScore(model=str(tiny_model("bert")), form="sinkhorn", regularisation=1.0, compat="baryscore")
    assert (biased.score(Pairs.of(CANDIDATES, CANDIDATES)).segments > 1e-3).all()  # what the debiased form mends


@pytest.mark.parametrize("form", ["wasserstein", "sinkhorn"])
@pytest.mark.parametrize("compat", [None, "baryscore"])
def test_never_nan(tiny_model: Callable[..., Path], form: Any, compat: Any) -> None:
    metric = BaryScore(model=str(tiny_model("bert")), form=form, compat=compat)
    long = "the cat sat on the mat " * 400
    candidates = ["", "cat", "the on a", "the cat", "", long, "the cat sat"]
    references = ["the cat", "dog", "the a", "the cat", "", "the cat sat", long]
    scores = metric.score(Pairs.of(candidates, references))
    assert np.isfinite(scores.segments).all()
    assert np.isfinite(metric.score(Pairs.of(["the cat"], ["a dog"])).segments).all()
    if not compat:
        assert scores.segments[4] == 0
        assert scores.segments[0] == 2


def test_the_nearest_reference_counts(tiny_model: Callable[..., Path]) -> None:
    metric = BaryScore(model=str(tiny_model("bert")), idf=False)
    one, two = (metric.score(Pairs.of(CANDIDATES, side)).segments for side in (REFERENCES, REFERENCES[::-1]))
    both = metric.score(Pairs.of(CANDIDATES, [list(row) for row in zip(REFERENCES, REFERENCES[::-1], strict=True)]))
    assert np.allclose(np.minimum(one, two), both.segments)
