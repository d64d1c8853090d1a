"""Tables that hold several systems: several columns of candidates, or one row per system and segment.

In a table with a column of systems, the rows of one segment are those with the same id and the same source or
references; if there is nothing of the kind, those that stand at the same place among the rows of their systems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from farthing.core.columns import Columns, InputRow, RowReader, SystemFile
from farthing.core.errors import InputError
from farthing.files.read import format_of, records, table_rows
from farthing.files.rejects import BrokenRecord, aside

NAMED = 3  # missing segments that a message names
SegmentKey: TypeAlias = tuple[str, str, int]  #: id, content, and how many rows of the system had them before, from 1
_REMEDY = "give every system one row per segment"


def systems_of_tables(
    paths: Sequence[str], columns: Columns, candidates: Sequence[str] = (), stdin_format: str = "txt"
) -> list[SystemFile]:
    """Return the systems of some files.

    :param candidates: the columns of candidates, each of which is a system; if there are none, a column of systems is
        looked for
    """
    found: list[SystemFile] = []
    for path in paths:
        start = f"{path}:" if len(paths) > 1 else ""
        several = format_of(path, stdin_format) != "txt" and has_systems(path, columns, stdin_format)
        if candidates:
            if several:
                raise InputError(
                    "has several columns of candidates and a column of systems", path=path,
                    remedy="name one --candidate, or pass --system none",
                )  # fmt: skip
            found += [SystemFile(start + one, path, replace(columns, candidate=one)) for one in candidates]
        elif several:
            rows = rows_by_system(table_rows(path, columns, "candidate", stdin_format), path)
            found += [SystemFile(start + name, path, columns, held) for name, held in rows.items()]
        else:
            found.append(SystemFile(path, path, columns))
    return found


def has_systems(path: str, columns: Columns, stdin_format: str = "txt") -> bool:
    """Tell whether a table has a column of systems."""
    for _, record in records(path, stdin_format):
        if isinstance(record, BrokenRecord):
            continue
        return RowReader(path, Columns(system=columns.system), record, wanted="").system is not None
    return False


def rows_by_system(rows: Iterable[InputRow], path: str) -> dict[str, list[InputRow]]:
    """Group rows by their systems, in the order of the first; all systems have the same segments in the same order."""
    systems: dict[str, list[InputRow]] = {}
    for number, row in enumerate(rows, start=1):
        if row.broken:  # its system is not known, and the places of the others do not depend on it
            aside(row.broken)
            continue
        if not row.system:
            raise InputError(f"row {number} has no system", path=path, remedy="name one in every row")
        systems.setdefault(row.system, []).append(row)
    best: dict[str, list[SegmentKey]] = {}
    shared = 0
    for by_identity, by_content in ((True, True), (False, True), (True, False)):
        keys = {name: _keys(held, by_identity, by_content) for name, held in systems.items()}
        common = len(set.intersection(*map(set, keys.values())))
        if common and all(len(own) == common for own in keys.values()):
            order = next(iter(keys.values()))
            return {name: _sorted(held, keys[name], order) for name, held in systems.items()}
        if common > shared:
            best, shared = keys, common
    if best:
        raise _missing(path, best)
    if len({len(held) for held in systems.values()}) > 1:
        counts = ", ".join(f"{name} has {len(held)}" for name, held in systems.items())
        remedy = f"{_REMEDY}, and its id in a column `id`"
        raise InputError(f"the systems have different numbers of rows: {counts}", path=path, remedy=remedy)
    return systems


def _keys(rows: Sequence[InputRow], by_identity: bool, by_content: bool) -> list[SegmentKey]:
    """Return a key per row that is unique in its system; none if the rows do not say which segment they are of."""
    seen: Counter[tuple[str, str]] = Counter()
    keys = []
    for row in rows:
        identity = row.identity or "" if by_identity else ""
        content = (row.source or "\n".join(row.references)) if by_content else ""
        if not identity and not content:
            return []
        seen[identity, content] += 1
        keys.append((identity, content, seen[identity, content]))
    return keys


def _sorted(rows: Sequence[InputRow], keys: Sequence[SegmentKey], order: Sequence[SegmentKey]) -> list[InputRow]:
    by_key = dict(zip(keys, rows, strict=True))
    return [by_key[key] for key in order]


def _missing(path: str, keys: Mapping[str, Sequence[SegmentKey]]) -> InputError:
    """Say which segments the first incomplete system lacks."""
    every = dict.fromkeys(key for held in keys.values() for key in held)
    name, held = next((name, set(held)) for name, held in keys.items() if len(held) < len(every))
    lacking = [key for key in every if key not in held]
    shown = ", ".join(identity or f"{content.strip()[:40]!r}" for identity, content, _ in lacking[:NAMED])
    more = ", …" if len(lacking) > NAMED else ""
    problem = f"system {name!r} lacks {len(lacking)} of {len(every)} segments ({shown}{more})"
    return InputError(problem, path=path, remedy=_REMEDY)
