"""The arithmetic behind an estimator's encoder; tests/learn/regress/test_model.py compares it with COMET itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import ModelError
from farthing.students.regressor import EstimatorShape, Regressor, features, layer_weights, softmax, sparsemax


@pytest.mark.parametrize("seed", range(20))
def test_sparsemax_is_the_nearest_point_of_the_simplex(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = 2 * random.normal(size=6)
    nearest = sparsemax(values)
    assert nearest.sum() == pytest.approx(1)
    assert nearest.min() >= 0
    others = random.dirichlet(np.ones(6), size=500)
    mixed = np.concatenate([others, 0.9 * nearest + 0.1 * others])
    assert (((mixed - values) ** 2).sum(axis=1) >= ((nearest - values) ** 2).sum() - 1e-12).all()


def test_softmax_sums_to_one_whatever_the_size() -> None:
    assert softmax(np.array([1000.0, 1000.0])).tolist() == [0.5, 0.5]


def test_layers_without_weight_are_not_asked_for() -> None:
    arrays = {"mix.weights": np.array([3.0, 0.0, 2.5]), "mix.gamma": np.array(2.0)}
    weights = layer_weights(EstimatorShape(), arrays, 3)
    assert weights.tolist() == [1.5, 0.0, 0.5]
    dense = {"dense.0.weight": np.ones((1, 12)), "dense.0.bias": np.zeros(1)}
    assert Regressor(EstimatorShape(hidden=()), {**arrays, **dense}, 3).layers == (0, 2)
    assert layer_weights(EstimatorShape(layer=1), {}, 3).tolist() == [0, 1, 0]
    with pytest.raises(ModelError, match="mixes 3 layers, and its encoder has 4"):
        layer_weights(EstimatorShape(), arrays, 4)


def test_features_of_one_side_are_those_of_the_reference_free_form() -> None:
    one, two = np.array([[1.0, -2.0]]), np.array([[3.0, 1.0]])
    assert features(one, [two]).tolist() == [[1, -2, 3, 1, 3, -2, 2, 3]]


def test_a_shape_comes_back_from_json_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    shape = EstimatorShape(inputs=("source",), layer=2, hidden=(8,), final="sigmoid")
    facts = {"estimator": {**shape.facts(), "inputs": ["source"], "hidden": [8]}}
    assert EstimatorShape.told(facts, tmp_path) == shape
    with pytest.raises(ModelError, match="does not say the shape of its estimator"):
        EstimatorShape.told({}, tmp_path)
    with pytest.raises(ModelError, match="of a shape that this version does not know"):
        EstimatorShape.told({"estimator": {"pooling": "median"}}, tmp_path)


def test_final_activations() -> None:
    dense = {"dense.0.weight": np.ones((1, 4)), "dense.0.bias": np.array([-2.0])}
    one = np.ones((1, 1))
    for final, expected in ((None, 1.0), ("sigmoid", 1 / (1 + np.exp(-1))), ("relu", 1.0), ("tanh", np.tanh(1.0))):
        shape = EstimatorShape(inputs=("source",), layer=0, hidden=(), final=final)  # type: ignore[arg-type]
        assert Regressor(shape, dense, 1).scores(one, [one])[0] == pytest.approx(expected)
    with pytest.raises(ModelError, match="must end in one score"):
        Regressor(EstimatorShape(layer=0), {}, 1)
