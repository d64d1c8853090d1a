"""Human judgements in memory: which output of which system for which segment got which scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.core.types import Note, Pairs

EVERYTHING = "all"  # the group of data without groups


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of one group laid out as systems x items; -1 if a system has no output for an item."""

    group: str
    systems: tuple[str, ...]
    items: tuple[str, ...]
    rows: np.ndarray

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Lay out one value per row as systems x items, NaN if there is no row."""
        return np.where(self.rows >= 0, values[self.rows], np.nan)

    @property
    def complete(self) -> bool:
        """True if every system has every item."""
        return bool(np.all(self.rows >= 0))


@dataclass(frozen=True, slots=True)
class Judgements:
    """Outputs with what people said about them, one row per output.

    :param systems: who made each output
    :param items: what each output is an output for
    :param groups: the language pair (or another group) of each output
    :param scores: by column, one score per row, NaN for a missing one
    :param system_scores: by column, the human score of each (group, system), if people judged whole systems
    :param lines: the place of each row in its file, from 0
    :param length: how many rows the file has, including those left out
    """

    texts: Pairs
    systems: tuple[str, ...]
    items: tuple[str, ...]
    groups: tuple[str, ...]
    scores: Mapping[str, np.ndarray]
    system_scores: Mapping[str, Mapping[tuple[str, str], float]] = field(default_factory=dict)
    path: str = ""
    lines: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))
    length: int = 0
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def group_names(self) -> list[str]:
        """The groups in the order in which they first appear."""
        return list(dict.fromkeys(self.groups))

    def judged(self, column: str | None = None) -> np.ndarray:
        """Return the scores of a column, by default the first; at least one must exist."""
        if not self.scores:
            raise UsageError(f"{self.path}: there is no column of human scores; name it with --human")
        name = column or next(iter(self.scores))
        if name not in self.scores:
            raise UnknownName("column of human scores", name, self.scores)
        if np.all(np.isnan(self.scores[name])):
            raise UsageError(f"{self.path}: the column {name!r} has no score in it")
        return self.scores[name]

    def grids(self) -> list[Grid]:
        """Lay out every group as systems x items, in order of appearance."""
        members: dict[str, list[int]] = {}
        for row, group in enumerate(self.groups):
            members.setdefault(group, []).append(row)
        return [self._grid(group, rows) for group, rows in members.items()]

    def _grid(self, group: str, rows: Sequence[int]) -> Grid:
        systems = {name: place for place, name in enumerate(dict.fromkeys(self.systems[row] for row in rows))}
        items = {name: place for place, name in enumerate(dict.fromkeys(self.items[row] for row in rows))}
        places = np.full((len(systems), len(items)), -1)
        for row in rows:
            places[systems[self.systems[row]], items[self.items[row]]] = row
        return Grid(group, tuple(systems), tuple(items), places)

    def only(self, groups: Sequence[str]) -> Judgements:
        """Return the rows of some groups; `*-en` stands for every group that ends in -en."""
        chosen = {name for pattern in groups for name in matching(pattern, self.group_names)}
        return self.taking([row for row, group in enumerate(self.groups) if group in chosen])

    def taking(self, rows: Sequence[int]) -> Judgements:
        """Return some of the rows, in the order given."""
        texts = self.texts
        chosen = Pairs(
            [texts.candidates[row] for row in rows],
            [texts.references[row] for row in rows],
            None if texts.sources is None else [texts.sources[row] for row in rows],
            system=texts.system,
        )
        columns = [tuple(column[row] for row in rows) for column in (self.systems, self.items, self.groups)]
        scores = {name: values[list(rows)] for name, values in self.scores.items()}
        return replace(
            self,
            texts=chosen,
            systems=columns[0],
            items=columns[1],
            groups=columns[2],
            scores=scores,
            lines=self.lines[list(rows)],
        )


def matching(pattern: str, groups: Sequence[str]) -> list[str]:
    """Return the groups that a name, or a pattern with wildcards, stands for; there must be at least one.

    >>> matching("*-en", ["cs-en", "en-de"])
    ['cs-en']
    """
    found = [name for name in groups if name == pattern or fnmatchcase(name, pattern)]
    if not found:
        raise UnknownName("group", pattern, groups)
    return found
