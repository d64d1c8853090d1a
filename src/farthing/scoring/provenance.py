"""Scores say where their texts come from: a public test set, outputs that were cut anew, rows that were skipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from farthing.core.signature import Signature
from farthing.core.types import Note, Scores
from farthing.files.inputs import Provenance
from farthing.files.rejects import SKIPPING


def with_provenance(found: Mapping[str, Sequence[Scores]], provenance: Provenance) -> dict[str, list[Scores]]:
    """Add the fields to every signature, and the notes of a system to its scores, also those about skipped rows."""
    rejects = SKIPPING.get()
    skips = (Note("skipped", str(rejects)),) if rejects is not None and rejects.count else ()
    return {spec: [_amended(scores, provenance, skips) for scores in row] for spec, row in found.items()}


def _amended(scores: Scores, provenance: Provenance, skips: tuple[Note, ...]) -> Scores:
    signature = scores.signature
    note = provenance.notes.get(scores.system)
    return replace(
        scores,
        signature=Signature(signature.metric, {**provenance.fields, **signature.fields}, signature.version),
        notes=(*skips, *(() if note is None else (note,)), *scores.notes),
    )
