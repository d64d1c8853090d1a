"""What runs a cross-encoder on one batch: onnxruntime if the folder has a graph, else torch."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import MissingExtra, ModelError
from farthing.core.threads import onnx_session
from farthing.encoders.backends.pretrained import load_pretrained
from farthing.students.pair_ids import INPUTS, PairMatrices


class Runner(Protocol):
    """Scores one batch of pairs."""

    backend: str

    def __call__(self, batch: PairMatrices) -> Segments: ...


class OnnxRunner:
    """A graph in onnxruntime, one core per batch."""

    backend = "onnx"

    def __init__(self, graph: Path) -> None:
        self.session = onnx_session(graph)
        self.kinds = {one.name: np.int32 if "int32" in one.type else np.int64 for one in self.session.get_inputs()}
        if not set(self.kinds) <= set(INPUTS):
            raise ModelError(f"{graph} is not a cross-encoder: it needs the inputs {', '.join(sorted(self.kinds))}")

    def __call__(self, batch: PairMatrices) -> Segments:
        """Return the scores of a batch."""
        [scores] = self.session.run(None, {name: batch[name].astype(kind) for name, kind in self.kinds.items()})
        return _one_column(scores)


class TorchRunner:
    """A `…ForSequenceClassification` with one output in torch."""

    backend = "torch"

    def __init__(self, folder: Path) -> None:
        try:
            import torch
        except ImportError as error:
            raise MissingExtra(f"{folder} is no exported student; running it", "torch") from error
        self.model = load_pretrained(folder, "classifier", complete=True)
        self.typed = getattr(self.model.config, "type_vocab_size", 0) > 1
        torch.set_num_threads(1)

    def __call__(self, batch: PairMatrices) -> Segments:
        """Return the scores of a batch."""
        import torch

        inputs = {name: torch.from_numpy(value) for name, value in batch.items() if self.typed or name != INPUTS[1]}
        with torch.inference_mode():
            return _one_column(self.model(**inputs).logits.numpy())


def _one_column(scores: np.ndarray) -> Segments:
    column: Segments = scores.reshape(len(scores), -1)[:, 0].astype(np.float64)
    return column
