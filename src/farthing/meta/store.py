"""Scores that are kept on disk, so that a second analysis of the same texts is instant.

A file holds one metric's scores of one text set. Its name is a hash of the texts and of all that makes the metric:
its spec, Farthing's version and the libraries' versions, and the state of any file or folder that an option names.
Files are plain numpy archives, written beside and renamed; a broken one counts as absent.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from farthing.core.errors import OutputError
from farthing.core.specs import Spec
from farthing.core.types import Pairs
from farthing.core.version import __version__
from farthing.files.write import replacing

_LIBRARIES = ("sacrebleu", "rouge-score", "onnxruntime", "tokenizers", "torch", "transformers", "POT")
_LOG = logging.getLogger("farthing")


@dataclass(frozen=True, slots=True)
class Kept:
    """One metric's scores of one text set."""

    segments: np.ndarray
    statistics: np.ndarray | None
    signature: str


class ScoreStore:
    """A folder of kept scores.

    :param folder: where they are; None keeps nothing
    :param fresh: score again even where there are scores
    """

    def __init__(self, folder: Path | None, fresh: bool = False) -> None:
        self.folder, self.fresh = folder, fresh

    @classmethod
    def usual(cls, fresh: bool = False) -> ScoreStore:
        """The store in the user's cache folder."""
        import platformdirs

        return cls(Path(platformdirs.user_cache_dir("farthing")) / "scores", fresh)

    def get(self, spec: Spec, texts: Sequence[Pairs]) -> Kept | None:
        """The kept scores, or None."""
        path = self._path(spec, texts)
        if path is None or self.fresh or not path.is_file():
            return None
        try:
            with np.load(path, allow_pickle=False) as archive:
                kept = Kept(archive["segments"], archive.get("statistics"), str(archive["signature"]))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        return kept if len(kept.segments) == sum(len(pairs) for pairs in texts) else None

    def put(self, spec: Spec, texts: Sequence[Pairs], kept: Kept) -> None:
        """Keep scores; where the folder cannot be written to, say so and go on."""
        path = self._path(spec, texts)
        if path is None:
            return
        arrays = {"segments": kept.segments, "signature": np.array(kept.signature)}
        if kept.statistics is not None:
            arrays["statistics"] = kept.statistics
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as stream:
                np.savez(stream, **arrays)  # type: ignore[arg-type]
        except (OSError, OutputError) as error:
            _LOG.warning("scores are not kept: %s", error)

    def _path(self, spec: Spec, texts: Sequence[Pairs]) -> Path | None:
        if self.folder is None:
            return None
        digest = hashlib.sha256(f"{fingerprint(texts)}{identity(spec)}".encode()).hexdigest()
        return self.folder / f"{spec.name}-{digest[:32]}.npz"


def fingerprint(texts: Sequence[Pairs]) -> str:
    """A hash of all texts in their order."""
    digest = hashlib.sha256()
    for pairs in texts:
        columns = [
            list(pairs.candidates),
            [list(row) for row in pairs.references],
            pairs.sources and list(pairs.sources),
        ]
        digest.update(json.dumps(columns, ensure_ascii=True).encode())
    return digest.hexdigest()


def identity(spec: Spec) -> str:
    """All that makes the metric: spec, versions, and the files that options name."""
    files = {key: _state(Path(value)) for key, value in spec.options.items() if isinstance(value, str) and value}
    return json.dumps([str(spec), __version__, {name: _version(name) for name in _LIBRARIES}, files])


def _state(path: Path) -> list[list[str | int]]:
    """Names, sizes and times of a file or of what is in a folder; empty for an option that names no file."""
    try:
        members = sorted(path.rglob("*")) if path.is_dir() else [path] if path.is_file() else []
        return [[str(member), member.stat().st_size, member.stat().st_mtime_ns] for member in members]
    except OSError:
        return []


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
