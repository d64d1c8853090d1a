"""From a run on disk to what a report shows of it; nothing is scored again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from farthing.core.errors import FarthingError
from farthing.core.registry import METRICS
from farthing.core.types import MetricInfo, Note, Scores
from farthing.files.alignments import read_alignments
from farthing.files.run import Run, unique_labels
from farthing.files.run_folder import ALIGNED
from farthing.report.page.content import ReportContent, ReportedScore, ReportMeasure
from farthing.report.page.sentences import pair_tests, test_sentences
from farthing.scoring.comparison import usual_digits
from farthing.scoring.marks import EXPLAINED

_Record = Mapping[str, object]  #: one entry of results.json: a system under a metric
_Column = tuple[ReportMeasure, dict[str, ReportedScore]]  #: a measure and its scores by system


def run_content(run: Run) -> ReportContent:
    """Read everything of a run that a report shows."""
    records = result_records(run)
    columns = [*_pair_columns(run, records), *_set_columns(run, records)]
    results = run.results()
    test = cast("Mapping[str, object]", results.get("test", {}))
    labels = dict(zip(run.metrics, run.labels, strict=True))
    explained = cast("Sequence[str]", run.journal.about.get(EXPLAINED, ()))
    return ReportContent(
        title=run.folder.name,
        systems=run.systems,
        measures=[measure for measure, _ in columns],
        scores={(system, measure.label): one for measure, found in columns for system, one in found.items()},
        texts=run.pairs() if len(run.journal) else (),
        baselines=frozenset([str(test["baseline"])] if test else []),
        sentences=[*_incomplete(run), *test_sentences(results)],
        pair_tests=pair_tests(results),
        marks={(labels[spec], system): run.marks(spec, system) for spec in explained for system in run.systems},
        alignments=read_alignments(run.folder / ALIGNED),
    )


def _incomplete(run: Run) -> list[str]:
    if run.complete:
        return []
    return [f"The run {run.folder.name} is incomplete: scores are means of its segments so far. Resume it first."]


def result_records(run: Run) -> dict[tuple[str, str], _Record]:
    """Return the entries of results.json by system and spec; a partial run has none.

    An entry names its metric without options, so the entries of one name are in the order of the specs.
    """
    specs = [*run.metrics, *_set_specs(run)]
    found: dict[tuple[str, str], _Record] = {}
    for record in cast("list[_Record]", run.results().get("results", [])):
        system, name = str(record["system"]), str(record["metric"])
        own = [spec for spec in specs if spec.partition("(")[0] == name and (system, spec) not in found]
        if own:
            found[system, own[0]] = record
    return found


def _set_specs(run: Run) -> list[str]:
    return list(cast("Mapping[str, object]", run.journal.about["set_metrics"]))


def _pair_columns(run: Run, records: Mapping[tuple[str, str], _Record]) -> Iterator[_Column]:
    for spec, label in zip(run.metrics, run.labels, strict=True):
        info = metric_info(spec, run.higher_is_better(spec))
        found = run.all_scores(spec)
        if info.columns and all(name in found[0].parts for name in info.columns):
            prefix = "" if label == info.name else f"{label} "
            for name in info.columns:
                scores = {one.system: _part(one, name) for one in found}
                yield _measure(f"{prefix}{name}", info, str(found[0].signature), scores), scores
        else:
            scores = {one.system: _pair_score(one, records.get((one.system, spec))) for one in found}
            yield _measure(label, info, str(found[0].signature), scores), scores


def _pair_score(scores: Scores, record: _Record | None) -> ReportedScore:
    if record is None:  # the run is incomplete
        segments = np.asarray(scores.segments)
        return ReportedScore(float(segments.mean()), segments=segments, notes=list(map(str, scores.notes)))
    return replace(_set_score(record), segments=scores.segments)


def _part(scores: Scores, name: str) -> ReportedScore:
    values = np.asarray(scores.parts[name])
    return ReportedScore(float(values.mean()), segments=values, notes=list(map(str, scores.notes)))


def _set_columns(run: Run, records: Mapping[tuple[str, str], _Record]) -> Iterator[_Column]:
    specs = _set_specs(run)
    for spec, label in zip(specs, unique_labels(specs), strict=True):
        scores = {system: _set_score(records[system, spec]) for system in run.systems if (system, spec) in records}
        if scores:
            signature = str(records[next(iter(scores)), spec]["signature"])
            info = metric_info(spec, run.higher_is_better(spec))
            yield _measure(label, info, signature, scores), scores


def _set_score(record: _Record) -> ReportedScore:
    interval = cast("list[float] | None", record.get("ci"))
    notes = cast("list[dict[str, object]]", record["notes"])
    return ReportedScore(
        corpus=float(cast(float, record["corpus"])),
        interval=(interval[0], interval[1]) if interval else None,
        p_value=cast("float | None", record.get("p_value")),
        numbers=cast("Mapping[str, float]", record["parts"]),
        notes=[str(Note(str(n["kind"]), str(n["message"]), tuple(cast("list[int]", n["rows"])))) for n in notes],
    )


def _measure(label: str, info: MetricInfo, signature: str, scores: Mapping[str, ReportedScore]) -> ReportMeasure:
    return ReportMeasure(label, info, signature, usual_digits(info, [one.corpus for one in scores.values()]))


def metric_info(spec: str, higher_is_better: bool) -> MetricInfo:
    """Describe a metric without loading it; one that is not installed here is described by its name alone."""
    name = spec.partition("(")[0]
    try:
        about = METRICS.get(name).about
    except (FarthingError, ImportError):
        about = MetricInfo(name, "", "none", (None, None))
    return replace(about, higher_is_better=higher_is_better)
