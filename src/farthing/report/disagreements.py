"""Disagreements of metrics and people as text, table and document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from farthing.core.version import __version__
from farthing.meta.disagreement import DisagreementStudy, RankedOutput
from farthing.tables.grid import NumberTable


def disagreement_tables(found: DisagreementStudy) -> list[NumberTable]:
    """Return one table per pair of judges: a row per output with all its ranks; the texts stand below."""
    tables = []
    for one in found.found:
        several = len(found.counts) > 1
        rows = [
            (f"{output.group} {output.line}" if several else str(output.line), list(map(float, output.ranks.values())))
            for output in one.outputs
        ]
        tables.append(
            NumberTable(
                f"{one.higher} > {one.lower}",
                list(found.judges),
                rows,
                notes=[*(line for output in one.outputs for line in _texts(output)), ""],
                decimals=0,
            )
        )
    return tables


def _texts(output: RankedOutput) -> Iterator[str]:
    yield f"  {output.line}. candidate: {output.candidate}"
    yield from (f"  {' ' * len(str(output.line))}  reference: {text}" for text in output.references)


def disagreement_notes(found: DisagreementStudy) -> list[str]:
    """Return the lines that explain the tables."""
    sizes = ", ".join(f"{count} outputs of {group}" for group, count in found.counts.items())
    return [f"Rows are lines of the data; rank 1 is the best of {sizes}.", *(f"note: {note}" for note in found.notes)]


def disagreement_document(found: DisagreementStudy, path: str) -> dict[str, object]:
    """Return a study of disagreements as values that JSON can hold."""
    lists = [
        {"higher": one.higher, "lower": one.lower, "outputs": [asdict(output) for output in one.outputs]}
        for one in found.found
    ]
    head = {"farthing": __version__, "kind": "meta-disagree", "data": path, "judges": list(found.judges)}
    return {**head, "outputs": dict(found.counts), "disagreements": lists}
