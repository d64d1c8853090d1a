"""From a name to an encoder, each made once."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from farthing.core.errors import SpecError
from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.encoders.backends.onnx import FILE, OnnxEncoder
from farthing.encoders.backends.static import StaticEncoder
from farthing.encoders.backends.torch import TorchEncoder
from farthing.encoders.folder.locate import locate
from farthing.encoders.protocol import Encoder
from farthing.encoders.tokens.tokenize import read_json

Backend = Literal["auto", "torch", "onnx", "static", "embedded"]


def load_encoder(
    model: str | Path,
    backend: Backend = "auto",
    *,
    leading_space: bool | None = True,
    cut: int | None = None,
    device: str = "cpu",
) -> Encoder:
    """The encoder of a model; asked for again, the same one.

    :param model: a name or a folder, see :mod:`farthing.encoders.folder.locate`
    :param backend: "auto" takes what the folder holds: an ONNX graph, static vectors, else torch
    :param cut: keep only so many blocks (torch only)
    """
    folder = locate(model)
    kind = backend if backend != "auto" else backend_of(folder)
    return _made(kind, folder.resolve(), name_of(model), leading_space, cut, device)


def backend_of(folder: Path) -> Backend:
    """What runs a folder best."""
    if EmbeddedEncoder.detects(folder):
        return "embedded"
    if (folder / FILE).is_file():
        return "onnx"
    return "static" if is_static(folder) else "torch"


def is_static(folder: Path) -> bool:
    """True for a folder of static token vectors."""
    return read_json(folder / "config.json").get("model_type") == "model2vec"


def name_of(model: str | Path) -> str:
    """How a signature calls a model: its name, or the last part of its path."""
    text = str(model)
    return Path(text).resolve().name if Path(text).expanduser().is_dir() else text


@lru_cache(maxsize=4)
def _made(kind: Backend, folder: Path, name: str, space: bool | None, cut: int | None, device: str) -> Encoder:
    if kind != "torch" and (cut is not None or device != "cpu"):
        raise SpecError(f"the backend {kind} runs on the CPU and cuts no models: use backend=torch for that")
    if kind == "onnx":
        if not (folder / FILE).is_file():
            raise SpecError(f"{folder} has no {FILE}: run `farthing models export {folder} -o FOLDER` and use FOLDER")
        return OnnxEncoder(folder, name, leading_space=space)
    if kind == "embedded":
        return EmbeddedEncoder(folder, name, leading_space=space)
    if kind == "static":
        return StaticEncoder(folder, name, leading_space=space)
    return TorchEncoder(folder, name, leading_space=space, cut=cut, device=device)
