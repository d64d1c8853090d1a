"""Baseline rescaling: what unrelated sentences score becomes 0, a perfect match stays 1.

A file has the published format: the header `LAYER,P,R,F`, then one line a layer, from layer 0.
"""

from __future__ import annotations

import csv
import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.errors import InputError, ModelError
from farthing.encoders.folder.locate import models_folder
from farthing.files.write import write_text


@dataclass(frozen=True, slots=True)
class Baseline:
    """The mean precision, recall and F1 of unrelated sentences, by layer."""

    values: dict[int, tuple[float, float, float]]

    def row(self, layer: int, where: str) -> np.ndarray:
        """Precision, recall and F1 at a layer."""
        if layer not in self.values:
            raise InputError(f"the baseline has no layer {layer}", path=where)
        return np.array(self.values[layer], dtype=np.float64)

    @property
    def hash(self) -> str:
        """Twelve digits that name these numbers."""
        return hashlib.sha256(repr(sorted(self.values.items())).encode()).hexdigest()[:12]

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
        return cls(dict(_read_line(path, number, line) for number, line in enumerate(lines[1:], start=2)))


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
    """Where `farthing models baseline` keeps a model's file by default."""
    return models_folder() / "baselines" / language / f"{name.rpartition('/')[2]}.tsv"


def find_baseline(name: str, language: str) -> Path:
    """The baseline of a model and language: one made here, else a published one of an installed bert_score."""
    language = language.lower()
    places = [baseline_path(name, language)]
    spec = importlib.util.find_spec("bert_score")
    if spec is not None and spec.origin:
        places.append(Path(spec.origin).parent / "rescale_baseline" / language / f"{name}.tsv")
    for place in places:
        if place.is_file():
            return place
    raise ModelError(
        f"there is no baseline of {name} for {language}: make one by "
        f"`farthing models baseline {name} sentences.txt --lang {language}` or give a file (baseline=FILE)"
    )
