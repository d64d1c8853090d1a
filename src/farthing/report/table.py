"""A comparison as text, JSON, CSV or LaTeX. Text is for people: arrows, the best in bold, marks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from farthing.core.types import MetricInfo
from farthing.core.version import __version__
from farthing.report.grid import escaped

if TYPE_CHECKING:
    from farthing.meta.comparison import Cell, Comparison

SAME = "≈"  # not significantly different from the baseline


def as_text(found: Comparison, *, color: bool = False) -> str:
    """A table in plain characters; `color` sets the best score of each metric in bold."""
    head = ["system", *_heads(found)]
    body = [[_system(found, row.system), *map(_text_cell, row.cells, found.metrics)] for row in found.rows]
    widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
    lines = [_aligned(head, widths), "─" * (sum(widths) + 2 * (len(widths) - 1))]
    for row, cells in zip(found.rows, body, strict=True):
        bold = [color and i > 0 and row.system in found.best(i - 1) for i in range(len(cells))]
        lines.append(_aligned(cells, widths, bold))
    return "\n".join([*lines, *_legend(found)])


def _heads(found: Comparison) -> list[str]:
    return [f"{label} {info.arrow}" for label, info in zip(found.labels, found.metrics, strict=True)]


def _aligned(cells: list[str], widths: list[int], bold: list[bool] | None = None) -> str:
    padded = [
        cells[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
    ]
    if bold:
        padded = [f"\x1b[1m{cell}\x1b[0m" if strong else cell for cell, strong in zip(padded, bold, strict=True)]
    return "  ".join(padded).rstrip()


def _system(found: Comparison, name: str) -> str:
    return f"{name} (baseline)" if name == found.baseline else name


def _text_cell(cell: Cell, info: MetricInfo) -> str:
    text = number(cell.scores.corpus, info)
    if cell.interval:
        text += f" [{number(cell.interval.low, info)}, {number(cell.interval.high, info)}]"
    if cell.paired:
        p = cell.paired.p_value
        text += f" {'' if cell.significant else SAME}" + (f"p={p:.3f}" if p >= 0.001 else "p<0.001")
    return text


def number(value: float, info: MetricInfo) -> str:
    """Two decimals for metrics that go to 100 or beyond, four for those that end near 1."""
    top = info.range[1]
    return f"{value:.4f}" if top is not None and top < 10 else f"{value:.2f}"


def _legend(found: Comparison) -> Iterator[str]:
    yield ""
    if found.test:
        yield (
            f"Paired {found.test} against {found.baseline}, {found.samples} samples, seed {found.seed}; "
            f"{SAME} not significantly different (p >= 0.05)."
        )
    with_interval = [cell.scores for row in found.rows for cell in row.cells if cell.interval]
    if any(scores.segments is not None for scores in with_interval):
        yield f"In brackets the 95 % bootstrap interval (1000 samples, seed {found.seed})."
    if sets := sorted({scores.metric for scores in with_interval if scores.segments is None}):
        yield f"In brackets the 95 % interval; the pages of {', '.join(sets)} say how it is found (seed {found.seed})."
    for row in found.rows:
        for cell, info in zip(row.cells, found.metrics, strict=True):
            if shown := [f"{name} {number(float(cell.scores.parts[name]), info)}" for name in info.shown]:
                yield f"{row.system}, {info.name}: {', '.join(shown)}"
    for cell in found.rows[0].cells:
        yield str(cell.scores.signature)
    for row in found.rows:
        for cell in row.cells:
            for note in cell.scores.notes:
                yield f"note: {row.system}, {cell.scores.metric}: {note}"


def as_document(found: Comparison) -> dict[str, Any]:
    """Everything as plain values: what `--format json` prints."""
    document: dict[str, Any] = {"farthing": __version__}
    if found.test:
        document["test"] = {
            "name": found.test,
            "baseline": found.baseline,
            "samples": found.samples,
            "seed": found.seed,
        }
    document["results"] = [_result(cell) for row in found.rows for cell in row.cells]
    return document


def _result(cell: Cell) -> dict[str, Any]:
    result = cell.scores.to_dict()
    if cell.interval:
        result["ci"] = [cell.interval.low, cell.interval.high]
    if cell.paired:
        result["difference"] = cell.paired.difference
        result["p_value"] = cell.paired.p_value
    return result


def as_json(found: Comparison) -> str:
    """One JSON document."""
    return json.dumps(as_document(found), ensure_ascii=False, indent=1)


def as_csv(found: Comparison) -> str:
    """One line a system and metric."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["system", "metric", "corpus", "ci_low", "ci_high", "difference", "p_value", "signature"])
    for row in found.rows:
        for cell in row.cells:
            low, high = (cell.interval.low, cell.interval.high) if cell.interval else ("", "")
            delta, p = (cell.paired.difference, cell.paired.p_value) if cell.paired else ("", "")
            scores = cell.scores
            writer.writerow([row.system, scores.metric, scores.corpus, low, high, delta, p, str(scores.signature)])
    return text.getvalue().rstrip("\n")


def as_latex(found: Comparison) -> str:
    """A booktabs table; the signatures stand behind it as comments."""
    arrows = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    head = " & ".join(["System", *(escaped(head[:-1]) + arrows[head[-1]] for head in _heads(found))])
    lines = [rf"\begin{{tabular}}{{l{'r' * len(found.metrics)}}}", r"\toprule", head + r" \\", r"\midrule"]
    for row in found.rows:
        cells = [_latex_cell(cell, found.metrics[i], row.system in found.best(i)) for i, cell in enumerate(row.cells)]
        lines.append(" & ".join([escaped(_system(found, row.system)), *cells]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    if found.test:
        lines.append(rf"% $\dagger$: significantly different from {found.baseline} ({found.test}, p < 0.05)")
    return "\n".join([*lines, *(f"% {cell.scores.signature}" for cell in found.rows[0].cells)])


def _latex_cell(cell: Cell, info: MetricInfo, best: bool) -> str:
    text = number(cell.scores.corpus, info)
    text = rf"\textbf{{{text}}}" if best else text
    if cell.interval:
        text += rf" {{\scriptsize [{number(cell.interval.low, info)}, {number(cell.interval.high, info)}]}}"
    return text + (r"$^\dagger$" if cell.significant else "")


FORMATS: dict[str, Callable[[Comparison], str]] = {
    "table": as_text,
    "json": as_json,
    "csv": as_csv,
    "latex": as_latex,
}
