"""Any other encoder as a graph: torch's own exporter writes it."""

from __future__ import annotations

import io
import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import ModelError
from farthing.students.pair_ids import INPUTS

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel


def traced(model: PreTrainedModel, typed: bool) -> bytes:
    """Write the graph of a model in fp32.

    :param typed: the model reads token types
    """
    import torch

    names = [name for name in INPUTS if typed or name != INPUTS[1]]

    class Scores(torch.nn.Module):
        """The model with plain arguments and one plain result."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *values: torch.Tensor) -> torch.Tensor:
            logits: torch.Tensor = self.model(**dict(zip(names, values, strict=True))).logits
            return logits

    sample = tuple(torch.ones(2, 8, dtype=torch.int64) for _ in names)
    free = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    stream = io.BytesIO()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the exporter warns about its own insides
            program = torch.onnx.export(
                Scores().eval(),
                sample,
                dynamo=True,
                input_names=names,
                output_names=["score"],
                dynamic_shapes=(tuple(free for _ in names),),
                verbose=False,
            )
            program.save(stream)  # type: ignore[union-attr, arg-type]  # dynamo returns a program, which takes a stream
    except Exception as error:  # the exporter raises many kinds of its own
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"a {model.config.model_type} cannot be exported: {reason}") from error
    return stream.getvalue()


def with_integers(graph: bytes, folder: Path) -> bytes:
    """Turn the weights of a graph into eight bits; its products measure the range of every batch anew."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    before, after = folder / "float.onnx", folder / "integer.onnx"
    plain = onnx.load_from_string(graph)
    del plain.graph.value_info[:]  # the exporter's shapes contradict those that the quantiser infers
    before.write_bytes(plain.SerializeToString())
    root = logging.getLogger()  # the quantiser writes to it
    level = root.level
    root.setLevel(logging.ERROR)
    try:
        quantize_dynamic(
            before,
            after,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            op_types_to_quantize=["MatMul", "Gather"],
        )
    finally:
        root.setLevel(level)
    return after.read_bytes()
