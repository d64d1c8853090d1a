"""What runs a cross-encoder: both runners give one number per pair, and a folder that cannot be run is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

from farthing.core.errors import ModelError
from farthing.students.pair_ids import PairIds, as_batch
from farthing.students.runners import OnnxRunner, TorchRunner

BATCH = as_batch([PairIds([2, 5, 6, 3, 7, 3], [0, 0, 0, 0, 1, 1]), PairIds([2, 9, 3, 3], [0, 0, 0, 1])], pad=0)


def test_both_runners_score_a_batch_alike(cross_folder: Path, exported_folder: Path) -> None:
    by_torch, by_onnx = TorchRunner(cross_folder)(BATCH), OnnxRunner(exported_folder / "model.onnx")(BATCH)
    assert by_torch.shape == by_onnx.shape == (2,)
    assert by_torch == pytest.approx(by_onnx, abs=1e-5)


def test_a_graph_with_other_inputs_is_no_cross_encoder() -> None:
    from farthing.encoders.folder.locate import EMBEDDED

    with pytest.raises(ModelError, match="is not a cross-encoder: it needs the inputs ids"):
        OnnxRunner(EMBEDDED / "tiny" / "encoder.onnx")


def test_a_broken_graph_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelError, match="cannot be loaded as an ONNX graph"):
        OnnxRunner(tmp_path / "model.onnx")


def test_an_untrained_head_is_named(cross_folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "headless"
    shutil.copytree(cross_folder, place)
    weights = {name: one for name, one in load_file(place / "model.safetensors").items() if "classifier" not in name}
    save_file(weights, place / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="is not a cross-encoder: it has no weights for classifier"):
        TorchRunner(place)
