"""Rewrite a fused graph for processors: what onnxruntime is slow at becomes what it is fast at.

Its kernel for a sum with its norm adds up number by number: the two apart take a third of the time. And its optimiser
does not recognise attention over products that are prepared for 8 bits, so that heads were put apart and together by a
dozen operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

    Parts: TypeAlias = tuple[str, list[NodeProto]]  #: the name of a value, and the operations that are to make it

FUSED = "com.microsoft"  #: the domain of onnxruntime's own operations
_APART, _TURNED = [0, 2, 1, 3], [0, 2, 3, 1]  # heads before tokens, and the same with tokens last


def make_lean(model: ModelProto, heads: int) -> None:
    """Rewrite a graph in place; what comes out differs by rounding alone.

    :param heads: of every layer
    """
    _replace(model.graph, dict(_norms(model.graph)))
    _replace(model.graph, dict(_attentions(model.graph, heads)))


def _norms(graph: GraphProto) -> Iterator[Parts]:
    """Yield the two parts of every sum with a norm; a bias is added first, as part of the product before it."""
    from onnx import helper

    for node in graph.node:
        if node.op_type == "SkipLayerNormalization" and not any(node.output[1:]):
            out, (given, skip, *norm) = node.output[0], node.input
            bias, added = [one for one in norm[2:] if one], f"{out}_sum"
            parts = [helper.make_node("Add", [given, one], [f"{out}_biased"]) for one in bias]
            parts.append(helper.make_node("Add", [f"{out}_biased" if bias else given, skip], [added]))
            epsilon = next(one.f for one in node.attribute if one.name == "epsilon")
            plain = helper.make_node("LayerNormalization", [added, *norm[:2]], [out], axis=-1, epsilon=epsilon)
            yield out, [*parts, plain]


def _attentions(graph: GraphProto, heads: int) -> Iterator[Parts]:
    """Yield one operation for every attention of which nothing is masked."""
    from onnx import helper

    links = _Links.of(graph)
    for node in graph.node:
        if node.op_type == "Softmax" and (found := links.attention(node)):
            given, out, scale = found
            yield (
                out,
                [helper.make_node("MultiHeadAttention", given, [out], domain=FUSED, num_heads=heads, scale=scale)],
            )


class _Links(NamedTuple):
    """Which operation makes a value, and which ones read it."""

    makers: Mapping[str, NodeProto]
    readers: Mapping[str, list[NodeProto]]

    @classmethod
    def of(cls, graph: GraphProto) -> _Links:
        readers: dict[str, list[NodeProto]] = {}
        for node in graph.node:
            for name in node.input:
                readers.setdefault(name, []).append(node)
        return cls({name: node for node in graph.node for name in node.output}, readers)

    def attention(self, softmax: NodeProto) -> tuple[list[str], str, float] | None:
        """Return queries, keys and values, what comes out, and the scale; None if there is something else."""
        try:
            scaled = self._maker(softmax.input[0], "Mul")
            products, mixed = self._maker(scaled.input[0], "MatMul"), self._reader(softmax.output[0], "MatMul")
            orders = (_APART, _TURNED, _APART)
            given = [self._whole(*one) for one in zip([*products.input, mixed.input[1]], orders, strict=True)]
            together = self._reader(self._reader(mixed.output[0], "Transpose").output[0], "Reshape")
            return given, together.output[0], self._number(scaled.input[1])
        except LookupError:
            return None

    def _whole(self, name: str, order: list[int]) -> str:
        """Return the vectors of which these are the heads."""
        turned = self._maker(name, "Transpose")
        if list(turned.attribute[0].ints) != order:
            raise LookupError
        return str(self._maker(turned.input[0], "Reshape").input[0])

    def _number(self, name: str) -> float:
        from onnx import numpy_helper

        return float(numpy_helper.to_array(self._maker(name, "Constant").attribute[0].t))

    def _maker(self, name: str, operator: str) -> NodeProto:
        node = self.makers[name]
        if node.op_type != operator:
            raise LookupError(name)
        return node

    def _reader(self, name: str, operator: str) -> NodeProto:
        """Return the only operation that reads a value."""
        nodes = self.readers.get(name, [])
        if [node.op_type for node in nodes] != [operator]:
            raise LookupError(name)
        return nodes[0]


def _replace(graph: GraphProto, parts: Mapping[str, list[NodeProto]]) -> None:
    """Put other operations in the place of those that make some values, and drop those that nothing reads any more."""
    nodes = [one for node in graph.node for one in parts.get(node.output[0], [node])]
    needed = {one.name for one in graph.output}
    kept: list[NodeProto] = []
    for node in reversed(nodes):  # an operation stands behind those that it reads
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    del graph.node[:]
    graph.node.extend(reversed(kept))
