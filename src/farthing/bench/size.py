"""The size of what a metric runs on: parameters, and bytes of the files that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import EllipsisType

from farthing.core.errors import FarthingError
from farthing.core.registry import METRICS, metric_options
from farthing.core.specs import parse_spec
from farthing.encoders.folder.describe import parameter_count
from farthing.encoders.folder.graph import graph_facts
from farthing.encoders.folder.locate import find_local
from farthing.encoders.load import BACKENDS, backend_of
from farthing.students.facts import is_student
from farthing.students.layout import StudentFolder


@dataclass(frozen=True, slots=True)
class ModelSize:
    """Parameters and bytes; 0 for a metric without a model, None if they are not known."""

    parameters: int | None
    disk: int | None


def model_size(spec: str, signature: Mapping[str, str]) -> ModelSize:
    """Measure the models that a metric used.

    :param signature: the fields of the signature of its scores: they tell which model a default stood for
    """
    parsed = parse_spec(spec)
    kind, known = METRICS.get(parsed.name), metric_options(parsed.name).values()
    defaults = {one.name: one.default for one in known if not isinstance(one.default, EllipsisType)}
    told = {name: value for name, value in kind.options_told(signature).items() if name not in parsed.options}
    try:
        files = _weights(kind.assets({**defaults, **told, **parsed.options}), encoders=kind.takes_encoder)
        return ModelSize(sum(map(_parameters, files)), sum(file.stat().st_size for file in files))
    except (FarthingError, OSError, ValueError):
        return ModelSize(None, None)


def _weights(assets: list[str], *, encoders: bool) -> list[Path]:
    """Find the files with weights; a folder whose weights another one shares is counted once."""
    files: list[Path] = []
    for name in assets:
        folder = Path(name) if Path(name).exists() else find_local(name)
        if folder is None:
            raise ValueError(f"{name} is not on this machine")
        if folder.is_dir() and not any(file.parent == folder for file in files):
            whole = not encoders and is_student(folder)
            found = StudentFolder.read(folder).weights if whole else BACKENDS.get(backend_of(folder)).files(folder)
            files += [file for file in found if file not in files]
    return files


def _parameters(file: Path) -> int:
    return graph_facts(file).parameters if file.suffix == ".onnx" else parameter_count(file)
