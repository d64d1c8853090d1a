"""Tiny students: one that matches tokens by tables, and a random cross-encoder, plain and exported."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

from farthing.students import surface
from farthing.students.head import GAPS

WORDS = ("[UNK]", "the", "cat", "sat", "on", "mat", "a", "dog", "ran", "far", "not")
FEATURES = len(GAPS) + len(surface.NAMES)


def make_student(folder: Path, *, hidden: int = 3, width: int = 6) -> Path:
    """A student with random vectors whose head takes a little off for every difference."""
    random = np.random.default_rng(7)
    backend = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    backend.normalizer, backend.pre_tokenizer = Lowercase(), Whitespace()
    backend.save(str(folder / "tokenizer.json"))
    config = {"farthing": {"kind": "static"}, "max_position_embeddings": 12, "pad_token_id": 0}
    (folder / "config.json").write_text(json.dumps(config))
    near = 4
    tables = {
        "vectors": random.integers(-127, 128, (len(WORDS), width)).astype(np.int8),
        "vectors_scale": random.random(len(WORDS)) / 100,
        "near": random.integers(-127, 128, (len(WORDS), near)).astype(np.int8),
        "near_scale": random.random(len(WORDS)) / 100,
        "weights": random.random(len(WORDS)).astype(np.float16),
        "mix": 0.1 * random.normal(size=(3, near, near)),
        "bias": 0.1 * random.normal(size=near),
        "out": 0.1 * random.normal(size=(near, width)),
        "heavy": 0.1 * random.normal(size=near),
    }
    small = {name: one if one.dtype != np.float64 else one.astype(np.float32) for name, one in tables.items()}
    save_file(small, folder / "tokens.safetensors")
    linear = np.zeros(FEATURES)
    linear[: len(GAPS) + 12] = -0.1
    head = {
        "scale": np.ones(FEATURES),
        "top": np.array(2.0),
        "linear": linear,
        "hidden": random.normal(size=(hidden, FEATURES)),
        "hidden_bias": random.normal(size=hidden),
        "out": np.full(hidden, 0.01),
        "floor": np.array(-1.0),
    }
    save_file({name: array.astype(np.float32) for name, array in head.items()}, folder / "head.safetensors")
    return folder


@pytest.fixture
def student_folder(tmp_path: Path) -> Path:
    return make_student(tmp_path)


@pytest.fixture(scope="session")
def cross_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random cross-encoder for 96 tokens, as transformers saves it."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    from farthing.learn.cross.vocabulary import learnt_tokenizer

    vocabulary = learnt_tokenizer([" ".join(WORDS[1:])] * 3, size=100)
    torch.manual_seed(2)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    limits = {"max_position_embeddings": 96, "num_labels": 1, "initializer_range": 0.3}
    place = tmp_path_factory.mktemp("models") / "cross"
    BertForSequenceClassification(BertConfig(vocab_size=len(vocabulary), **shape, **limits)).save_pretrained(place)
    vocabulary.save_pretrained(place)
    return place


@pytest.fixture(scope="session")
def exported_folder(cross_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same cross-encoder as `farthing learn export` writes it."""
    from farthing.learn.cross.export.export import export

    place = tmp_path_factory.mktemp("exported") / "onnx"
    export(str(cross_folder), place)
    return place


def make_graph(path: Path, *, width: int = 6) -> None:
    """A graph of token vectors, unit length, with weights for references (`weights`) and for sources (`source`)."""
    from onnx import TensorProto, helper, numpy_helper, save

    random = np.random.default_rng(9)
    tables = {
        "table": random.random((len(WORDS), width)), "heavy": random.random(len(WORDS)) + 0.1,
        "other": random.random(len(WORDS)) + 0.1,
    }  # fmt: skip
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"]),
        helper.make_node("LpNormalization", ["rows"], ["vectors"], axis=-1, p=2),
        helper.make_node("Gather", ["heavy", "ids"], ["weights"]),
        helper.make_node("Gather", ["other", "ids"], ["source"]),
    ]
    shapes = {"weights": [1, "n"], "vectors": [1, "n", width], "source": [1, "n"]}  # the vectors are not the first
    graph = helper.make_graph(
        nodes, "tokens", [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "n"])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()],
        [numpy_helper.from_array(one.astype(np.float32), name) for name, one in tables.items()],
    )  # fmt: skip
    save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), path)


@pytest.fixture
def sharing_folders(tmp_path: Path) -> tuple[Path, Path]:
    """A student of many languages, and one beside it that compares with sources and shares its encoder."""
    random = np.random.default_rng(8)
    multi, source = (tmp_path / name for name in ("multi", "source"))
    for folder in (multi, source):
        folder.mkdir()
        make_student(folder)
        (folder / "tokens.safetensors").unlink()
        columns = FEATURES + 2
        head = {
            "scale": random.random(columns) + 0.5, "top": np.array(2.0), "linear": -random.random(columns) / 10,
            "hidden": random.normal(size=(3, columns)), "hidden_bias": random.normal(size=3), "out": np.full(3, 0.1),
            "floor": np.array(-1.0),
        }  # fmt: skip
        if folder is source:
            head["ceiling"] = np.array(9.0)
        save_file({name: array.astype(np.float32) for name, array in head.items()}, folder / "head.safetensors")
    make_graph(multi / "encoder.onnx")
    (multi / "tokenizer_config.json").write_text('{"model_max_length": 9}')
    (source / "tokenizer.json").unlink()
    facts = {"kind": "match", "features": ["surface", "languages"]}
    for folder, more in ((multi, {}), (source, {"against": "source", "encoder": "multi", "weights": "source"})):
        config = {"farthing": {**facts, **more}, "max_position_embeddings": 12, "pad_token_id": 0}
        (folder / "config.json").write_text(json.dumps(config))
    return multi, source
