"""The work folder of a recipe: finished steps, each kept with a digest of everything that made it.

    WORK/student.safetensors    the weights of a finished step
    WORK/student.json           the digest of what made them
    WORK/student-DIGEST.run/    checkpoints of an unfinished step
    WORK/start-DIGEST/          the model to start from, with a vocabulary of its own
    WORK/teacher0-DIGEST.npy    what a teacher says about some pairs

A step whose recipe, data or models changed is done again; nothing of the earlier one is used.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.digest import digest_files, digest_json
from farthing.core.progress import Log
from farthing.core.version import __version__
from farthing.files.write import replacing, write_text
from farthing.learn.data.examples import Examples
from farthing.learn.match.panel import Assignment

if TYPE_CHECKING:
    import torch


class Work:
    """A folder of finished steps, so that a killed run resumes."""

    def __init__(self, folder: Path, log: Log) -> None:
        self.folder, self.log = folder, log
        folder.mkdir(parents=True, exist_ok=True)

    def trained(self, name: str, key: str, module: torch.nn.Module, train: Callable[[Path], object]) -> None:
        """Load the weights of a finished step, or train the module in place and keep them.

        :param key: names everything that makes the weights
        :param train: is given a folder for its checkpoints
        """
        from safetensors.torch import load_file, save_file

        path, note = self.folder / f"{name}.safetensors", self.folder / f"{name}.json"
        if self._is_done(name, key):
            module.load_state_dict(load_file(path))
            return
        run = self._run_folder(name, key)
        train(run)
        note.unlink(missing_ok=True)  # new weights must never stand beside an old note
        save_file({name: value.contiguous() for name, value in module.state_dict().items()}, path)
        write_text(note, json.dumps({"made_from": key}) + "\n")
        shutil.rmtree(run, ignore_errors=True)

    def _is_done(self, name: str, key: str) -> bool:
        path, note = self.folder / f"{name}.safetensors", self.folder / f"{name}.json"
        if not path.exists():
            return False
        try:
            made_from = json.loads(note.read_text(encoding="utf-8"))["made_from"]
        except (OSError, ValueError, KeyError, TypeError):
            made_from = None
        if made_from != key:
            self.log(f"{path}: the recipe, its data or its models changed since it was written; it is made anew")
        return bool(made_from == key)

    def _run_folder(self, name: str, key: str) -> Path:
        """Name the folder of checkpoints, and remove those of other recipes."""
        run = self.folder / f"{name}-{key}.run"
        for other in self.folder.glob(f"{name}-*.run"):
            if other != run:
                self.log(f"{other}: the recipe, its data or its models changed; the interrupted step starts anew")
                shutil.rmtree(other)
        return run

    def made(self, name: str, key: str, make: Callable[[Path], object]) -> Path:
        """Return a folder that was made before, or let it be made and keep it.

        :param make: writes the folder at the given place, whole or not at all
        """
        place = self.folder / f"{name}-{key}"
        if not place.exists():
            make(place)
        return place

    def array(self, name: str, key: str, make: Callable[[], Segments]) -> Segments:
        """Load an array that was made before, or make it and keep it."""
        path = self.folder / f"{name}-{key}.npy"
        if not path.exists():
            made = make()
            with replacing(path) as stream:
                np.save(stream, made, allow_pickle=False)
        kept: Segments = np.load(path, allow_pickle=False)
        return kept


def step_key(*parts: object) -> str:
    """Name everything that makes a step: values that JSON can hold, and the version of Farthing."""
    return digest_json([__version__, *parts])


def folder_key(folder: Path) -> str:
    """Name the content of a model's folder."""
    return digest_files(sorted(path for path in folder.rglob("*") if path.is_file()))


def data_key(parts: Sequence[Assignment]) -> str:
    """Name the judges, their pairs, targets and weights."""
    return digest_json([[name, asdict(data) | _lists(data)] for name, data in parts])


def _lists(data: Examples) -> dict[str, list[float]]:
    return {"targets": data.targets.tolist(), "weights": data.weights.tolist()}
