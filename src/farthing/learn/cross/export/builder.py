"""A small builder for ONNX graphs that are written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

OPSET = 17
FUSED = "com.microsoft"  # onnxruntime's own fused operators


class Builder:
    """Collects nodes and constants; every value is known by its name."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}

    def constant(self, name: str, value: np.ndarray) -> str:
        """Add a constant and return its name; the same name twice is the same constant."""
        self.constants.setdefault(name, np.asarray(value, order="C"))
        return name

    def node(
        self, operator: str, inputs: Sequence[str], domain: str = "", outputs: int = 1, **attributes: object
    ) -> str:
        """Add one operation and return the name of its first output."""
        from onnx import helper

        names = [f"{operator}_{len(self.nodes)}" + (f"_{place}" if place else "") for place in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, domain=domain, **attributes))
        return names[0]

    def model(self, inputs: Sequence[str], output: str) -> ModelProto:
        """Finish the model: integer matrices in, one score per row out."""
        from onnx import TensorProto, helper, numpy_helper

        self.nodes.append(helper.make_node("Identity", [output], ["score"]))
        graph = helper.make_graph(
            self.nodes,
            "student",
            [helper.make_tensor_value_info(name, TensorProto.INT32, ["rows", "tokens"]) for name in inputs],
            [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["rows", 1])],
            [numpy_helper.from_array(value, name) for name, value in self.constants.items()],
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="farthing")
