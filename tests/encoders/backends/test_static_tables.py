"""The tables of a static student against a plain loop, and batches that must not matter."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.encoders.backends.static_tables import RUN
from farthing.encoders.folder.locate import EMBEDDED

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
    [found] = EmbeddedEncoder(student_folder, "tiny").encode([TEXT])
    vectors, weights = by_hand(load_file(path), TEXT)
    assert found.vectors == pytest.approx(vectors, abs=1e-5)
    assert found.weights == pytest.approx(weights, abs=1e-5)


def test_texts_do_not_see_their_neighbours(student_folder: Path) -> None:
    encoder = EmbeddedEncoder(student_folder, "tiny")
    random = np.random.default_rng(2)
    texts = [random.integers(0, 11, int(random.integers(1, 9))).tolist() for _ in range(2 * RUN + 3)]
    for together, text in zip(encoder.encode(texts), texts, strict=True):
        [alone] = encoder.encode([text])
        assert (together.vectors == alone.vectors).all()
        assert (together.weights == alone.weights).all()


def test_no_text_changes_a_digit_of_another_one() -> None:
    random = np.random.default_rng(6)
    texts = [random.integers(1000, 30000, int(random.integers(1, 60))).tolist() for _ in range(700)]
    encoder = EmbeddedEncoder(EMBEDDED / "nano", "nano")
    for together, text in list(zip(encoder.encode(texts), texts, strict=True))[::69]:
        [alone] = EmbeddedEncoder(EMBEDDED / "nano", "nano").encode([text])
        assert (together.vectors == alone.vectors).all()
        assert (together.weights == alone.weights).all()
