"""Any metric in the shape of Hugging Face's evaluate: `load(…).compute(predictions=, references=)`.

    from farthing.compat import evaluate
    bertscore = evaluate.load("bertscore(model=/models/minilm, layer=5)")
    bertscore.compute(predictions=["a cat"], references=["the cat"])
    evaluate.compute("chrf", predictions=["a cat"], references=["the cat"])

idf weights always come from the references of the same call; only the model is kept from one call to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.frames import texts_of_column
from farthing.core.metric import Metric
from farthing.core.registry import DEFAULT, load_pairs_metric
from farthing.core.texts import Texts, TextTable, reference_rows
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scoring.score import Chosen, score

Reference: TypeAlias = "str | Sequence[str]"


class Module:
    """A metric that collects predictions and references, then computes."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self._pairs: list[tuple[str, Reference]] = []

    def add(self, *, prediction: str, reference: Reference) -> None:
        """Remember one pair for the next `compute`."""
        self._pairs.append((prediction, reference))

    def add_batch(self, *, predictions: Texts, references: Texts | TextTable) -> None:
        """Remember some pairs for the next `compute`."""
        texts, rows = texts_of_column(predictions, "predictions"), reference_rows(references)
        if len(texts) != len(rows):
            raise UsageError(f"{len(texts)} predictions but {len(rows)} references")
        self._pairs += zip(texts, rows, strict=True)

    def compute(
        self, *, predictions: Texts | None = None, references: Texts | TextTable | None = None
    ) -> dict[str, object]:
        """Score the pairs that were added before, then the given ones.

        :returns: precision, recall, f1 and hashcode for BERTScore, as in evaluate; for another metric its
            name with the corpus score, `scores` with one score per pair, its parts, and the signature
        """
        if predictions is not None or references is not None:
            self.add_batch(
                predictions=[] if predictions is None else predictions,
                references=[] if references is None else references,
            )
        pairs, self._pairs = self._pairs, []
        given = Given([Pairs.of([text for text, _ in pairs], [reference for _, reference in pairs])])
        scores = score([Chosen(self.metric.info.name, self.metric)], given).rows[0].cells[0].scores
        segments = None if scores.segments is None else scores.segments.tolist()
        parts = {name: np.asarray(part).tolist() for name, part in scores.parts.items()}
        if scores.metric == "bertscore":
            answer = {"precision": parts["precision"], "recall": parts["recall"], "f1": segments}
            return {**answer, "hashcode": str(scores.signature)}
        return {scores.metric: scores.corpus, "scores": segments, **parts, "signature": str(scores.signature)}


def load(spec: str) -> Module:
    """Load a metric by its spec, in the shape of evaluate.

    >>> load("chrf").compute(predictions=["the cat"], references=["the cat"])["chrf"]
    100.0
    """
    return Module(load_pairs_metric(spec))


def compute(metric: str = DEFAULT, *, predictions: Texts, references: Texts | TextTable) -> dict[str, object]:
    """Load a metric by its spec and score pairs; to score often, :func:`load` it once.

    >>> compute("chrf", predictions=["the cat"], references=["the cat"])["scores"]
    [100.0]
    """
    return load(metric).compute(predictions=predictions, references=references)
