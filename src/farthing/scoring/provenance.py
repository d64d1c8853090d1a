"""Scores say where their texts come from: a public test set, or outputs that were cut anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from farthing.core.signature import Signature
from farthing.core.types import Scores
from farthing.files.inputs import Provenance


def with_provenance(found: Mapping[str, Sequence[Scores]], provenance: Provenance) -> dict[str, list[Scores]]:
    """Add the fields to every signature, and the note of a system to its scores."""
    return {spec: [_amended(scores, provenance) for scores in row] for spec, row in found.items()}


def _amended(scores: Scores, provenance: Provenance) -> Scores:
    signature = scores.signature
    note = provenance.notes.get(scores.system)
    return replace(
        scores,
        signature=Signature(signature.metric, {**provenance.fields, **signature.fields}, signature.version),
        notes=scores.notes if note is None else (note, *scores.notes),
    )
