"""From a model's name to its encoder, through the table of backends.

A backend is one file in `backends/` and one line here. Other packages add theirs with
`farthing.register("backend", "mine", MyEncoder)` or an entry point in the group `farthing.backends`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeAlias

from farthing.core.errors import ModelError
from farthing.core.registry import Registry
from farthing.encoders.device import AUTO
from farthing.encoders.folder.locate import locate
from farthing.encoders.protocol import Encoder

Backend: TypeAlias = str  #: a name in `BACKENDS`, or "auto" for what the folder holds


class BackendClass(Protocol):
    """What a backend offers: a class with these class methods, such as one over `FolderEncoder`."""

    def detects(self, folder: Path) -> bool:
        """Tell whether the backend is the one to run a folder."""
        ...

    def build(self, folder: Path, name: str, *, leading_space: bool | None, cut: int | None, device: str) -> Encoder:
        """Make the encoder of a folder, or raise a sentence that says why it cannot be made."""
        ...

    def files(self, folder: Path) -> list[Path]:
        """Name the files that hold the weights."""
        ...


BACKENDS: Registry[BackendClass] = Registry(
    "backend",
    {  # "auto" asks them in this order
        "embedded": "farthing.encoders.backends.embedded:EmbeddedEncoder",
        "onnx": "farthing.encoders.backends.onnx:OnnxEncoder",
        "static": "farthing.encoders.backends.static:StaticEncoder",
        "torch": "farthing.encoders.backends.torch:TorchEncoder",
    },
)


def load_encoder(
    model: str | Path,
    backend: Backend = "auto",
    *,
    leading_space: bool | None = True,
    cut: int | None = None,
    device: str = AUTO,
) -> Encoder:
    """Load the encoder of a model; the last few are kept, so that the same one is loaded once.

    :param model: a name or a folder, see :mod:`farthing.encoders.folder.locate`
    :param backend: what runs the model; "auto" takes what the folder holds: an embedded student, an ONNX graph,
        static vectors, else torch
    :param leading_space: see :class:`~farthing.encoders.tokens.tokenize.Tokenizer`
    :param cut: keep only this many blocks (torch only)
    :param device: where to run (torch only); "auto" takes a GPU if there is one
    """
    folder = locate(model, instead="a folder or one of Farthing's own encoders (small, tiny, nano)")
    chosen = backend_of(folder) if backend == "auto" else backend
    return _built(chosen, folder.resolve(), name_of(model), leading_space, cut, device)


def backend_of(folder: Path) -> Backend:
    """Find the backend that runs a folder best."""
    for name in BACKENDS.known():
        if BACKENDS.get(name).detects(folder):
            return name
    raise ModelError(f"no backend runs {folder}: expected an exported graph or *.safetensors there")


def name_of(model: str | Path) -> str:
    """Return what a signature calls a model: its name, or the last part of its path."""
    text = str(model)
    return Path(text).resolve().name if Path(text).expanduser().is_dir() else text


@lru_cache(maxsize=4)
def _built(backend: Backend, folder: Path, name: str, space: bool | None, cut: int | None, device: str) -> Encoder:
    return BACKENDS.get(backend).build(folder, name, leading_space=space, cut=cut, device=device)
