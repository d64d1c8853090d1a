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
    """The rows of one group laid out as systems x items; -1 where a system has no output for an item."""

    group: str
    systems: tuple[str, ...]
    items: tuple[str, ...]
    rows: np.ndarray

    def spread(self, values: np.ndarray) -> np.ndarray:
        """One value a row as systems x items, NaN where there is no row."""
        return np.where(self.rows >= 0, values[self.rows], np.nan)

    @property
    def complete(self) -> bool:
        """True where every system has every item."""
        return bool(np.all(self.rows >= 0))


@dataclass(frozen=True, slots=True)
class Judgements:
    """Outputs with what people said about them, one row an output.

    :param systems: who made each output
    :param items: what each output is an output for
    :param groups: the language pair (or another group) of each output
    :param scores: by column one score a row, NaN for a missing one
    :param system_scores: by column the human score of (group, system), where people judged systems as wholes
    :param lines: where each row stands in its file, from 0
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
        """The scores of a column, by default the first; there must be at least one."""
        if not self.scores:
            raise UsageError(f"{self.path}: there is no column of human scores; name it with --human")
        name = column or next(iter(self.scores))
        if name not in self.scores:
            raise UnknownName("column of human scores", name, self.scores)
        if np.all(np.isnan(self.scores[name])):
            raise UsageError(f"{self.path}: the column {name!r} has no score in it")
        return self.scores[name]

    def grids(self) -> list[Grid]:
        """Every group as systems x items, in order of appearance."""
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
        """The rows of some groups, given by name or by pattern, such as `*-en`."""
        chosen: set[str] = set()
        for pattern in groups:
            fitting = [group for group in self.group_names if fnmatchcase(group, pattern)]
            if not fitting:
                raise UnknownName("group", pattern, self.group_names)
            chosen.update(fitting)
        return self.taking([row for row, group in enumerate(self.groups) if group in chosen])

    def taking(self, rows: Sequence[int]) -> Judgements:
        """Some of the rows, in the order given."""
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
