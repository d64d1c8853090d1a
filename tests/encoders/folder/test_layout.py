"""A model's folder as a type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.encoders.folder.layout import ModelFolder, layer_count


def folder(path: Path, **config: object) -> ModelFolder:
    (path / "config.json").write_text(json.dumps(config))
    return ModelFolder(path)


@pytest.mark.parametrize(
    ("config", "layers", "dimension"),
    [
        ({"model_type": "bert", "num_hidden_layers": 12, "hidden_size": 768}, 12, 768),
        ({"model_type": "distilbert", "n_layers": 6, "dim": 512}, 6, 512),
        ({"model_type": "bart", "encoder_layers": 3, "num_layers": 9, "d_model": 64}, 3, 64),
        ({"model_type": "model2vec", "hidden_dim": 256, "num_hidden_layers": 4}, 0, 256),
        ({}, 0, None),
    ],
)
def test_facts_of_the_families(tmp_path: Path, config: dict[str, object], layers: int, dimension: int | None) -> None:
    model = folder(tmp_path, **config)
    assert (model.layers, model.dimension) == (layers, dimension)
    assert model.family == config.get("model_type", "unknown")


def test_an_export_states_its_precision(tmp_path: Path) -> None:
    model = folder(tmp_path)
    assert (model.precision, model.card) == ("fp32", {})
    (tmp_path / "farthing.json").write_text('{"precision": "int8"}')
    assert model.precision == "int8"


def test_weights_in_several_files_come_sorted(tmp_path: Path) -> None:
    for name in ("model-2.safetensors", "model-1.safetensors", "other.bin"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in ModelFolder(tmp_path).safetensors] == ["model-1.safetensors", "model-2.safetensors"]


def test_a_folder_without_a_config_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"is not a model's folder: it has no config.json"):
        _ = ModelFolder(tmp_path).family
    assert layer_count({"num_layers": "many"}) is None
