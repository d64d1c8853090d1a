"""Rows of files as pairs."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.columns import InputRow
from farthing.core.types import Pairs


def completed(
    row: InputRow, references: tuple[str, ...], source: str | None, document: str | None, broken: object | None
) -> InputRow:
    """Return a system's row with what other files say of it."""
    return InputRow(
        row.candidate,
        references or row.references,
        row.source if source is None else source,
        row.identity,
        row.document if document is None else document,
        broken=row.broken or broken,
    )


def pairs_of_rows(rows: Sequence[InputRow], system: str) -> Pairs:
    """Build the pairs of one system; sources and ids are kept if every row has one."""
    sources = [row.source for row in rows if row.source is not None]
    identities = [row.identity for row in rows if row.identity is not None]
    documents = [row.document for row in rows if row.document is not None]
    return Pairs(
        candidates=[row.candidate for row in rows],
        references=[row.references for row in rows],
        sources=sources if len(sources) == len(rows) else None,
        ids=identities if len(identities) == len(rows) else None,
        system=system,
        documents=documents if len(documents) == len(rows) else None,
    )
