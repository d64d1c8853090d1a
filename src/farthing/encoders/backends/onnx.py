"""Encoders exported to ONNX: no torch, first score in a fraction of a second."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from farthing.core.errors import ModelError
from farthing.core.specs import Value
from farthing.encoders.protocol import encoder_fields, file_hash
from farthing.encoders.tokens.tokenize import Tokenizer, read_json

FILE = "model.onnx"
_OUTPUT = "layer_"


class OnnxEncoder:
    """An exported encoder, run by onnxruntime.

    The graph takes `input_ids` alone: every batch holds texts of one length, so there is no padding and no mask.

    :param folder: a folder that `farthing models export` made
    """

    backend = "onnx"
    slack = 0.0
    tokens = 512

    def __init__(self, folder: Path, name: str, *, leading_space: bool | None = True) -> None:
        import onnxruntime

        self.folder, self.name = folder, name
        self.tokenizer = Tokenizer(folder, leading_space)
        self.card = read_json(folder / "farthing.json", missing_ok=True)
        self.precision = str(self.card.get("precision", "fp32"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # each thread takes whole batches
        options.enable_mem_pattern = False  # lengths vary, so remembered patterns would pile up
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / FILE), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's errors share no class but Exception
            raise ModelError(f"{folder / FILE} cannot be loaded: {str(error).splitlines()[0]}") from error
        outputs = {output.name: output for output in self._session.get_outputs()}
        self.layers = tuple(sorted(int(n.removeprefix(_OUTPUT)) for n in outputs if n.startswith(_OUTPUT)))
        if not self.layers:
            raise ModelError(f"{folder / FILE} has no output called layer_…: make it by `farthing models export`")
        self.dimension = int(outputs[f"{_OUTPUT}{self.layers[-1]}"].shape[-1])
        self._run_options = onnxruntime.RunOptions()
        self._run_options.only_execute_path_to_fetches = True  # stops at the deepest layer that is asked for

    def run(self, ids: np.ndarray, mask: np.ndarray | None, layers: Sequence[int]) -> list[np.ndarray]:
        """The states of each asked layer, in one pass that stops at the deepest of them."""
        if mask is not None:
            raise ModelError("an ONNX encoder takes no padding")
        names = [f"{_OUTPUT}{layer}" for layer in layers]
        found: list[np.ndarray] = self._session.run(names, {"input_ids": ids}, self._run_options)
        return found

    def working(self) -> contextlib.AbstractContextManager[None]:
        """Nothing needs to be prepared: the session has one core a call."""
        return contextlib.nullcontext()

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits of the hash of the graph and its weights."""
        return file_hash(self.folder / FILE)

    def fields(self) -> dict[str, Value]:
        """The encoder's part of a score's signature."""
        return encoder_fields(self, self.weights_hash)
