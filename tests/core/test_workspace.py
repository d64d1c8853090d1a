"""Memory that is used again: the same bytes for the same name, and room for the largest array."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from farthing.core.workspace import MOST_KEPT, Workspace, workspace


def test_the_same_name_has_the_same_memory() -> None:
    memory = Workspace()
    first = memory.array("sums", (3, 4))
    first[...] = 7
    again = memory.array("sums", (2, 5))
    assert np.shares_memory(first, again)
    assert (again == 7).all()
    assert again.dtype == np.float32


def test_names_do_not_share_memory_and_arrays_may_grow() -> None:
    memory = Workspace()
    small, other = memory.array("one", (2,), np.int64), memory.array("two", (2,), np.int64)
    assert not np.shares_memory(small, other)
    assert memory.array("one", (100, 3), np.int64).shape == (100, 3)
    assert memory.array("one", (0, 3), np.int64).size == 0


def test_a_large_array_is_not_kept() -> None:
    memory = Workspace()
    large = memory.array("one", (MOST_KEPT + 1,), np.uint8)
    assert not np.shares_memory(large, memory.array("one", (MOST_KEPT + 1,), np.uint8))
    assert not np.shares_memory(large, memory.array("one", (1,), np.uint8))


def test_every_thread_and_every_work_has_its_own() -> None:
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(workspace, "this").result()
    assert workspace("this") is workspace("this")
    assert workspace("this") is not workspace("that")
    assert workspace("this") is not other


def test_a_name_has_one_memory_per_type() -> None:
    memory = Workspace()
    assert memory.array("one", (4,), np.float64).dtype == np.float64
    assert memory.array("one", (4,), np.float32).dtype == np.float32
