"""The arithmetic of an estimator after its encoder: a mix of layers, one vector per text, features, a head. Pure numpy.

`config.json` says the shape of an estimator (:class:`EstimatorShape`, under "farthing", "estimator"), and
`head.safetensors` holds the numbers: `mix.weights` (one per layer, the embeddings first), `mix.gamma`, and
`dense.K.weight` and `dense.K.bias` of each layer of the head. The arithmetic is that of Rei et al. 2020; a test
compares it with theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from farthing.core.arrays import Floats, Segments, Vectors, Weights
from farthing.core.errors import ModelError
from farthing.core.types import Need
from farthing.encoders.sentence import Pooling, pool_states

LayerTransform: TypeAlias = Literal["softmax", "sparsemax"]
Activation: TypeAlias = Literal["tanh", "sigmoid", "relu"]
BOTH: tuple[Need, ...] = ("reference", "source")
FORMS: tuple[tuple[Need, ...], ...] = (BOTH, ("reference",), ("source",))  #: what an estimator may compare with
SHAPE = "estimator"  #: the part of a student's facts that holds its shape
_EPSILON = 1e-12  # of the norm of layers
_ACTIVATIONS: Mapping[str, Callable[[Floats], Floats]] = {
    "tanh": np.tanh,
    "sigmoid": lambda values: np.asarray(1 / (1 + np.exp(-values))),
    "relu": lambda values: np.maximum(values, 0),
}


@dataclass(frozen=True, slots=True)
class EstimatorShape:
    """How an estimator turns the states of layers into a score.

    :param inputs: what the candidate is compared with
    :param layer: the only layer that is pooled, None for a mix of all
    :param transform: how the weights of the mix are made to sum to 1
    :param layer_norm: normalise each layer over all tokens of a text before the mix
    :param pooling: how one vector is made of those of the tokens, special ones included
    :param hidden: the widths of the head's hidden layers
    :param final: what is done to the score at the end
    """

    inputs: tuple[Need, ...] = BOTH
    layer: int | None = None
    transform: LayerTransform = "sparsemax"
    layer_norm: bool = False
    pooling: Pooling = "mean"
    hidden: tuple[int, ...] = (384, 128)
    activation: Activation = "tanh"
    final: Activation | None = None

    @classmethod
    def told(cls, facts: Mapping[str, object], path: Path) -> EstimatorShape:
        """Read the shape from a student's facts; a wrong one raises a sentence."""
        told = facts.get(SHAPE)
        known = {field.name for field in fields(cls)}
        if not isinstance(told, Mapping) or not set(told) <= known:
            raise ModelError(f"{path} does not say the shape of its estimator")
        build: Callable[..., EstimatorShape] = cls
        shape = build(**{name: tuple(value) if isinstance(value, list) else value for name, value in told.items()})
        activations = (shape.activation, shape.final or "tanh")
        right = shape.inputs in FORMS and shape.transform in get_args(LayerTransform)
        if not right or shape.pooling not in get_args(Pooling) or not set(activations) <= set(_ACTIVATIONS):
            raise ModelError(f"{path} has an estimator of a shape that this version does not know: {dict(told)}")
        return shape

    def facts(self) -> dict[str, object]:
        """Return the shape as JSON holds it."""
        return asdict(self)

    def width(self, dimension: int) -> int:
        """Return how many features the head reads."""
        return dimension * (2 + 2 * len(self.inputs))


class Regressor:
    """The mix and the head of an estimator.

    :param arrays: the content of head.safetensors
    :param depth: how many layers the encoder has, the embeddings included
    """

    def __init__(self, shape: EstimatorShape, arrays: Mapping[str, np.ndarray], depth: int) -> None:
        self.shape = shape
        weights = layer_weights(shape, arrays, depth)
        self.weights = {layer: float(weight) for layer, weight in enumerate(weights) if weight}
        names = sorted(
            (name.removesuffix(".weight") for name in arrays if name.startswith("dense.") and name.endswith(".weight")),
            key=lambda name: int(name.split(".")[1]),
        )
        self.dense = [
            (arrays[f"{name}.weight"].astype(np.float64).T, arrays[f"{name}.bias"].astype(np.float64)) for name in names
        ]
        if not self.dense or self.dense[-1][0].shape[1] != 1:
            raise ModelError("the head of an estimator must end in one score")

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers that count: sparsemax leaves some out, which need not be computed."""
        return tuple(self.weights)

    def vector(self, states: Mapping[int, Vectors]) -> Vectors:
        """Return the vector of one text, given the states of its tokens by layer."""
        mixed = np.zeros_like(next(iter(states.values())))
        for layer, weight in self.weights.items():
            mixed += np.float32(weight) * (_normalised(states[layer]) if self.shape.layer_norm else states[layer])
        return pool_states(mixed, self.shape.pooling)

    def scores(self, candidates: Vectors, others: Sequence[Vectors]) -> Segments:
        """Return one score per row.

        :param others: the vectors of the texts that are compared with, in the order of the shape's inputs
        """
        values = features(candidates.astype(np.float64), [other.astype(np.float64) for other in others])
        for place, (weight, bias) in enumerate(self.dense):
            values = values @ weight + bias
            if place < len(self.dense) - 1:
                values = _ACTIVATIONS[self.shape.activation](values)
        final = self.shape.final
        return (values if final is None else _ACTIVATIONS[final](values))[:, 0]


def features(candidates: Floats, others: Sequence[Floats]) -> Floats:
    """Join the candidate's vector, the first other one, then product and distance of the candidate and each other.

    >>> features(np.array([[1.0]]), [np.array([[3.0]]), np.array([[5.0]])]).tolist()
    [[1.0, 3.0, 3.0, 2.0, 5.0, 4.0]]
    """
    compared = [part for other in others for part in (candidates * other, np.abs(candidates - other))]
    return np.concatenate([candidates, others[0], *compared], axis=1)


def layer_weights(shape: EstimatorShape, arrays: Mapping[str, np.ndarray], depth: int) -> Weights:
    """Return the weight of every layer: those of the mix times gamma, or 1 for the only one."""
    if shape.layer is not None:
        return np.asarray(np.eye(depth)[shape.layer])
    raw = arrays["mix.weights"].astype(np.float64)
    if len(raw) != depth:
        raise ModelError(f"the estimator mixes {len(raw)} layers, and its encoder has {depth} with the embeddings")
    normal = sparsemax(raw) if shape.transform == "sparsemax" else softmax(raw)
    return np.asarray(normal * float(arrays["mix.gamma"].reshape(())))


def softmax(values: Floats) -> Floats:
    """Return positive weights that sum to 1."""
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum())


def sparsemax(values: Floats) -> Floats:
    """Return the point of the simplex that is nearest to the values: weights that sum to 1, some of them 0.

    >>> sparsemax(np.array([2.0, 1.5, -1.0])).tolist()
    [0.75, 0.25, 0.0]
    """
    ordered = np.sort(values)[::-1]
    sums, counts = np.cumsum(ordered), np.arange(1, len(values) + 1)
    size = int(np.sum(1 + counts * ordered > sums))
    return np.asarray(np.maximum(values - (sums[size - 1] - 1) / size, 0))


def _normalised(states: Vectors) -> Vectors:
    """Bring the states of one text to mean 0 and deviation 1, over all tokens and dimensions."""
    if not states.size:
        return states
    apart = states - states.mean(dtype=np.float64)
    normal: Vectors = (apart / np.sqrt((apart**2).mean(dtype=np.float64) + _EPSILON)).astype(np.float32)
    return normal
