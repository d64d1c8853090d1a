"""Any metric in the shape of Hugging Face's evaluate: `load(…).compute(predictions=, references=)`.

    from farthing.compat import evaluate
    bertscore = evaluate.load("bertscore(model=/models/minilm, layer=5)")
    bertscore.compute(predictions=["a cat"], references=["the cat"])

idf weights always come from the references of the very call: nothing of an earlier call is kept but the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from farthing.core.errors import UsageError
from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scoring.score import Chosen, score

Reference = str | Sequence[str]


class Module:
    """A metric that gathers predictions and references, and computes."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self._pairs: list[tuple[str, Reference]] = []

    def add(self, *, prediction: str, reference: Reference) -> None:
        """Remember one pair for the next `compute`."""
        self._pairs.append((prediction, reference))

    def add_batch(self, *, predictions: Sequence[str], references: Sequence[Reference]) -> None:
        """Remember some pairs for the next `compute`."""
        if len(predictions) != len(references):
            raise UsageError(f"{len(predictions)} predictions but {len(references)} references")
        self._pairs += zip(predictions, references, strict=True)

    def compute(
        self, *, predictions: Sequence[str] | None = None, references: Sequence[Reference] | None = None
    ) -> dict[str, Any]:
        """Score what is given, after what was added before.

        :returns: precision, recall, f1 and hashcode for BERTScore, as evaluate has them; for another metric its
            name with the corpus score, `scores` with one a pair, its parts, and the signature
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions or [], references=references or [])
        pairs, self._pairs = self._pairs, []
        given = Given([Pairs.of([text for text, _ in pairs], [reference for _, reference in pairs])])
        scores = score([Chosen(self.metric.info.name, self.metric)], given).rows[0].cells[0].scores
        plain = scores.to_dict()
        if scores.metric == "bertscore":
            parts = plain["parts"]
            answer = {"precision": parts["precision"], "recall": parts["recall"], "f1": plain["segments"]}
            return {**answer, "hashcode": plain["signature"]}
        return {
            scores.metric: plain["corpus"],
            "scores": plain["segments"],
            **plain["parts"],
            "signature": plain["signature"],
        }


def load(spec: str) -> Module:
    """A metric by its spec, in the shape of evaluate.

    >>> load("chrf").compute(predictions=["the cat"], references=["the cat"])["chrf"]
    100.0
    """
    return Module(load_pairs_metric(spec))
