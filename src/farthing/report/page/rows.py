"""The rows of the page: ids, texts and marks of words of every segment, and the alignments of some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from farthing.core.arrays import Indices
from farthing.core.explanation import Explanation, Mark
from farthing.files.alignments import AlignedRow
from farthing.report.page.content import ReportContent

SEEN = 1 / 3  #: words below this probability are not shaded, so they are left out
PackedMarks = list[object]


def page_rows(content: ReportContent, chosen: Indices) -> list[list[object]]:
    """Return one list per segment: id, source, references, candidates, marks; 0 stands for what is missing.

    The marks have one list per measure that has any, and in it one entry per system: errors, omissions, the reference
    that counted, and the texts if the metric read other ones than those above.
    """
    first = content.texts[0]
    ids, sources = first.ids or (), first.sources or ()
    marked = _marked(content)
    return [
        [
            ids[row] if ids else 0,
            sources[row] if sources else 0,
            list(first.references[row]),
            [pairs.candidates[row] for pairs in content.texts],
            [[_marks(one[row], content, place, row) for place, one in enumerate(each)] for each in marked] or 0,
        ]
        for row in chosen.tolist()
    ]


def marked_measures(content: ReportContent) -> list[str]:
    """Return the labels of the measures whose marks there are."""
    return list(dict.fromkeys(label for label, _ in content.marks))


def _marked(content: ReportContent) -> list[list[Mapping[int, Explanation]]]:
    """Return the explanations by row, per measure and system."""
    systems = [pairs.system for pairs in content.texts]
    return [
        [dict(enumerate(content.marks.get((label, system), ()))) for system in systems]
        for label in marked_measures(content)
    ]


def _marks(found: Explanation, content: ReportContent, place: int, row: int) -> PackedMarks:
    entry: PackedMarks = [_flat(found.errors), _flat(found.omissions), -1 if found.counted is None else found.counted]
    pairs = content.texts[place]
    other = (pairs.sources or ())[row] if found.counted is None else pairs.references[row][found.counted]
    if (found.candidate, found.reference) != (pairs.candidates[row], other):  # the option `normalise` changed them
        entry += [found.candidate, found.reference]
    return entry


def _flat(marks: Sequence[Mark]) -> list[int]:
    """Return start, length and percent of every likely error, one after the other."""
    seen = [one for one in marks if one["probability"] >= SEEN]
    return [n for one in seen for n in (one["start"], one["end"] - one["start"], round(100 * one["probability"]))]


def page_alignments(content: ReportContent, chosen: Indices) -> list[list[object]]:
    """Return one list per alignment: measure, system, place of the row, reference, tokens, similarities, matches."""
    systems = [pairs.system for pairs in content.texts]
    labels = [measure.label for measure in content.measures]
    places = {row + 1: place for place, row in enumerate(chosen.tolist())}
    return [
        [labels.index(one.metric), systems.index(one.system), places[one.row], *_alignment(one)]
        for one in content.alignments
        if one.row in places and one.metric in labels and one.system in systems
    ]


def _alignment(one: AlignedRow) -> list[object]:
    found = one.alignment
    percents = np.rint(100 * found.similarity).astype(int).tolist()
    counted = -1 if one.counted is None else one.counted
    tokens = [list(found.candidate_tokens), list(found.reference_tokens)]
    return [counted, *tokens, percents, found.matches.tolist(), found.back_matches.tolist()]
