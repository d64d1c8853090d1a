"""What a matching student learns from: pairs with targets, from people or from a teacher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import InputError
from farthing.files.read import records


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs with targets and the weights of their errors."""

    candidates: list[str]
    references: list[str]
    targets: np.ndarray
    weights: np.ndarray

    def __len__(self) -> int:
        return len(self.candidates)

    @classmethod
    def joined(cls, parts: Sequence[Judged]) -> Judged:
        """Several sets as one."""
        return cls(
            [text for part in parts for text in part.candidates],
            [text for part in parts for text in part.references],
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.weights for part in parts]),
        )


def human(
    file: Path,
    *,
    groups: str | None = None,
    only: Mapping[str, str] | None = None,
    without: Sequence[Path] = (),
    count: int | None = None,
    weight: float = 1.0,
    seed: int = 1,
) -> Judged:
    """Pairs that people judged; scores have mean 0 and deviation 1 within each group.

    :param groups: the column by which scores are comparable (a language pair, say)
    :param only: patterns that columns must fit, such as `{"lp": "*-en"}`
    :param without: files whose texts must not occur; of the file itself, the rows that `only` leaves out (its test
        split, say, of which a training split may have texts)
    :param count: draw so many
    """
    every = [row for _, row in records(str(file))]
    rows = [row for row in every if _fits(row, only or {})]
    barred = texts_in([path for path in without if path != file])
    if file in without:
        barred = barred.union(*(_texts(row) for row in every if not _fits(row, only or {})))
    rows = [row for row in rows if not barred.intersection(_texts(row))]
    if not rows:
        raise InputError("no row is left to learn from", path=str(file))
    if count is not None and count < len(rows):
        random = np.random.default_rng(seed)
        rows = [rows[place] for place in sorted(random.choice(len(rows), count, replace=False))]
    scores = np.array([row["score"] for row in rows], dtype=np.float64)
    names = [str(row.get(groups)) if groups else "" for row in rows]
    for name in set(names):
        places = [place for place, other in enumerate(names) if other == name]
        scores[places] = (scores[places] - scores[places].mean()) / max(scores[places].std(), 1e-9)
    return Judged(
        [row["candidate"] for row in rows], [first_reference(row) for row in rows], scores, np.full(len(rows), weight)
    )


def _fits(row: Mapping[str, Any], only: Mapping[str, str]) -> bool:
    return all(fnmatch(str(row.get(column)), pattern) for column, pattern in only.items())


def first_reference(row: Mapping[str, Any]) -> str:
    """The reference of a row, or the first of several."""
    reference = row["reference"]
    return str(reference if isinstance(reference, str) else reference[0])


def _texts(row: Mapping[str, Any]) -> set[str]:
    reference = row["reference"]
    return {row["candidate"], *([reference] if isinstance(reference, str) else reference)}


def texts_in(files: Sequence[Path]) -> set[str]:
    """Every candidate and reference of some files."""
    return {text for path in files for _, row in records(str(path)) for text in _texts(row)}
