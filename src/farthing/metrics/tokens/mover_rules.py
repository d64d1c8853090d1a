"""From two clouds to MoverScore: the distance, and the score that each variant makes of it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from farthing.align.relaxed import centroid, relaxed
from farthing.align.transport import distances, transport
from farthing.metrics.tokens.clouds import Cloud, units

Variant = Literal["v1", "v2", "effeval"]
Distance = Literal["wmd", "rwmd", "wcd"]


class MoverRules:
    """How far two clouds are apart, and what score that is.

    v1 has squared Euclidean costs, v2 and effeval plain ones; v2's score is 1/(1+d), the others' is 1-d.
    """

    def __init__(self, variant: Variant, distance: Distance, *, compat: bool = False) -> None:
        self.squared = variant == "v1"
        self.inverse = variant == "v2"
        self.distance, self.compat = distance, compat
        self.negative = compat and distance != "wmd"  # EffEval's score of its bounds is the plain negative

    def between(self, left: Cloud, right: Cloud) -> float:
        """The distance; two texts without tokens are equal, one without is as far from others as unlike words are."""
        if not len(left) or not len(right):
            unlike = 2.0 if self.squared else 2.0**0.5
            return 0.0 if len(left) == len(right) else unlike
        if self.compat and ("idf" in left.remarks or "idf" in right.remarks):
            return 0.0  # the published code moves nothing where a side has no weight
        if self.distance == "wcd":
            return centroid(left.weights, right.weights, left.points, right.points, squared=self.squared)
        cost = distances(left.points, right.points, squared=self.squared)
        if self.distance == "rwmd":
            return relaxed(left.weights, right.weights, cost)
        return transport(left.weights, right.weights, cost)[0]

    def score(self, distance: float) -> float:
        """The score of a distance."""
        if self.negative:
            return -distance
        return 1 / (1 + distance) if self.inverse else 1 - distance


def published_distance(left: np.ndarray, right: np.ndarray, distance: Distance) -> float:
    """RWMD and WCD as EffEval's code has them; neither is a bound of its word mover's distance.

    The vectors are those of all tokens, with zeros for what was dropped. RWMD is a plain sum, which grows with
    the length of the texts; WCD is between scaled means.
    """
    if distance == "wcd":
        ends = [units(side.mean(axis=0, keepdims=True)) for side in (left, right)]
        return float(distances(*ends)[0, 0])
    cost = distances(units(left), units(right))
    return float(max(cost.min(axis=1).sum(), cost.min(axis=0).sum()))
