"""Teachers and drawn pairs."""

import numpy as np

from farthing.learn.match.make import asked


def test_a_teacher_is_asked_for_every_pair_in_its_place() -> None:
    pairs = [(str(n), str(n * n % 7)) for n in range(4500)]

    def teacher(first: list[str], second: list[str]) -> np.ndarray:
        return np.array([10 * int(a) + int(b) for a, b in zip(first, second, strict=True)])

    scores = asked(teacher, pairs)
    assert scores.tolist() == [10 * n + n * n % 7 for n in range(4500)]
