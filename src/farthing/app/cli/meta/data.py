"""Judgements and scores as the options of `farthing meta` say, and results to where they say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farthing.app.cli.common import check_choice, show
from farthing.app.cli.meta.options import People, Results, Scoring, Where
from farthing.core.errors import UsageError
from farthing.core.registry import DEFAULT, METRICS
from farthing.core.specs import Spec, parse_specs
from farthing.report.progress import bars

if TYPE_CHECKING:
    from farthing.meta.judgements import Judgements
    from farthing.meta.read.human import HumanColumns
    from farthing.meta.scored import Scored
    from farthing.meta.kept import ScoreStore
    from farthing.meta.study import Study
    from farthing.tables.grid import NumberTable


def read(where: Where, people: People, preferences: str | None = None) -> Judgements:
    """The judgements, in whatever layout they are."""
    found = _outputs(where, people)
    if people.judgements:
        from farthing.meta.read.human import HumanColumns
        from farthing.meta.read.join import join_scores

        found = join_scores(found, people.judgements, HumanColumns(scores=tuple(split(people.human))))
    if preferences:
        from farthing.meta.read.preferences import read_preferences

        found = read_preferences(preferences, outputs=found)
    return found.only(split(where.groups)) if where.groups else found


def _outputs(where: Where, people: People) -> Judgements:
    from farthing.meta.read.human import read_judgements
    from farthing.meta.read.mqm import is_mqm, read_mqm
    from farthing.meta.read.preferences import are_preferences, read_preferences
    from farthing.meta.read.wmt import read_folder

    columns = _columns(where, people)
    if Path(where.data).is_dir():
        return read_folder(where.data, columns)
    first = _first_record(where.data)
    if is_mqm(first):
        return read_mqm(where.data, people.ref)
    return (read_preferences if are_preferences(first) else read_judgements)(where.data, columns)


def _columns(where: Where, people: People) -> HumanColumns:
    from farthing.files.columns import Columns
    from farthing.meta.read.human import HumanColumns

    text = Columns(where.candidate, tuple(split(where.reference)), where.source)
    # A column of a joined table is not one of the outputs' own.
    own = (people.human,) if people.human and not people.judgements else ()
    return HumanColumns(text, where.system, where.segment, where.by, own)


def only_prefers(where: Where) -> bool:
    """True where people only said which of two outputs is better."""
    from farthing.meta.read.preferences import are_preferences

    return not Path(where.data).is_dir() and are_preferences(_first_record(where.data))


def _first_record(path: str) -> dict[str, Any]:
    from farthing.files.read import records

    return next((record for _, record in records(path, "jsonl")), {})


def split(text: str | None) -> list[str]:
    """What stands between commas."""
    return [item.strip() for item in text.split(",") if item.strip()] if text else []


def wanted_specs(scoring: Scoring) -> list[Spec]:
    """The metrics to compute: those asked for, else the default unless there are score files."""
    if scoring.metrics is None and scoring.score_file:
        return []
    specs = parse_specs(scoring.metrics or DEFAULT)
    for spec in specs:
        METRICS.get(spec.name)  # an unknown name is found before the data are read
    return specs


def make_store(scoring: Scoring) -> ScoreStore:
    """The store of kept scores that the options name."""
    from farthing.meta.kept import ScoreStore

    return ScoreStore(scoring.scores, scoring.fresh) if scoring.scores else ScoreStore.usual(scoring.fresh)


def scored_metrics(judgements: Judgements, scoring: Scoring) -> list[Scored]:
    """All metrics' scores, computed, kept or read."""
    from farthing.meta.read.external import read_scored
    from farthing.meta.scored import score_judgements

    specs, files = wanted_specs(scoring), scoring.score_file or []
    own = [text.partition("=")[0] for text in files]
    names = [*map(str, specs), *own]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice:
        raise UsageError(f"the metric {twice} is there twice")
    for name in split(scoring.lower):
        check_choice("score file in --lower", name, own)
    found = [read_scored(text, judgements, split(scoring.lower)) for text in files]
    store = make_store(scoring)
    with bars(scoring.quiet)("scoring", len(judgements) * len(specs)) as progress:
        computed = [score_judgements(judgements, spec, store, progress) for spec in specs]
    return [*computed, *found]


def check_results(results: Results, pictures: Sequence[Path | None] = ()) -> None:
    """Refuse a results file or a picture before the work is done."""
    from farthing.report.figure import check_figure_path

    output = results.output
    if output is not None and output.suffix.lower() != ".json":
        raise UsageError(f"{output}: results are written as .json")
    if output is not None and not output.parent.is_dir():
        raise UsageError(f"{output}: the folder {output.parent} does not exist; make it first")
    for picture in pictures:
        if picture is not None:
            check_figure_path(picture)


def check_matrix(matrix: Path | None, test: str) -> None:
    """A matrix of p-values needs a test."""
    if matrix and test == "none":
        raise UsageError("--matrix shows p-values: name a test with --test")


def draw_matrix(found: Study, path: Path) -> None:
    """One significance matrix a group."""
    from farthing.report.matrix import significance_matrix

    if not found.p_values:
        raise UsageError("there are no p-values to draw: give at least two metrics that can be tested")
    values = {
        group: [None if (cell := found.cells[m.name][group].found) is None else cell.value for m in found.metrics]
        for group in found.p_values
    }
    names = [metric.name for metric in found.metrics]
    significance_matrix(path, found.p_values, names, values, found.question.alpha)


def emit(tables: Sequence[NumberTable], document: Any, results: Results, notes: Sequence[str] = ()) -> None:
    """Write the results file, then show the result in the form asked for."""
    from farthing.files.write import write_text
    from farthing.tables.grid import as_csv, as_latex, as_text

    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    if results.output:
        write_text(results.output, text + "\n")
    if results.output_format == "json":
        show(text)
    elif results.output_format == "csv":
        show("\n\n".join(map(as_csv, tables)))
    else:
        latex = results.output_format == "latex"
        shown = map(as_latex if latex else as_text, tables)
        show("\n".join([*shown, *(f"% {note}" if latex else note for note in notes)]))
