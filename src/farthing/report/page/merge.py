"""Several runs over the same segments in one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.files.alignments import AlignedRow
from farthing.report.page.content import ReportContent, ReportedScore

Names = Mapping[str, str]  #: what something is called in the joined report


def merged(contents: Sequence[ReportContent]) -> ReportContent:
    """Join what several runs say; each may add systems, metrics or both.

    Measures are the same if they share label and signature; systems are the same if they share name and outputs.
    """
    whole = contents[0]
    for other in contents[1:]:
        _check_segments(whole, other)
        whole = _joined(whole, _renamed(other, _system_names(whole, other), _labels(whole, other)))
    return whole


def _joined(whole: ReportContent, other: ReportContent) -> ReportContent:
    systems = {one.system: one for one in (*other.texts, *whole.texts)}
    names = list(dict.fromkeys([*whole.systems, *other.systems]))
    known = {one.label for one in whole.measures}
    pairs = [(key, _fuller(whole.scores.get(key), other.scores.get(key))) for key in {**whole.scores, **other.scores}]
    return replace(
        whole,
        systems=names,
        measures=[*whole.measures, *(one for one in other.measures if one.label not in known)],
        scores={key: one for key, one in pairs if one is not None},
        texts=[systems[name] for name in names if name in systems],
        baselines=whole.baselines | other.baselines,
        sentences=list(dict.fromkeys([*whole.sentences, *other.sentences])),
        pair_tests=list(dict.fromkeys([*whole.pair_tests, *other.pair_tests])),
        marks={**other.marks, **whole.marks},
        alignments=_distinct([*whole.alignments, *other.alignments]),
    )


def _distinct(alignments: Sequence[AlignedRow]) -> list[AlignedRow]:
    """Leave out what is there twice, by metric, system and row."""
    return list({(one.metric, one.system, one.row): one for one in reversed(alignments)}.values())[::-1]


def _fuller(one: ReportedScore | None, other: ReportedScore | None) -> ReportedScore | None:
    """Return the score that says more: one with a test, one with an interval, or the first."""
    if one is None or other is None:
        return one or other
    return max((one, other), key=lambda score: (score.p_value is not None, score.interval is not None))


def _check_segments(whole: ReportContent, other: ReportContent) -> None:
    """Refuse runs over other segments, of which a joint table would compare nothing."""
    if not whole.texts or not other.texts:
        return
    ours, theirs = whole.texts[0], other.texts[0]
    remedy = "write one report each"
    if len(ours) != len(theirs):
        raise UsageError(
            f"{other.title} has {len(theirs)} segments and {whole.title} has {len(ours)}, so they cannot share a "
            f"report: {remedy}"
        )
    for row, (one, two) in enumerate(zip(ours.references, theirs.references, strict=True), start=1):
        if list(one) != list(two):
            raise UsageError(f"{other.title} has other references than {whole.title} (row {row}): {remedy}")


def _system_names(whole: ReportContent, other: ReportContent) -> Names:
    """Rename the systems that have a known name but other outputs."""
    known = {one.system: one for one in whole.texts}
    clashes = {one.system for one in other.texts if one.system in known and not _same(one, known[one.system])}
    return {name: f"{name} ({other.title})" if name in clashes else name for name in other.systems}


def _same(one: Pairs, other: Pairs) -> bool:
    return list(one.candidates) == list(other.candidates)


def _labels(whole: ReportContent, other: ReportContent) -> Names:
    """Rename the measures that have a known label but another signature."""
    known = {one.label: one.signature for one in whole.measures}
    clashes = {one.label for one in other.measures if known.get(one.label, one.signature) != one.signature}
    return {one.label: f"{one.label} ({other.title})" if one.label in clashes else one.label for one in other.measures}


def _renamed(content: ReportContent, systems: Names, labels: Names) -> ReportContent:
    return replace(
        content,
        systems=[systems[name] for name in content.systems],
        measures=[replace(one, label=labels[one.label]) for one in content.measures],
        scores={(systems[system], labels[label]): one for (system, label), one in content.scores.items()},
        texts=[replace(one, system=systems[one.system]) for one in content.texts],
        baselines=frozenset(systems[name] for name in content.baselines),
        pair_tests=[
            replace(
                one,
                measure=labels.get(one.measure, one.measure),
                better=systems[one.better],
                worse=systems[one.worse],
            )
            for one in content.pair_tests
        ],
        marks={(labels[label], systems[system]): one for (label, system), one in content.marks.items()},
        alignments=[replace(one, metric=labels[one.metric], system=systems[one.system]) for one in content.alignments],
    )
