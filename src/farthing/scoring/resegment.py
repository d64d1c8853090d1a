"""Cut the outputs of systems anew, at the segments of the references: for outputs whose lines are not segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from farthing.align.cuts import cut_at_segments
from farthing.core.errors import MissingInput
from farthing.core.types import Note, Pairs
from farthing.files.inputs import Given, Inputs, Provenance
from farthing.files.parting import lengths_differ
from farthing.text.units import Units, units_of, without_line_ends

DOUBTFUL = 0.8  # from this error rate on, the output may be of another text


@dataclass(frozen=True, slots=True)
class Resegmented:
    """An output in as many pieces as there are segments, and the share of words that differ from the references'."""

    pieces: list[str]
    error_rate: float


def resegment(lines: Sequence[str], references: Sequence[Sequence[str]]) -> Resegmented:
    """Cut the words of an output so that each piece is as close as possible to one of its segment's references.

    :param lines: the output in lines of any kind: paragraphs, sentences, or one line
    :param references: for each segment one or more references

    >>> resegment(["hello world how are", "you"], [["Hello world."], ["How are you?"]]).pieces
    ['hello world', 'how are you']
    """
    text = "\n".join(lines)
    units = units_of(text)
    numbers: dict[str, int] = {}
    words = _numbered(units, numbers)
    segments = [[_numbered(units_of(one), numbers) for one in texts] for texts in references]
    cuts = cut_at_segments(words, segments, np.array(units.ranks))
    places = [0, *(units.starts[end] for end in cuts.ends)]
    pieces = [without_line_ends(text[start:end]) for start, end in pairwise(places)]
    length = sum(float(np.mean([len(one) for one in texts])) for texts in segments)
    return Resegmented(pieces, cuts.edits / max(1.0, length))


def _numbered(units: Units, numbers: dict[str, int]) -> np.ndarray:
    return np.array([numbers.setdefault(key, len(numbers)) for key in units.keys], dtype=np.int64)


def resegmented(inputs: Inputs) -> Given:
    """Read files and cut the output of every system at the segments of the references, which `-r` names."""
    if not inputs.references:
        raise MissingInput("--resegment needs references with one line per segment: give them with -r")
    count = len(inputs.systems)
    files = [(path, list(rows)) for path, rows in inputs.files()]
    if len({len(rows) for _, rows in files[count:]}) > 1:
        raise lengths_differ(files[count:], systems=0, references=0)
    given = [rows for _, rows in files[count : count + len(inputs.references)]]
    references = [[text for row in segment for text in row.references] for segment in zip(*given, strict=True)]
    sources = [row.source or "" for row in files[-1][1]] if inputs.source else None
    systems, notes = [], {}
    for name, (_, rows) in zip(inputs.names, files[:count], strict=True):
        found = resegment([row.candidate for row in rows], references)
        systems.append(Pairs(found.pieces, references, sources, system=name))
        notes[name] = Note("resegmented", _told(len(rows), len(references), found.error_rate))
    fields = {**inputs.provenance.fields, "segments": "mwer"}
    return Given(systems, provenance=Provenance(fields, notes))


def _told(lines: int, segments: int, rate: float) -> str:
    counts = f"{lines} {'line' if lines == 1 else 'lines'} cut at the {segments} segments of the references"
    told = f"{counts}; word error rate {100 * rate:.1f} %"
    return told if rate < DOUBTFUL else f"{told}, so this may be the output for another text"
