"""Token vectors of a static model as a table to start from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from farthing.core.errors import ModelError
from farthing.learn.matching.token_distillation import main_directions


def static_table(folder: Path, width: int | None) -> torch.Tensor:
    """The vectors of a static model's folder, turned to their main directions and cut to a width."""
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
    wide = vectors.astype(np.float64)
    return torch.from_numpy((wide @ main_directions(wide, width or wide.shape[1])).astype(np.float32))
