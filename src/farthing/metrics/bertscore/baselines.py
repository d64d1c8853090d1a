"""Baseline rescaling: what unrelated sentences score becomes 0, a perfect match stays 1.

A file has the published format: the header `LAYER,P,R,F`, then one line per layer, from layer 0.
"""

from __future__ import annotations

import csv
import importlib.util
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.digest import digest
from farthing.core.errors import InputError, ModelError
from farthing.encoders.folder.locate import models_folder
from farthing.files.write import write_text


@dataclass(frozen=True, slots=True)
class Baseline:
    """The mean precision, recall and F1 of unrelated sentences, by layer.

    :param path: the file that they were read from, for messages
    """

    values: dict[int, tuple[float, float, float]]
    path: str = field(default="", compare=False)

    def row(self, layer: int) -> Floats:
        """Return precision, recall and F1 at a layer."""
        if layer not in self.values:
            raise InputError(f"the baseline has no layer {layer}", path=self.path)
        return np.array(self.values[layer], dtype=np.float64)

    @property
    def hash(self) -> str:
        """Twelve digits that name these numbers."""
        return digest(repr(sorted(self.values.items())))

    def save(self, path: str | Path) -> None:
        """Write the published format."""
        lines = [f"{layer},{p:.8g},{r:.8g},{f:.8g}" for layer, (p, r, f) in sorted(self.values.items())]
        write_text(path, "\n".join(["LAYER,P,R,F", *lines]) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Baseline:
        """Read the published format."""
        try:
            with Path(path).open(encoding="utf-8", newline="") as stream:
                lines = [line for line in csv.reader(stream) if line]
        except FileNotFoundError:
            raise InputError("there is no such file", path=str(path)) from None
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read: {error}", path=str(path)) from error
        if not lines or [name.strip().upper() for name in lines[0]] != ["LAYER", "P", "R", "F"]:
            raise InputError("the first line is not LAYER,P,R,F", path=str(path), line=1)
        values = dict(_read_line(path, number, line) for number, line in enumerate(lines[1:], start=2))
        return cls(values, str(path))


def _read_line(path: str | Path, number: int, line: list[str]) -> tuple[int, tuple[float, float, float]]:
    try:
        layer, precision, recall, harmonic = line
        values = float(precision), float(recall), float(harmonic)
        if not all(np.isfinite(value) and value < 1 for value in values):
            raise ValueError("a baseline must be below 1")
        return int(layer), values
    except ValueError as error:
        raise InputError(f"not a layer and three numbers: {error}", path=str(path), line=number) from error


def baseline_path(name: str, language: str) -> Path:
    """Return where `farthing models baseline` keeps a model's file by default."""
    return models_folder() / "baselines" / language / f"{name.rpartition('/')[2]}.tsv"


def known_baseline(name: str, language: str) -> Path | None:
    """Find the baseline of a model and language: one made here, else a published one of an installed bert_score."""
    language = language.lower()
    places = [baseline_path(name, language)]
    spec = importlib.util.find_spec("bert_score")
    if spec is not None and spec.origin:
        places.append(Path(spec.origin).parent / "rescale_baseline" / language / f"{name}.tsv")
    return next((place for place in places if place.is_file()), None)


def find_baseline(name: str, language: str) -> Path:
    """Find the baseline of a model and language, or say how to make one."""
    path = known_baseline(name, language)
    if path is None:
        language = language.lower()
        raise ModelError(
            f"there is no baseline of {name} for {language}: make one by "
            f"`farthing models baseline {name} sentences.txt --lang {language}` or give a file (baseline=FILE)"
        )
    return path
