"""Tables with a window against a plain loop over tokens, and the batch that must not matter."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from farthing.encoders.backends.embedded import RUN, Table
from farthing.encoders.tokens.tokenize import Tokenizer

TEXT = [1, 2, 3, 4, 1, 5]


def by_hand(arrays: dict[str, np.ndarray], ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The definition, token by token."""
    half = len(arrays["mix"]) // 2
    vectors, weights = [], []
    for place, token in enumerate(ids):
        hidden = arrays["bias"].astype(np.float64)
        for step, mix in enumerate(arrays["mix"]):
            other = place + step - half
            if 0 <= other < len(ids):
                hidden = hidden + (arrays["near"][ids[other]] * arrays["near_scale"][ids[other]]) @ mix
        hidden = np.maximum(hidden, 0)
        vector = arrays["vectors"][token] * arrays["vectors_scale"][token] + hidden @ arrays["out"]
        vectors.append(vector / np.linalg.norm(vector))
        weights.append(np.log1p(np.exp(float(arrays["weights"][token]) + hidden @ arrays["heavy"])))
    return np.array(vectors), np.array(weights)


def test_tables_are_what_they_say(student_folder: Path) -> None:
    path = student_folder / "tokens.safetensors"
    [found] = Table(path, Tokenizer(student_folder)).encode([TEXT])
    vectors, weights = by_hand(load_file(path), TEXT)
    assert found.vectors == pytest.approx(vectors, abs=1e-5)
    assert found.weights == pytest.approx(weights, abs=1e-5)


def test_texts_do_not_see_their_neighbours(student_folder: Path) -> None:
    table = Table(student_folder / "tokens.safetensors", Tokenizer(student_folder))
    random = np.random.default_rng(2)
    texts = [random.integers(0, 11, int(random.integers(1, 9))).tolist() for _ in range(2 * RUN + 3)]
    for together, text in zip(table.encode(texts), texts, strict=True):
        [alone] = table.encode([text])
        assert together.vectors == pytest.approx(alone.vectors, abs=1e-6)
        assert together.weights == pytest.approx(alone.weights, abs=1e-6)


def test_nothing_gives_nothing(student_folder: Path) -> None:
    assert Table(student_folder / "tokens.safetensors", Tokenizer(student_folder)).encode([]) == []
