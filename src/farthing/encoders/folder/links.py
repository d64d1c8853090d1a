"""Folders of models that come from elsewhere: what they name must be inside them.

A link, or a list of weight files, could name any file of this machine. The cache of Hugging Face keeps files beside the
folders of its models and links to them, which is its way and allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from farthing.core.errors import ModelError
from farthing.encoders.tokens.tokenize import read_json

_SNAPSHOTS, _BLOBS = "snapshots", "blobs"  # of Hugging Face: models--x/snapshots/HASH/file -> models--x/blobs/DIGEST


def check_links(folder: Path) -> None:
    """Raise an error if a folder holds a link that leaves it, or a list of weights that names files elsewhere."""
    root = folder.resolve()
    allowed = [root, *([root.parents[1] / _BLOBS] if root.parent.name == _SNAPSHOTS else [])]
    for path in root.rglob("*"):
        if path.is_symlink() and not any(path.resolve().is_relative_to(place) for place in allowed):
            raise ModelError(
                f"{path} is a link that leaves the folder, which is not followed: put the file itself there"
            )
    for index in root.rglob("*.index.json"):
        for name in _listed(index):
            if Path(name).name != name or "\\" in name:
                raise ModelError(f"{index} names weights outside its folder ({name!r}), which are not read")


def _listed(index: Path) -> Iterator[str]:
    """Yield the files that a list of weights names; a broken list names none, and is refused by who reads it."""
    try:
        weights = read_json(index).get("weight_map")
    except ModelError:
        return
    yield from {name for name in weights.values() if isinstance(name, str)} if isinstance(weights, dict) else ()
