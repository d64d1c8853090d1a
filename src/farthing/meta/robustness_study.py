"""Robustness of several metrics: do they tell paraphrases from look-alikes, and good texts from damaged ones?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.progress import Progress, silent
from farthing.core.specs import Spec
from farthing.core.types import Note
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.read.human import judgements_of
from farthing.meta.robustness import Check, Good, Preference, make_checks, preference, settled
from farthing.meta.roc import Area, area_under_curve
from farthing.meta.scored import Scored, check_outputs, score_judgements


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceStudy:
    """How often each metric prefers the good text, by kind of change."""

    metrics: tuple[Scored, ...]
    checks: tuple[Check, ...]
    found: dict[str, dict[str, Preference]]
    good: str
    seed: int
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class AreaStudy:
    """The area under the ROC curve, by metric and group; of several groups also pooled."""

    human: str
    metrics: tuple[Scored, ...]
    groups: tuple[str, ...]
    found: dict[str, dict[str, Area]]
    notes: tuple[Note, ...] = ()


def study_changes(
    judgements: Judgements,
    specs: Sequence[Spec],
    store: ScoreStore,
    changes: Sequence[str] | None = None,
    good: Good = "auto",
    seed: int = 0,
    progress: Progress = silent,
) -> PreferenceStudy:
    """Damage the references in every way that applies, and ask every metric which text it prefers."""
    references, sources = _once(judgements)
    good = settled(good, references)
    checks = make_checks(references, sources, changes, good, seed)
    texts = _as_judgements(checks)
    metrics = tuple(score_judgements(texts, spec, store, progress) for spec in specs)
    found: dict[str, dict[str, Preference]] = {metric.name: {} for metric in metrics}
    grids = {grid.group: grid for grid in texts.grids()}
    for metric in metrics:
        for check in checks:
            good_scores, bad_scores = grids[check.name].spread(metric.oriented)
            found[metric.name][check.name] = preference(good_scores, bad_scores)
    return PreferenceStudy(metrics, tuple(checks), found, good, seed, judgements.notes)


def _once(judgements: Judgements) -> tuple[list[tuple[str, ...]], list[str] | None]:
    """Return each reference once, even if several systems are judged against it."""
    texts = judgements.texts
    sources = texts.sources or [""] * len(texts)
    rows = dict.fromkeys(zip(map(tuple, texts.references), sources, strict=True))
    if not any(references for references, _ in rows):
        raise UsageError(f"{judgements.path}: there are no references to make checks from; name them with --reference")
    return [references for references, _ in rows], [source for _, source in rows] if texts.sources else None


def _as_judgements(checks: Sequence[Check]) -> Judgements:
    """Turn every check into a group with the "systems" good and bad, which have one output per reference."""
    rows: list[dict[str, object]] = []
    for check in checks:
        for name, outputs in (("good", check.good), ("bad", check.bad)):
            for place, output in enumerate(outputs):
                row: dict[str, object] = {"lp": check.name, "system": name, "segment_id": place, "candidate": output}
                row["reference"] = check.references[place]
                if check.sources is not None:
                    row["source"] = check.sources[place]
                rows.append(row)
    return judgements_of(enumerate(rows, start=1), "the checks")


def study_paraphrases(judgements: Judgements, metrics: Sequence[Scored], labels: str | None = None) -> AreaStudy:
    """Measure how well each metric tells paraphrases (label 1) from sentences that only look alike (label 0)."""
    check_outputs(metrics, "labelled pairs need")
    wanted = judgements.judged(labels)
    kept = ~np.isnan(wanted)
    groups = judgements.group_names
    names = [*groups, "pooled"] if len(groups) > 1 else groups
    found: dict[str, dict[str, Area]] = {metric.name: {} for metric in metrics}
    own = np.array(judgements.groups)
    for metric in metrics:
        for name in names:
            rows = kept & ((own == name) | (name == "pooled"))
            found[metric.name][name] = area_under_curve(wanted[rows], metric.oriented[rows])
    column = labels or next(iter(judgements.scores))
    return AreaStudy(column, tuple(metrics), tuple(groups), found, judgements.notes)
