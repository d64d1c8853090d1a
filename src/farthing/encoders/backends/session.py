"""The one way in which Farthing opens an ONNX graph to score with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import ModelError

if TYPE_CHECKING:
    import onnxruntime

_ERRORS_ONLY = 3  # onnxruntime's name for this level of its log


def onnx_session(path: Path, *, memory_pattern: bool = True, exact: bool = False) -> onnxruntime.InferenceSession:
    """Open a graph that uses one core per call: each thread of the caller takes whole batches.

    :param memory_pattern: remember how memory was laid out for each shape of input; turn it off if shapes vary
        without end, since the memories pile up
    :param exact: add up products of 8-bit numbers without overflow. Processors without VNNI instructions saturate
        sums of signed 8-bit weights, so that vectors differ from those on other processors. Graphs whose weights
        use 7 bits never overflow and open faster without it.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = memory_pattern
    options.log_severity_level = _ERRORS_ONLY
    if exact:
        options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no class but Exception
        reason = str(error).splitlines()[0]
        raise ModelError(f"{path} cannot be loaded as an ONNX graph: {reason}") from error
