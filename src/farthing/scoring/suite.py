"""Score a folder of test sets: a row per set and system, means over the sets, and a leaderboard."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.types import MetricInfo
from farthing.core.version import __version__
from farthing.files.inputs import Inputs
from farthing.files.suite import SuiteFolder
from farthing.scoring.cells import Cell
from farthing.scoring.comparison import Comparison, PrintedForm, score_text
from farthing.scoring.engine import usual_engine
from farthing.scoring.resampling import SEED
from farthing.scoring.score import Chosen, score
from farthing.tables.sheet import Sheet, SheetCell, sheet_latex, sheet_markdown, sheet_text

if TYPE_CHECKING:
    from farthing.scoring.output import Column, Target


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """One test set in one language pair, and the scores of its systems."""

    folder: SuiteFolder
    inputs: Inputs
    scores: Comparison


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the leaderboard.

    :param rank: from 1; None for a system that is not in every set, whose means cannot be compared
    :param means: the mean over the sets of each metric's corpus scores
    :param sets: in how many sets the system is
    :param best: in how many it is the best under the first metric
    """

    rank: int | None
    system: str
    means: tuple[float, ...]
    sets: int
    best: int


@dataclass(frozen=True, slots=True)
class SuiteScores:
    """All sets of a folder under the same metrics."""

    sets: tuple[ScoredSet, ...]

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics, which are the same for all sets."""
        return self.sets[0].scores.metrics

    @property
    def labels(self) -> tuple[str, ...]:
        """What to call each metric."""
        return self.sets[0].scores.labels

    def leaderboard(self) -> list[Standing]:
        """Rank the systems by the mean of the first metric; systems that lack a set come last, without a rank."""
        values: dict[str, list[list[float]]] = {}
        best: dict[str, int] = {}
        for one in self.sets:
            winners = one.scores.best(0)
            for row in one.scores.rows:
                values.setdefault(row.system, []).append([cell.scores.corpus for cell in row.cells])
                best[row.system] = best.get(row.system, 0) + (row.system in winners)
        sign = -1 if self.metrics[0].higher_is_better else 1
        means = {system: tuple(np.mean(rows, axis=0).tolist()) for system, rows in values.items()}
        order = sorted(means, key=lambda system: (len(values[system]) < len(self.sets), sign * means[system][0]))
        firsts = [means[system][0] for system in order]
        return [
            Standing(
                firsts.index(means[system][0]) + 1 if len(values[system]) == len(self.sets) else None,
                system, means[system], len(values[system]), best[system],
            )
            for system in order
        ]  # fmt: skip

    def printed(
        self, form: PrintedForm = "table", *, color: bool = False, width: int | None = None, digits: int | None = None
    ) -> str:
        """The whole as text in one of the usual forms.

        :param width: fold tables that are wider than this
        :param digits: the decimals of the scores, by default as suits the scale
        """
        if form == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
        if form == "csv":
            return self._csv()
        sheets = [_rows_sheet(self, digits), _leaderboard_sheet(self, digits)]
        if form == "table":
            return "\n\n".join(sheet_text(sheet, color=color, width=width) for sheet in sheets)
        return "\n\n".join(map({"latex": sheet_latex, "markdown": sheet_markdown}[form], sheets))

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values: what `--format json` prints."""
        sets = [{"set": one.folder.name, "pair": one.folder.pair, "results": one.scores.results()} for one in self.sets]
        board = [
            {"rank": one.rank, "system": one.system, "means": dict(zip(self.labels, one.means, strict=True)),
             "sets": one.sets, "best": one.best}
            for one in self.leaderboard()
        ]  # fmt: skip
        return {"farthing": __version__, "sets": sets, "leaderboard": board}

    def _csv(self) -> str:
        """One line per set, system and metric; the means over the sets are those of the set `mean`."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["set", "pair", "system", "metric", "corpus", "signature"])
        for one in self.sets:
            for row in one.scores.rows:
                for label, cell in zip(self.labels, row.cells, strict=True):
                    values = [label, cell.scores.corpus, str(cell.scores.signature)]
                    writer.writerow([one.folder.name, one.folder.pair, row.system, *values])
        for standing in self.leaderboard():
            for label, mean in zip(self.labels, standing.means, strict=True):
                writer.writerow(["mean", "", standing.system, label, mean, ""])
        return text.getvalue().rstrip("\n")

    def columns(self, target: Target) -> dict[str, Column]:
        """The columns of a table of segments: those of every set, after its name and its language pair."""
        blocks = [target.columns(one.scores, one.inputs) for one in self.sets]
        counts = [len(block["row"]) for block in blocks]
        places: dict[str, Column] = {
            "set": [one.folder.name for one, count in zip(self.sets, counts, strict=True) for _ in range(count)],
            "pair": [one.folder.pair for one, count in zip(self.sets, counts, strict=True) for _ in range(count)],
        }
        names = list(dict.fromkeys(name for block in blocks for name in block))
        held = {name: [block.get(name, [None] * count) for block, count in zip(blocks, counts, strict=True)]
                for name in names}  # fmt: skip
        return {**places, **{name: [value for part in parts for value in part] for name, parts in held.items()}}


def score_suite(
    metrics: Sequence[Chosen],
    folders: Sequence[SuiteFolder],
    *,
    intervals: bool = False,
    seed: int = SEED,
) -> SuiteScores:
    """Score the systems of every set; the metrics are loaded once."""
    engine = usual_engine()
    scored = []
    for folder in folders:
        inputs = Inputs(list(folder.systems.values()), folder.references, folder.source, names=list(folder.systems))
        found = score(metrics, inputs, intervals=intervals, seed=seed, engine=engine)
        scored.append(ScoredSet(folder, inputs, found))
    return SuiteScores(tuple(scored))


def _rows_sheet(found: SuiteScores, digits: int | None) -> Sheet:
    names = [(one.folder.name, one.folder.pair, row.system) for one in found.sets for row in one.scores.rows]
    values = []
    for one in found.sets:
        winners = [one.scores.best(place) for place in range(len(found.metrics))]
        for row in one.scores.rows:
            cells = zip(row.cells, found.metrics, winners, strict=True)
            values.append([_shown(cell, info, row.system in best, digits) for cell, info, best in cells])
    heads = ("set", "pair" if any(pair for _, pair, _ in names) else "", "system")
    return _sheet(found, heads, names, values, list(_legend(found)))


def _leaderboard_sheet(found: SuiteScores, digits: int | None) -> Sheet:
    board = found.leaderboard()
    names = [("–" if one.rank is None else str(one.rank), one.system) for one in board]
    values = []
    for one in board:
        means = [SheetCell(score_text(mean, info, digits)) for mean, info in zip(one.means, found.metrics, strict=True)]
        values.append([*means, SheetCell(f"{one.sets} of {len(found.sets)}"), SheetCell(str(one.best))])
    legend = [
        "",
        f"Macro means over the sets, ranked by {found.labels[0]}; best: in how many sets it is the best.",
    ]
    return _sheet(found, ("rank", "system"), names, values, legend, ("sets", "best"))


def _sheet(
    found: SuiteScores,
    heads: Sequence[str],
    names: Sequence[Sequence[str]],
    values: Sequence[Sequence[SheetCell]],
    legend: Sequence[str],
    more: Sequence[str] = (),
) -> Sheet:
    """Put names, flush left, before values; a column of names without a head is left out."""
    kept = [place for place, head in enumerate(heads) if head]
    widths = {place: max(len(line[place]) for line in [heads, *names]) for place in kept}
    lines = [[SheetCell(line[place].ljust(widths[place])) for place in kept] for line in [heads, *names]]
    scores = [SheetCell(f"{label} {info.arrow}") for label, info in zip(found.labels, found.metrics, strict=True)]
    rows = [[*line, *cells] for line, cells in zip(lines[1:], values, strict=True)]
    return Sheet([*lines[0], *scores, *map(SheetCell, more)], rows, legend)


def _shown(cell: Cell, info: MetricInfo, best: bool, digits: int | None) -> SheetCell:
    text = score_text(cell.scores.corpus, info, digits)
    if cell.interval:
        text += f" [{score_text(cell.interval.low, info, digits)}, {score_text(cell.interval.high, info, digits)}]"
    return SheetCell(text, strong=best)


def _legend(found: SuiteScores) -> Iterator[str]:
    yield ""
    for place in range(len(found.metrics)):
        yield from dict.fromkeys(str(one.scores.rows[0].cells[place].scores.signature) for one in found.sets)
    for one in found.sets:
        for row in one.scores.rows:
            for cell in row.cells:
                for note in cell.scores.notes:
                    name = "/".join(part for part in (one.folder.name, one.folder.pair, row.system) if part)
                    yield f"note: {name}, {cell.scores.metric}: {note}"
