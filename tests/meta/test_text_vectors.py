"""Vectors that experiments share."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.meta.text_vectors import TextVectors
from farthing.metrics.sets.samples import SampleOptions, gather

TEXTS = ["The cat sat.", "A dog ran home.", "The cat sat.", "Nobody came."]


@pytest.mark.parametrize("samples", ["sentence", "word"])
def test_vectors_are_those_of_the_metric_and_a_text_is_read_once(samples: str) -> None:
    options = SampleOptions(model="nano", samples=samples)  # type: ignore[arg-type]
    vectors, read = TextVectors(options), []
    each = vectors.reader.each
    vectors.reader.each = lambda texts, progress: read.extend(texts) or each(texts, progress)  # type: ignore[method-assign, func-returns-value]
    assert np.array_equal(vectors.of(TEXTS), gather(TEXTS, options, "the corpus").vectors)
    vectors.of(["Rain fell."], keep=False)
    again = vectors.of(["Rain fell.", *TEXTS])
    assert np.array_equal(again, gather(["Rain fell.", *TEXTS], options, "the corpus").vectors)
    assert read == [*dict.fromkeys(TEXTS), "Rain fell.", "Rain fell."]
