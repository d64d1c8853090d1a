"""All that makes a metric's scores, as values that can be compared: spec, versions, and the content of its weights.

An option that names a model or a file is resolved first: the same name with other weights behind it is another metric.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import EllipsisType

from farthing.core.digest import digest_files
from farthing.core.registry import METRICS, metric_options
from farthing.core.specs import Spec, parse_spec
from farthing.core.version import __version__
from farthing.encoders.folder.locate import find_local

_LIBRARIES = ("sacrebleu", "nltk", "onnxruntime", "tokenizers", "torch", "transformers", "POT")


def identity(spec: str | Spec) -> dict[str, object]:
    """Everything that two runs of a metric must share for their scores to be the same."""
    return {"spec": str(spec), **versions(), "assets": contents(spec)}


def versions() -> dict[str, object]:
    """The versions of Farthing and of the libraries beneath that can move a score."""
    libraries = {name: found for name in _LIBRARIES if (found := _version(name))}
    return {"farthing": __version__, "libraries": libraries}


def contents(spec: str | Spec) -> dict[str, str]:
    """The models and files that a metric uses, with a digest of what each holds now."""
    spec = parse_spec(spec) if isinstance(spec, str) else spec
    known = metric_options(spec.name).values()
    defaults = {option.name: option.default for option in known if not isinstance(option.default, EllipsisType)}
    assets = METRICS.get(spec.name).assets({**defaults, **spec.options})
    return {name: content(name) for name in assets}


def content(name: str) -> str:
    """Name what a model's folder or a file holds; empty for something that is not on this machine."""
    path = Path(name).expanduser()
    folder = path if path.exists() else find_local(name)
    if folder is None:
        return ""
    members = sorted(member for member in folder.rglob("*") if member.is_file()) if folder.is_dir() else [folder]
    return digest_files(members)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
