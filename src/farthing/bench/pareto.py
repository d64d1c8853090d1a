"""The Pareto front: what nothing else beats in quality and cost at once."""

from __future__ import annotations

from collections.abc import Sequence


def pareto_front(costs: Sequence[float], qualities: Sequence[float]) -> list[int]:
    """Return the places of the points on the front, cheapest first.

    A point is beaten by another one that is at least as good and as cheap, and better or cheaper. Equal points do not
    beat each other.

    >>> pareto_front([1.0, 2.0, 3.0], [0.5, 0.4, 0.9])
    [0, 2]
    """
    points = list(zip(costs, qualities, strict=True))
    order = sorted(range(len(points)), key=lambda place: (points[place][0], -points[place][1]))
    front: list[int] = []
    for place in order:
        best = points[front[-1]] if front else None
        if best is None or points[place][1] > best[1] or points[place] == best:
            front.append(place)
    return front
