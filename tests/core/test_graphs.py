"""Graphs that name files elsewhere are refused; the names are those that the onnx package reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import ModelError
from farthing.core.graphs import check_graph, external_files
from farthing.core.threads import onnx_session

onnx = pytest.importorskip("onnx")
EMBEDDED = Path(__file__).resolve().parents[2] / "src" / "farthing" / "models"


def graph(path: Path, location: str, *, in_attribute: bool = False) -> Path:
    """Write a graph with a weight in another file."""
    weight = onnx.numpy_helper.from_array(np.ones(300, dtype=np.float32), "w")
    weight.ClearField("raw_data")
    weight.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", "0"), ("length", "1200")):
        entry = weight.external_data.add()
        entry.key, entry.value = key, value
    shapes = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [300]) for name in ("x", "y")]
    nodes = [onnx.helper.make_node("Add", ["x", "w"], ["y"])]
    if in_attribute:
        nodes.insert(0, onnx.helper.make_node("Constant", [], ["w"], value=weight))
    made = onnx.helper.make_graph(nodes, "g", shapes[:1], shapes[1:], [] if in_attribute else [weight])
    model = onnx.helper.make_model(made, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 17)])
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("in_attribute", [True, False])
@pytest.mark.parametrize("location", ["../secret.bin", "/etc/passwd", "a/../../secret.bin", "link.bin"])
def test_weights_outside_the_folder_are_refused(tmp_path: Path, location: str, in_attribute: bool) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(1200))
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    path = graph(folder / "model.onnx", location, in_attribute=in_attribute)
    assert external_files(path) == {location}
    with pytest.raises(ModelError, match="names weights outside its folder"):
        onnx_session(path)


def test_weights_beside_the_graph_are_read(tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(np.full(300, 2, dtype=np.float32).tobytes())
    session = onnx_session(graph(tmp_path / "model.onnx", "model.bin"))
    [found] = session.run(None, {"x": np.ones(300, dtype=np.float32)})
    assert found.tolist() == [3.0] * 300


def test_graphs_without_such_files_and_broken_ones_name_none(tmp_path: Path) -> None:
    for path in EMBEDDED.glob("*/encoder.onnx"):
        assert external_files(path) == set()
    whole = graph(tmp_path / "model.onnx", "model.bin").read_bytes()
    random = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(whole[: int(random.integers(len(whole)))])
        if damaged:
            damaged[int(random.integers(len(damaged)))] ^= 1 << int(random.integers(8))
        (tmp_path / "model.onnx").write_bytes(damaged)
        external_files(tmp_path / "model.onnx")
    (tmp_path / "model.onnx").write_bytes(b"")
    check_graph(tmp_path / "model.onnx")
