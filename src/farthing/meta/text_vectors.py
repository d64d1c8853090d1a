"""Vectors of texts that several experiments share: every text is encoded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.progress import Bar, no_bar
from farthing.metrics.sets.samples import SampleOptions, SampleReader, checked_vectors


class TextVectors:
    """The samples of texts, as the options of a set metric make them."""

    def __init__(self, options: SampleOptions, bar: Bar = no_bar) -> None:
        self.reader, self.bar = SampleReader(options), bar
        self._kept: dict[str, Vectors] = {}

    def of(self, texts: Sequence[str], *, keep: bool = True) -> Vectors:
        """Return the samples of the texts in their order.

        :param keep: remember them; texts that no other experiment has would only fill the memory
        """
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        with self.bar("encoding", len(missing)) as progress:
            found, _ = self.reader.each(missing, progress)
        if keep:
            self._kept |= found
        rows = [found[text] if text in found else self._kept[text] for text in texts]
        return checked_vectors(np.concatenate(rows), "the corpus")
