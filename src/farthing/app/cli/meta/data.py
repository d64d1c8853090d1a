"""What the commands of `farthing meta` share: where judgements and scores come from, and where results go."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from farthing.app.cli.common import check_choice, progress_bar, show
from farthing.app.cli.typed import Argument, Option
from farthing.core import registry
from farthing.core.errors import UsageError
from farthing.core.specs import Spec, parse_specs

if TYPE_CHECKING:
    from farthing.meta.human import HumanColumns
    from farthing.meta.judgements import Judgements
    from farthing.meta.scored import Scored
    from farthing.meta.store import ScoreStore
    from farthing.report.grid import NumberTable

Data = Annotated[str, Argument(help="Human judgements: jsonl, tsv, csv (.gz too), parquet, or a folder of WMT's.")]
Metrics = Annotated[str | None, Option("-m", "--metrics", help="Metrics, such as: bleu,chrf(word_order=2)")]
ScoreFiles = Annotated[
    list[str] | None,
    Option("--score-file", help="Scores made elsewhere: name=file (a number a line) or name=table:column; again."),
]
Lower = Annotated[str | None, Option("--lower", help="Names of score files in which lower is better.")]
Human = Annotated[str | None, Option("--human", help="Column of human scores, such as score or scores.fluency.")]
Judged = Annotated[
    str | None, Option("--judgements", help="A table of human scores for the outputs: lp, system, segment, score.")
]
Better = Annotated[str | None, Option("--preferences", help="A table of better and worse systems: lp, segment, …")]
ReferenceFile = Annotated[str | None, Option("-r", "--ref", help="References of a table of MQM errors, by seg_id.")]
By = Annotated[str | None, Option("--by", help="Column of the groups, such as lp; none puts all into one.")]
Groups = Annotated[str | None, Option("--groups", help="Only these groups, such as cs-en,de-en.")]
SystemColumn = Annotated[str | None, Option("--system", help="Column of the systems.")]
SegmentColumn = Annotated[str | None, Option("--segment", help="Column of the segments.")]
Kept = Annotated[Path | None, Option("--scores", help="Folder in which scores are kept; by default the user's cache.")]
Fresh = Annotated[bool, Option("--fresh", help="Score anew, whatever was kept.")]
Format = Annotated[Literal["table", "json", "csv", "latex"], Option("-f", "--format", help="Form of the result.")]
Results = Annotated[Path | None, Option("-o", "--output", help="Write all results to a .json file for reports.")]
Seed = Annotated[int, Option("--seed", min=0, help="Seed of all that is drawn.")]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the judgements come from, as the options say."""

    path: str
    human: str | None = None
    judged: str | None = None
    better: str | None = None
    references: str | None = None
    by: str | None = None
    groups: str | None = None
    system: str | None = None
    segment: str | None = None
    candidate: str | None = None
    reference: str | None = None
    source: str | None = None

    def columns(self) -> HumanColumns:
        """The columns that were named."""
        from farthing.files.columns import Columns
        from farthing.meta.human import HumanColumns

        text = Columns(self.candidate, tuple(split(self.reference)), self.source)
        # A column of a joined table is not one of the outputs' own.
        own = (self.human,) if self.human and not self.judged else ()
        return HumanColumns(text, self.system, self.segment, self.by, own)

    def read(self) -> Judgements:
        """The judgements, in whatever layout they are."""
        found = self._outputs()
        if self.judged:
            from farthing.meta.human import HumanColumns
            from farthing.meta.join import join_scores

            found = join_scores(found, self.judged, HumanColumns(scores=tuple(split(self.human))))
        if self.better:
            from farthing.meta.preferences import read_preferences

            found = read_preferences(self.better, outputs=found)
        return found.only(split(self.groups)) if self.groups else found

    def _outputs(self) -> Judgements:
        from farthing.meta.human import read_judgements
        from farthing.meta.mqm import is_mqm, read_mqm
        from farthing.meta.preferences import are_preferences, read_preferences
        from farthing.meta.wmt import read_folder

        if Path(self.path).is_dir():
            return read_folder(self.path, self.columns())
        first = first_record(self.path)
        if is_mqm(first):
            return read_mqm(self.path, self.references)
        if are_preferences(first):
            return read_preferences(self.path, self.columns())
        return read_judgements(self.path, self.columns())

    def prefers(self) -> bool:
        """True where people only said which of two outputs is better."""
        from farthing.meta.preferences import are_preferences

        return bool(self.better) or (not Path(self.path).is_dir() and are_preferences(first_record(self.path)))


def first_record(path: str) -> dict[str, Any]:
    """The first row of a table."""
    from farthing.files.read import records

    return next((record for _, record in records(path, "jsonl")), {})


def split(text: str | None) -> list[str]:
    """What stands between commas."""
    return [item.strip() for item in text.split(",") if item.strip()] if text else []


def wanted_specs(metrics: str | None, score_files: Sequence[str] | None = None) -> list[Spec]:
    """The metrics to compute: those asked for, else the default unless there are score files."""
    if metrics is None and score_files:
        return []
    specs = parse_specs(metrics or registry.DEFAULT)
    for spec in specs:
        registry.factory(spec.name)  # an unknown name is found before the data are read
    return specs


def make_store(folder: Path | None, fresh: bool) -> ScoreStore:
    """The store of kept scores that the options name."""
    from farthing.meta.store import ScoreStore

    return ScoreStore(folder, fresh) if folder else ScoreStore.usual(fresh)


def scored_metrics(
    judgements: Judgements,
    metrics: str | None,
    score_files: Sequence[str] | None,
    lower: str | None,
    store: ScoreStore,
    quiet: bool,
) -> list[Scored]:
    """All metrics' scores, computed, kept or read."""
    from farthing.meta.external import read_scored
    from farthing.meta.scored import score_judgements

    specs = wanted_specs(metrics, score_files)
    names = [str(spec) for spec in specs] + [text.partition("=")[0] for text in score_files or ()]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice:
        raise UsageError(f"the metric {twice} is there twice")
    for name in split(lower):
        check_choice("score file in --lower", name, [text.partition("=")[0] for text in score_files or ()])
    found = [read_scored(text, judgements, split(lower)) for text in score_files or ()]
    with progress_bar("scoring", quiet, total=len(judgements) * len(specs)) as progress:
        computed = [score_judgements(judgements, spec, store, progress) for spec in specs]
    return [*computed, *found]


def check_results(output: Path | None) -> None:
    """Refuse a results file before the work is done."""
    if output is None:
        return
    if output.suffix.lower() != ".json":
        raise UsageError(f"{output}: results are written as .json")
    if not output.parent.is_dir():
        raise UsageError(f"{output}: the folder {output.parent} does not exist; make it first")


def emit(tables: Sequence[NumberTable], notes: Sequence[str], document: Any, form: str, output: Path | None) -> None:
    """Write the results file, then show the result in the form asked for."""
    from farthing.files.write import write_text
    from farthing.report.grid import as_csv, as_latex, as_text

    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    if output:
        write_text(output, text + "\n")
    if form == "json":
        show(text)
    elif form == "csv":
        show("\n\n".join(map(as_csv, tables)))
    else:
        shown = "\n".join(map(as_latex if form == "latex" else as_text, tables))
        show("\n".join([shown, *((f"% {note}" for note in notes) if form == "latex" else notes)]))
