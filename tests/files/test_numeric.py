"""Columns of numbers."""

from __future__ import annotations

import numpy as np
import pyarrow

from farthing.files.numeric import column_array


def test_columns_of_numbers_and_of_lists() -> None:
    plain = pyarrow.chunked_array([[1.5, 2.5], [3.5]])
    np.testing.assert_array_equal(column_array(plain.slice(1)), [2.5, 3.5])
    lists = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array([1.0, 2.0, 3.0, 4.0]), 2)
    np.testing.assert_array_equal(column_array(pyarrow.chunked_array([lists])), [[1, 2], [3, 4]])
    missing = column_array(pyarrow.chunked_array([pyarrow.array([1.0, None])]))
    assert np.isnan(missing[1])
