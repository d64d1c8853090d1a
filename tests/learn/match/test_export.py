"""A judge as a student's folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from safetensors.numpy import load_file

from farthing.learn.match.export import write_graph, write_head, write_judge, write_token_table
from farthing.learn.match.model import Judge
from farthing.learn.match.tokens import ContextualTokens, StaticTokens, load_transformer
from farthing.students.head import Head


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


def test_a_table_keeps_every_number_to_half_a_step_of_its_row(tmp_path: Path) -> None:
    torch.manual_seed(1)
    tokens = StaticTokens(30, width=8, near=4, window=1)
    write_token_table(tokens, tmp_path / "t.safetensors")
    found = load_file(tmp_path / "t.safetensors")
    rows, scale = found["vectors"].astype(np.float64), found["vectors_scale"]
    error = np.abs(rows * scale[:, None] - tokens.table.weight.detach().numpy())
    assert (error <= 0.5001 * scale[:, None]).all()
    assert found["vectors"].dtype == np.int8
    assert found["mix"].shape == (3, 4, 4)
    assert found["weights"].astype(np.float32) == pytest.approx(tokens.weight.weight[:, 0].detach().numpy(), rel=1e-3)


def test_a_head_is_read_back(contextual: Judge, tmp_path: Path) -> None:
    torch.nn.init.normal_(contextual.head.out.weight)
    write_head(contextual, tmp_path / "head.safetensors", floor=-2.5)
    head = Head.read(tmp_path / "head.safetensors")
    features = torch.rand(5, 9)
    wanted = np.minimum(contextual.head(features).detach().numpy(), float(contextual.head.top.detach()))
    assert head.floor == -2.5
    assert head.raw(features.numpy().astype(np.float64)) == pytest.approx(wanted, abs=1e-6)


def test_both_kinds_of_folders(contextual: Judge, encoder: Path, tmp_path: Path) -> None:
    static = Judge(StaticTokens(44, width=8, near=4, window=1), hidden=4)
    for name, judge in (("match", contextual), ("static", static)):
        (tmp_path / name).mkdir()
        write_judge(judge, encoder, tmp_path / name, floor=-1.0, about={"size": "test"})
    configs = {name: json.loads((tmp_path / name / "config.json").read_text()) for name in ("match", "static")}
    assert configs["match"]["farthing"] == {"kind": "match", "size": "test"}
    assert (configs["match"]["max_position_embeddings"], configs["static"]["max_position_embeddings"]) == (64, 4096)
    files = {name: {path.name for path in (tmp_path / name).iterdir()} for name in configs}
    assert files["match"] == {"encoder.onnx", "head.safetensors", "tokenizer.json", "config.json"}
    assert files["static"] == {"tokens.safetensors", "head.safetensors", "tokenizer.json", "config.json"}
    assert (tmp_path / "static" / "tokens.safetensors").stat().st_mode & 0o044  # others may read it
