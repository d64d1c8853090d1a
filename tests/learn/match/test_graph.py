"""The transformer of a judge as a graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

from farthing.core.errors import UsageError
from farthing.encoders.backends.embedded import Graph
from farthing.learn.match.graph import write_full, write_graph, write_lower, write_upper
from farthing.learn.match.model import Judge
from farthing.learn.match.table import GroupedTable
from farthing.learn.match.tokens import BranchTokens, ContextualTokens, SharedTokens, load_transformer
from farthing.learn.match.vocabulary import TableBits


@pytest.fixture
def contextual(encoder: Path) -> Judge:
    torch.manual_seed(2)
    return Judge(ContextualTokens(load_transformer(encoder, 2)), hidden=4)


def test_a_graph_gives_the_vectors_of_torch(contextual: Judge, tmp_path: Path) -> None:
    """8 bits keep the cosines of a tiny random encoder to the second digit."""
    tokens = contextual.tokens.eval()
    write_graph(tokens, tmp_path / "encoder.onnx")  # type: ignore[arg-type]
    ids = np.array([[2, 7, 11, 30, 3]])
    session = onnxruntime.InferenceSession(str(tmp_path / "encoder.onnx"), providers=["CPUExecutionProvider"])
    vectors, weights = session.run(None, {"ids": ids})
    with torch.no_grad():
        wanted, heavy = tokens(torch.from_numpy(ids), torch.ones(1, 5, dtype=torch.int64))
    assert (vectors * wanted.numpy()).sum(axis=-1).min() > 0.98
    assert weights == pytest.approx(heavy.numpy(), rel=0.05)


@pytest.mark.parametrize("bits", [8, 2])
def test_a_graph_weighs_tokens_for_several_students(contextual: Judge, tmp_path: Path, bits: TableBits) -> None:
    tokens = contextual.tokens.eval()
    assert isinstance(tokens, ContextualTokens)
    words = tokens.model.get_input_embeddings().weight
    words.data = GroupedTable(words)(torch.arange(len(words))[None])[0]  # so that 2 bits lose nothing
    other = SharedTokens(tokens).eval()
    torch.nn.init.normal_(other.weight.weight, std=0.5)
    write_graph(tokens, tmp_path / "encoder.onnx", {"source": other}, bits)
    ids = np.array([[2, 7, 11, 30, 3, 3, 9]])
    session = onnxruntime.InferenceSession(str(tmp_path / "encoder.onnx"), providers=["CPUExecutionProvider"])
    assert [one.name for one in session.get_outputs()] == ["vectors", "weights", "source"]
    vectors, weights, source = session.run(None, {"ids": ids})
    with torch.no_grad():
        wanted, heavy = tokens(torch.from_numpy(ids), torch.ones(1, 7, dtype=torch.int64))
        _, second = other(torch.from_numpy(ids), torch.ones(1, 7, dtype=torch.int64))
    assert (vectors * wanted.numpy()).sum(axis=-1).min() > 0.98
    assert weights == pytest.approx(heavy.numpy(), rel=0.05)
    assert source == pytest.approx(second.numpy(), abs=0.1)
    assert isinstance(tokens.model.get_input_embeddings(), torch.nn.Embedding)


def test_a_table_in_2_bits_has_a_byte_for_four_numbers(new_encoder: Callable[..., Path], tmp_path: Path) -> None:
    import onnx

    tokens = ContextualTokens(load_transformer(new_encoder(tmp_path, width=64), 1)).eval()
    write_graph(tokens, tmp_path / "encoder.onnx", table_bits=2)
    stored = {
        one.name: (one.data_type, list(one.dims)) for one in onnx.load(tmp_path / "encoder.onnx").graph.initializer
    }
    words = "tokens.model.embeddings.word_embeddings"
    assert stored[f"{words}.numbers"] == (onnx.TensorProto.UINT8, [44, 16])
    assert stored[f"{words}.groups"] == (onnx.TensorProto.FLOAT16, [16 * 256, 4])
    assert not any(name.startswith(f"{words}.weight") for name in stored)


def test_weights_over_another_transformer_are_refused(contextual: Judge, encoder: Path, tmp_path: Path) -> None:
    other = SharedTokens(ContextualTokens(load_transformer(encoder, 2)))
    with pytest.raises(UsageError, match="over one transformer"):
        write_graph(contextual.tokens, tmp_path / "encoder.onnx", {"source": other})  # type: ignore[arg-type]


@pytest.mark.parametrize("below", [0, 1])
def test_a_graph_goes_on_from_the_states_of_another_one(encoder: Path, tmp_path: Path, below: int) -> None:
    owner = ContextualTokens(load_transformer(encoder, 1)).eval()
    branch = BranchTokens(owner, load_transformer(encoder, None), below).eval()
    owner.fast = False
    write_lower(owner, tmp_path / "lower.onnx", below)
    write_full(branch, tmp_path / "full.onnx")
    ids = [2, 7, 11, 30, 3]
    for name, tokens in (("owner", owner), ("branch", branch)):
        write_upper(tokens, tmp_path / f"{name}.onnx", below)
        found = Graph(tmp_path / f"{name}.onnx", lower=tmp_path / "lower.onnx").read([ids], threads=1)
        with torch.no_grad():
            wanted, heavy = tokens(torch.tensor([ids]), torch.ones(1, 5, dtype=torch.int64))
        [(vectors, weights)] = found
        assert (vectors * wanted[0].numpy()).sum(axis=-1).min() > 0.98
        assert weights == pytest.approx(heavy[0].numpy(), rel=0.05)
    [(full, _)] = Graph(tmp_path / "full.onnx").read([ids], threads=1)
    assert full == pytest.approx(wanted[0].numpy(), abs=1e-5)


def test_a_huge_channel_costs_less_if_usual_texts_are_known(encoder: Path, tmp_path: Path) -> None:
    owner = ContextualTokens(load_transformer(encoder, 2)).eval()
    owner.fast = False
    ids = [2, 7, 11, 30, 3]
    with torch.no_grad():
        for layer in owner.model.encoder.layer:
            layer.intermediate.dense.weight *= 20  # the random blocks of this small model would hardly count
            layer.output.dense.weight *= 20
            layer.intermediate.dense.bias[0] = 300
            layer.output.dense.weight[:, 0] /= 300
        wanted, _ = owner(torch.tensor([ids]), torch.ones(1, 5, dtype=torch.int64))
    lost = []
    for usual in ((), [ids, [2, 9, 12, 3]]):
        write_lower(owner, tmp_path / "lower.onnx", 1, usual=usual)
        write_upper(owner, tmp_path / "upper.onnx", 1, usual)
        [(vectors, _)] = Graph(tmp_path / "upper.onnx", lower=tmp_path / "lower.onnx").read([ids], threads=1)
        lost.append(float(np.abs(vectors - wanted[0].numpy()).mean()))
    assert lost[1] < 0.5 * lost[0]
