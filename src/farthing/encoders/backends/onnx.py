"""Encoders exported to ONNX: no torch, first score in a fraction of a second."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from farthing.core.arrays import Indices, Vectors
from farthing.core.errors import ModelError, SpecError
from farthing.core.threads import onnx_session
from farthing.encoders.folder.layout import GRAPH, ModelFolder
from farthing.encoders.protocol import FolderEncoder

_OUTPUT = "layer_"


class OnnxEncoder(FolderEncoder):
    """An exported encoder, run by onnxruntime.

    The graph takes `input_ids` alone: every batch holds texts of one length, so there is no padding and no mask.

    :param folder: a folder that `farthing models export` made
    """

    backend = "onnx"
    tokens = 512

    def __init__(self, folder: Path, name: str, *, leading_space: bool | None = True) -> None:
        import onnxruntime

        super().__init__(folder, name, leading_space=leading_space)
        self.precision = ModelFolder(folder).precision
        # Lengths vary, so remembered patterns of memory would pile up.
        self._session = onnx_session(folder / GRAPH, memory_pattern=False, exact=True)
        outputs = {output.name: output for output in self._session.get_outputs()}
        self.layers = tuple(sorted(int(n.removeprefix(_OUTPUT)) for n in outputs if n.startswith(_OUTPUT)))
        if not self.layers:
            raise ModelError(f"{folder / GRAPH} has no output called layer_…: make it with `farthing models export`")
        self.dimension = int(outputs[f"{_OUTPUT}{self.layers[-1]}"].shape[-1])
        self._run_options = onnxruntime.RunOptions()
        self._run_options.only_execute_path_to_fetches = True  # stops at the deepest layer that is asked for

    @classmethod
    def detects(cls, folder: Path) -> bool:
        """Tell whether the folder has an exported graph."""
        return (folder / GRAPH).is_file()

    @classmethod
    def build(cls, folder: Path, name: str, *, leading_space: bool | None, cut: int | None, device: str) -> Self:
        """Make the encoder of a folder; a folder without a graph is a mistake."""
        if not cls.detects(folder):
            raise SpecError(f"{folder} has no {GRAPH}: run `farthing models export {folder} -o FOLDER` and use FOLDER")
        return super().build(folder, name, leading_space=leading_space, cut=cut, device=device)

    @classmethod
    def files(cls, folder: Path) -> list[Path]:
        """Name the graph, which holds the weights."""
        return [folder / GRAPH]

    def run(self, ids: Indices, mask: Indices | None, layers: Sequence[int]) -> list[Vectors]:
        """Return the states of each layer, from one pass that stops at the deepest of them."""
        if mask is not None:
            raise ModelError("an ONNX encoder takes no padding")
        names = [f"{_OUTPUT}{layer}" for layer in layers]
        states: list[Vectors] = self._session.run(names, {"input_ids": ids}, self._run_options)
        return states
