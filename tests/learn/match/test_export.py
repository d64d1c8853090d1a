"""A judge as a student's folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from safetensors.numpy import load_file

from farthing.core.errors import ModelError
from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.learn.match.export import (
    write_head,
    write_judge,
    write_second_judge,
    write_token_table,
)
from farthing.learn.match.model import Judge
from farthing.learn.match.tokens import BranchTokens, ContextualTokens, SharedTokens, StaticTokens, load_transformer
from farthing.students.facts import student_facts
from farthing.students.head import GAPS, Head
from farthing.students.layout import StudentFolder
from farthing.students.match import MatchStudent
from farthing.students.student import PairOptions
from farthing.students.surface import NAMES


@pytest.fixture
def contextual(encoder: Path) -> Judge:
    torch.manual_seed(2)
    return Judge(ContextualTokens(load_transformer(encoder, 2)), hidden=4)


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
    features = torch.rand(5, len(contextual.head.scale))
    wanted = np.minimum(contextual.head(features).detach().numpy(), float(contextual.head.top.detach()))
    assert head.floor == -2.5
    assert head.raw(features.numpy().astype(np.float64)) == pytest.approx(wanted, abs=1e-6)


def test_a_head_may_have_a_ceiling(contextual: Judge, tmp_path: Path) -> None:
    write_head(contextual, tmp_path / "plain.safetensors", floor=-2.5)
    write_head(contextual, tmp_path / "head.safetensors", floor=-2.5, ceiling=1.5)
    plain, found = load_file(tmp_path / "plain.safetensors"), load_file(tmp_path / "head.safetensors")
    assert found.keys() - plain.keys() == {"ceiling"}
    assert float(found["ceiling"]) == 1.5


def test_a_second_judge_has_no_encoder_of_its_own(contextual: Judge, tmp_path: Path) -> None:
    assert isinstance(contextual.tokens, ContextualTokens)
    judge = Judge(SharedTokens(contextual.tokens), hidden=4, groups=("surface", "languages"))
    write_second_judge(judge, tmp_path, floor=-1.0, ceiling=0.5, about={"size": "source", "measured": ["de"]})
    assert {path.name for path in tmp_path.iterdir()} == {"head.safetensors", "config.json"}
    config = json.loads((tmp_path / "config.json").read_text())
    assert config["max_position_embeddings"] == 64
    assert config["farthing"] == {
        "kind": "match", "against": "source", "encoder": "multi", "weights": "source", "size": "source",
        "measured": ["de"], "features": ["surface", "languages"],
    }  # fmt: skip


def test_two_judges_share_their_lowest_layers(contextual: Judge, encoder: Path, tmp_path: Path) -> None:
    """Each student runs the shared graph, then its own one: together they give the vectors of torch."""
    assert isinstance(contextual.tokens, ContextualTokens)
    second = Judge(BranchTokens(contextual.tokens, load_transformer(encoder, None), 1), hidden=4)
    assert isinstance(second.tokens, BranchTokens)
    for one in second.tokens.layers.parameters():
        one.data += 0.05 * torch.randn_like(one)
    multi, source = tmp_path / "multi", tmp_path / "source"
    for folder in (multi, source):
        folder.mkdir()
    write_judge(contextual, encoder, multi, floor=-1.0, about={}, shared=1, precision="fp32")
    write_second_judge(second, source, floor=-1.0, ceiling=0.5, about={}, precision="fp32")
    names = {"encoder.onnx", "encoder.fp32.onnx", "head.safetensors", "config.json"}
    assert {path.name for path in source.iterdir()} == names
    assert {path.name for path in multi.iterdir()} == {*names, "lower.onnx", "tokenizer.json"}
    ids = [7, 11, 30]
    for folder, judge in ((multi, contextual), (source, second)):
        with torch.no_grad():
            wanted, heavy = judge.tokens(torch.tensor([[2, *ids, 3]]), torch.ones(1, 5, dtype=torch.int64))
        [full] = EmbeddedEncoder(folder, folder.name, precision="fp32").encode([ids])
        assert full.vectors == pytest.approx(wanted[0, 1:-1].numpy(), abs=1e-5)
        [usual] = EmbeddedEncoder(folder, folder.name).encode([ids])
        assert (usual.vectors * full.vectors).sum(axis=-1).min() > 0.98
        assert usual.weights == pytest.approx(heavy[0, 1:-1].numpy(), rel=0.05)
    digests = {folder.name: EmbeddedEncoder(folder, folder.name).weights_hash for folder in (multi, source)}
    assert len(set(digests.values())) == 2
    assert StudentFolder.read(source).weights == (
        source / "encoder.onnx", multi / "lower.onnx", source / "head.safetensors"
    )  # fmt: skip
    assert [student_facts(folder).layers for folder in (multi, source)] == [2, 2]
    (source / "encoder.fp32.onnx").unlink()
    with pytest.raises(ModelError, match="source has no graph in fp32"):
        EmbeddedEncoder(source, "source", precision="fp32")  # never that of the student beside it


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


def test_full_precision_is_that_of_torch(contextual: Judge, encoder: Path, tmp_path: Path) -> None:
    write_judge(contextual, encoder, tmp_path, floor=-1.0, about={}, table_bits=2, precision="fp32")
    ids = np.array([[2, 7, 11, 30, 3]])
    graph = tmp_path / "encoder.fp32.onnx"
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    vectors, weights = session.run(None, {"ids": ids})
    with torch.no_grad():
        wanted, heavy = contextual.tokens(torch.from_numpy(ids), torch.ones(1, 5, dtype=torch.int64))
    assert vectors == pytest.approx(wanted.numpy(), abs=1e-5)
    assert weights == pytest.approx(heavy.numpy(), rel=1e-5)
    text = "w3 w7 w26"
    usual, full = MatchStudent(tmp_path), MatchStudent(tmp_path, PairOptions(precision="fp32"))
    assert full.raw([text], ["w3 w8 w26"]) == pytest.approx(usual.raw([text], ["w3 w8 w26"]), abs=0.5)
    assert full.fields()["precision"] == "fp32"
    assert usual.fields()["weights"] != full.fields()["weights"]


def test_a_tokenizer_is_stored_once_if_it_is_the_same(contextual: Judge, encoder: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, about in ((first, {"tokenizer": "nowhere"}), (second, {"tokenizer": "first", "size": "x"})):
        folder.mkdir()
        write_judge(contextual, encoder, folder, floor=-1.0, about=about)
    own, shared = (StudentFolder.read(folder) for folder in (first, second))
    assert own.facts == {"kind": "match"}
    assert shared.facts == {"kind": "match", "tokenizer": "first", "size": "x"}
    assert not (second / "tokenizer.json").exists()
    assert MatchStudent(first).fields() == MatchStudent(second).fields()
    third = tmp_path / "third"
    third.mkdir()
    (first / "tokenizer.json").write_text((first / "tokenizer.json").read_text() + " ")
    write_judge(contextual, encoder, third, floor=-1.0, about={"tokenizer": "first"})
    assert (third / "tokenizer.json").read_bytes() == (encoder / "tokenizer.json").read_bytes()
    fourth = tmp_path / "fourth"
    fourth.mkdir()
    write_judge(contextual, second, fourth, floor=-1.0, about={})  # a start may share its tokenizer
    assert (fourth / "tokenizer.json").read_bytes() == (first / "tokenizer.json").read_bytes()


def test_a_written_head_overlooks_what_the_judge_overlooks(contextual: Judge, tmp_path: Path) -> None:
    judge = Judge(contextual.tokens, 3, overlooks=["* of ? words", "chrF"])
    for weights in (judge.head.linear.weight, judge.head.out.weight):
        torch.nn.init.normal_(weights)
    write_head(judge, tmp_path / "head.safetensors", floor=-1.0, ceiling=1.0)
    head, features = Head.read(tmp_path / "head.safetensors"), torch.rand(5, len(judge.head.scale))
    assert head.raw(features.double().numpy()) == pytest.approx(judge.head(features).detach().numpy(), abs=1e-6)
    silent = {NAMES[place - len(GAPS)] for place in np.flatnonzero(head.linear == 0)}
    assert silent == {"chrF", *(f"{side} of {n} words" for side in ("precision", "recall") for n in range(1, 5))}
