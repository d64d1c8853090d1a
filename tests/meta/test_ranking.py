"""Metrics in order, with tests whose outcome is known."""

from __future__ import annotations

import numpy as np

from farthing.meta.ranking import clusters, p_matrix, unbeaten
from farthing.meta.significance import Difference


def test_the_matrix_holds_both_directions_of_every_test() -> None:
    asked = []

    def test(human: np.ndarray, first: np.ndarray, second: np.ndarray) -> Difference:
        asked.append((first[0], second[0]))
        return Difference(0.0, first[0] / 10, second[0] / 100)

    found = p_matrix(np.zeros(1), [np.array([place]) for place in (1.0, 2.0, 3.0)], test)
    assert asked == [(1, 2), (1, 3), (2, 3)]
    assert found.tolist() == [[1, 0.1, 0.1], [0.02, 1, 0.2], [0.03, 0.03, 1]]


def test_a_metric_is_unbeaten_if_no_row_beats_its_column() -> None:
    p_values = np.array([[1, 0.01, 0.2], [0.99, 1, 0.2], [0.8, 0.05, 1]])
    assert unbeaten(p_values).tolist() == [True, False, True]
    assert unbeaten(p_values, alpha=0.005).all()


def test_a_metric_that_any_member_beats_starts_the_next_cluster() -> None:
    # The third is beaten by the first only; the fourth by the third only, so it starts a cluster of its own.
    p_values = np.ones((4, 4))
    p_values[0, 2] = p_values[2, 3] = 0.001
    assert clusters([0.9, 0.8, 0.7, 0.6], p_values) == [1, 1, 2, 3]
    assert clusters([0.9, 0.8, 0.7, 0.6], np.ones((4, 4))) == [1, 1, 1, 1]
