"""Names for the shapes of arrays, so that a function's signature says what it takes and returns."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.floating]  #: numbers of any shape
Vectors: TypeAlias = npt.NDArray[np.floating]  #: one row per token, text or sample, one column per dimension
Weights: TypeAlias = npt.NDArray[np.floating]  #: one number per vector, not negative
Matrix: TypeAlias = npt.NDArray[np.floating]  #: one number per pair, such as costs, similarities or flows
Segments: TypeAlias = npt.NDArray[np.floating]  #: one score per pair of texts
Statistics: TypeAlias = npt.NDArray[np.floating]  #: one row of sufficient statistics per pair of texts
Indices: TypeAlias = npt.NDArray[np.integer]  #: positions in another array
Mask: TypeAlias = npt.NDArray[np.bool_]  #: which entries count
