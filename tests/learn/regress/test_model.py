"""The estimator in torch gives the numbers of COMET itself, and numpy those of torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from farthing.encoders.backends.pretrained import load_pretrained
from farthing.learn.regress.model import EstimatorModel, RowBatch, sparse_weights
from farthing.students.regressor import EstimatorShape, Regressor, sparsemax

POOLING = {"avg": "mean", "max": "max", "cls": "cls"}
CASES = range(8)


def shape_of(note: dict[str, Any]) -> EstimatorShape:
    inputs = ("reference", "source") if note["form"] == "both" else ("source",)
    return EstimatorShape(
        inputs=inputs,
        transform=note["transform"],
        layer_norm=note["layer_norm"],
        pooling=POOLING[note["pool"]],
        hidden=(48, 24),
    )


@pytest.fixture(scope="module", params=CASES)
def case(
    request: pytest.FixtureRequest,
    published: Callable[[str], Any],
    parity: Any,
    parity_encoder: Path,
    given_head: Callable[..., Any],
) -> Any:
    arrays, notes = published("comet")
    number = str(request.param)
    shape = shape_of(notes[number])
    given = given_head(shape.width(parity.SHAPE["hidden_size"]))
    model = EstimatorModel(load_pretrained(parity_encoder), shape, fast=False).eval()
    model.take(given)
    said = {name.removeprefix(f"{number}."): value for name, value in arrays.items() if name.startswith(f"{number}.")}
    return shape, given, model, said


def rows(parity: Any, shape: EstimatorShape) -> list[list[list[int]]]:
    sides = {"reference": parity.REFERENCES, "source": parity.SOURCES}
    return [parity.CANDIDATES, *(sides[side] for side in shape.inputs)]


def test_torch_agrees_with_comet(case: Any, parity: Any) -> None:
    shape, _, model, said = case
    texts = [row for side in rows(parity, shape) for row in side]
    ids, mask = (torch.from_numpy(part) for part in parity.padded(texts))
    places = torch.arange(len(texts)).reshape(-1, 3).T
    with torch.inference_mode():
        scores = model(RowBatch(ids, mask, places, torch.zeros(3)))
        vectors = model.vectors(ids[:3], mask[:3])
    np.testing.assert_allclose(vectors.numpy(), said["vectors.mt"], atol=1e-5)
    np.testing.assert_allclose(scores.numpy(), said["scores"], atol=1e-5)


def test_numpy_agrees_with_comet(case: Any, parity: Any) -> None:
    shape, given, model, said = case
    regressor = Regressor(shape, given, parity.SHAPE["num_hidden_layers"] + 1)
    vectors = []
    for side in rows(parity, shape):
        for row in side:
            with torch.inference_mode():
                states = model.encoder(torch.tensor([row]), output_hidden_states=True).hidden_states
            vectors.append(regressor.vector({layer: state[0].numpy() for layer, state in enumerate(states)}))
    candidates, *others = np.stack(vectors).reshape(len(shape.inputs) + 1, 3, -1)
    np.testing.assert_allclose(regressor.scores(candidates, others), said["scores"], atol=1e-5)


def test_softmax_and_sparsemax_differ_visibly(published: Callable[[str], Any]) -> None:
    arrays, _ = published("comet")
    assert np.abs(arrays["0.scores"] - arrays["1.scores"]).max() > 0.1


def test_mix_and_head_are_given_and_taken(case: Any) -> None:
    _, given, model, _ = case
    assert {name: value.tolist() for name, value in model.arrays().items()} == {
        name: value.tolist() for name, value in given.items()
    }


@pytest.mark.parametrize("seed", range(5))
def test_sparsemax_in_torch_is_that_of_numpy_and_has_gradients(seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=7)
    tensor = torch.tensor(values, requires_grad=True)
    weights = sparse_weights(tensor)
    np.testing.assert_allclose(weights.detach().numpy(), sparsemax(values), atol=1e-12)
    assert torch.autograd.gradcheck(sparse_weights, (tensor,), eps=1e-7, atol=1e-4)


def test_a_layer_may_be_left_out_of_the_mix_only_while_it_learns(case: Any) -> None:
    _, _, model, _ = case
    states = [torch.randn(3, 8) for _ in range(4)]
    mix = model.mix
    with torch.inference_mode():
        assert len({float(mix.eval()(states).sum()) for _ in range(5)}) == 1
        assert len({float(mix.train()(states).sum()) for _ in range(30)}) > 1
    mix.eval()
