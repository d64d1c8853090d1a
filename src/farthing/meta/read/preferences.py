"""Better and worse: judgements that only say which of two outputs people preferred.

A table has, in each row, the better and the worse output as texts (columns `better` and `worse`, with reference and
source), or, if the outputs are in another file, the names of the better and the worse system for a segment.
Either way, each pair becomes an item with two outputs, of the "systems" better (score 1) and worse (score 0). So
`kendall_like(threshold=1)` averaged by item is the statistic of WMT's relative rankings; a metric's tie is discordant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from farthing.core.columns import Columns, RowReader
from farthing.core.errors import InputError
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.meta.judgements import EVERYTHING, Judgements
from farthing.meta.read.cells import GROUP, SEGMENT, find_column
from farthing.meta.read.human import HumanColumns, judgements_of

BETTER, WORSE = ("better", "better_system"), ("worse", "worse_system")
STATISTIC = "kendall_like(threshold=1)"

Sides: TypeAlias = dict[str, object]  #: the columns of one output


def are_preferences(record: Mapping[str, object]) -> bool:
    """True for a row that names a better and a worse output."""
    names = {name.lower() for name in record}
    return any(name in names for name in BETTER) and any(name in names for name in WORSE)


def read_preferences(path: str, columns: HumanColumns | None = None, outputs: Judgements | None = None) -> Judgements:
    """Read better and worse texts; or, with `outputs`, better and worse systems."""
    wanted = columns or HumanColumns()
    pairs = _texts(path, wanted) if outputs is None else _systems(path, wanted, outputs)
    rows = [
        {"segment_id": str(place), "system": name, "score": score, **side}
        for place, sides in enumerate(pairs, start=1)
        for name, score, side in zip(("better", "worse"), (1, 0), sides, strict=True)
    ]
    return judgements_of(enumerate(rows, start=1), path, HumanColumns(segment="segment_id", system="system"))


def _texts(path: str, wanted: HumanColumns) -> Iterator[tuple[Sides, Sides]]:
    for number, record in records(path):
        names = _sides(path, record)
        group = _group(path, record, wanted)
        found = []
        for name in names:
            row = RowReader(path, Columns(name, wanted.text.reference, wanted.text.source), record).row(number, record)
            found.append(_output(group, row.candidate, row.references, row.source))
        yield found[0], found[1]


def _systems(path: str, wanted: HumanColumns, outputs: Judgements) -> Iterator[tuple[Sides, Sides]]:
    segments = (item.partition("\t")[0] for item in outputs.items)
    rows = {key: row for row, key in enumerate(zip(outputs.groups, outputs.systems, segments, strict=True))}
    for number, record in records(path):
        segment = find_column(path, record, wanted.segment, SEGMENT, "segment")
        if segment is None:
            raise InputError("no column of segments", path=path, remedy=f"there are: {', '.join(record)}")
        group = _group(path, record, wanted)
        found = []
        for name in _sides(path, record):
            row = rows.get((group, str(record[name]), str(record[segment])))
            if row is None:
                raise InputError(f"no output of {record[name]} for segment {record[segment]}", path=path, line=number)
            found.append(_output_at(group, outputs.texts, row))
        yield found[0], found[1]


def _output_at(group: str, texts: Pairs, row: int) -> Sides:
    source = texts.sources[row] if texts.sources else None
    return _output(group, texts.candidates[row], texts.references[row], source)


def _output(group: str, candidate: str, references: Sequence[str], source: str | None) -> Sides:
    output: Sides = {"lp": group, "candidate": candidate}
    if references:
        output["reference"] = list(references)
    if source is not None:
        output["source"] = source
    return output


def _group(path: str, record: Mapping[str, object], wanted: HumanColumns) -> str:
    column = None if wanted.group == "none" else find_column(path, record, wanted.group, GROUP, "by")
    return str(record[column]) if column else EVERYTHING


def _sides(path: str, record: Mapping[str, object]) -> tuple[str, str]:
    better = find_column(path, record, None, BETTER, "better")
    worse = find_column(path, record, None, WORSE, "worse")
    if better is None or worse is None:
        raise InputError("no columns 'better' and 'worse'", path=path, remedy=f"there are: {', '.join(record)}")
    return better, worse
