"""Who can show which tokens match."""

from __future__ import annotations

import numpy as np

from farthing.core.alignment import Alignment, Aligns


def test_aligning_is_having_an_align() -> None:
    class Shows:
        def align(self, candidate: str, reference: str) -> Alignment:
            none = np.zeros(0)
            return Alignment((), (), np.zeros((0, 0)), none.astype(int), none.astype(int), none, none)

    assert isinstance(Shows(), Aligns)
    assert not isinstance(object(), Aligns)
