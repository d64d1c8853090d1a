"""From two clouds to a score: word mover's distance and its bounds, and the score that each variant makes of it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from farthing.align.published import surplus_cost
from farthing.align.relaxed import centroid, relaxed
from farthing.align.transport import distances, transport
from farthing.core.arrays import Vectors
from farthing.metrics.tokens.clouds import Cloud, units

MoverVariant: TypeAlias = Literal["v1", "v2", "effeval"]
Distance: TypeAlias = Literal["wmd", "rwmd", "wcd"]
UNLIKE = 2.0**0.5  # the distance of orthogonal vectors of length 1: nothing in common


def cloud_distance(left: Cloud, right: Cloud, distance: Distance, *, squared: bool = False) -> float:
    """Compute how far apart two clouds are.

    Two texts without tokens are equal; a text with tokens is as far from one without as unlike words are.

    :param squared: costs are squared Euclidean distances
    """
    if not len(left) or not len(right):
        unlike = 2.0 if squared else UNLIKE
        return 0.0 if len(left) == len(right) else unlike
    if distance == "wcd":
        return centroid(left.weights, right.weights, left.points, right.points, squared=squared)
    cost = distances(left.points, right.points, squared=squared)
    if distance == "rwmd":
        return relaxed(left.weights, right.weights, cost)
    return transport(left.weights, right.weights, cost).cost


class MoverRules:
    """How far apart two clouds are by a variant of MoverScore, and what score that is.

    v1 has squared Euclidean costs, v2 and effeval plain ones; v2's score is 1/(1+d), the others' is 1-d.

    :param published: follow the published code where it deviates
    """

    def __init__(self, variant: MoverVariant, distance: Distance, *, published: bool = False) -> None:
        self.variant, self.distance, self.published = variant, distance, published

    def between(self, left: Cloud, right: Cloud) -> float:
        """Compute the distance of two clouds."""
        if self.published and len(left) and len(right) and "idf" in left.remarks | right.remarks:
            return self._without_weight(left, right)
        return cloud_distance(left, right, self.distance, squared=self.variant == "v1")

    def _without_weight(self, left: Cloud, right: Cloud) -> float:
        """Compute the distance if a side has no weight: v2 and EffEval move nothing, v1 charges the other side's."""
        if self.variant != "v1" or left.remarks >= {"idf"} <= right.remarks:
            return 0.0
        heavy = right if "idf" in left.remarks else left
        return surplus_cost(heavy.points, heavy.weights)

    def score(self, distance: float) -> float:
        """Turn a distance into a score."""
        if self.published and self.distance != "wmd":
            return -distance  # EffEval's score of its bounds is the plain negative
        return 1 / (1 + distance) if self.variant == "v2" else 1 - distance


def published_distance(left: Vectors, right: Vectors, distance: Distance) -> float:
    """Compute RWMD or WCD as EffEval's code does at batch size 1; neither is a bound of its word mover's distance.

    The vectors are those of all tokens (MoverScore: with zeros for what was dropped) or n-grams (XMoverScore). RWMD
    is a plain sum, which grows with the length of the texts; WCD is between scaled means.
    """
    if distance == "wcd":
        ends = [units(side.mean(axis=0, keepdims=True)) for side in (left, right)]
        return float(distances(*ends)[0, 0])
    cost = distances(units(left), units(right))
    return float(max(cost.min(axis=1).sum(), cost.min(axis=0).sum()))
