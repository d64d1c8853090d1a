"""Token vectors of a static model as a table to start from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from farthing.core.errors import ModelError
from farthing.learn.matching.token_distillation import main_directions
from farthing.learn.matching.tokens import StaticTokens


def static_tokens(folder: Path, width: int | None) -> StaticTokens:
    """The vectors of a static model's folder, turned to their main directions and cut to a width.

    Static models make the vectors of frequent tokens short: the square root of its length is a token's first weight.
    """
    vectors = _read(folder)
    lengths = np.linalg.norm(vectors, axis=1)
    weights = np.sqrt(np.clip(lengths / np.median(lengths), 0.02, 4.0))
    turned = vectors @ main_directions(vectors, width or vectors.shape[1])
    return StaticTokens(torch.from_numpy(turned).float(), torch.from_numpy(weights).float())


def _read(folder: Path) -> np.ndarray:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    path = folder / "model.safetensors"
    try:
        arrays = load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    vectors = next((one for one in arrays.values() if one.ndim == 2), None)
    if vectors is None:
        raise ModelError(f"{path} has no table of vectors")
    return np.asarray(vectors, dtype=np.float64)
