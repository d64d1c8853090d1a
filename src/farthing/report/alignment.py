"""Which tokens match: an alignment as text, as JSON, as a heat map, or as an HTML page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Matrix
from farthing.core.errors import UsageError
from farthing.core.explanation import Explanation, marked_html
from farthing.core.types import Alignment
from farthing.files.write import write_text
from farthing.report.figure import SUFFIXES, check_figure_path, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALIGNMENT_SUFFIXES = (".json", ".html", *SUFFIXES)


def write_alignment(
    path: str | Path, found: Alignment, title: str = "", explanation: Explanation | None = None
) -> None:
    """Write an alignment as .json, .html, .png, .pdf or .svg, by the suffix of the file.

    :param explanation: which words are likely wrong; .json and .html files show it, too
    """
    suffix = Path(path).suffix.lower()
    check_alignment_path(path)
    if suffix == ".json":
        write_text(path, alignment_json(found, explanation) + "\n")
    elif suffix == ".html":
        write_text(path, alignment_html(found, title, explanation))
    else:
        draw_alignment(path, found, title)


def check_alignment_path(path: str | Path) -> None:
    """Refuse, before the work is done, a name that `write_alignment` would refuse."""
    suffix = Path(path).suffix.lower()
    if suffix not in ALIGNMENT_SUFFIXES:
        raise UsageError(f"{path}: unknown kind of output (there are: {', '.join(ALIGNMENT_SUFFIXES)})")
    if suffix in SUFFIXES:
        check_figure_path(path)


def alignment_values(found: Alignment) -> dict[str, object]:
    """Return an alignment as values that JSON can hold."""
    return {
        "candidate": list(found.candidate_tokens),
        "reference": list(found.reference_tokens),
        "similarity": np.round(found.similarity.astype(float), 6).tolist(),
        "matches": found.matches.tolist(),
        "back_matches": found.back_matches.tolist(),
        "candidate_weights": np.round(found.candidate_weights.astype(float), 6).tolist(),
        "reference_weights": np.round(found.reference_weights.astype(float), 6).tolist(),
        **{name: float(value) for name, value in found.parts.items()},
    }


def alignment_json(found: Alignment, explanation: Explanation | None = None) -> str:
    """Return an alignment as one JSON document, with the marks of words if they are given."""
    marks = explanation.to_dict() if explanation else {}
    return json.dumps({**alignment_values(found), **marks}, ensure_ascii=False, indent=1)


def alignment_text(found: Alignment, explanation: Explanation | None = None, color: bool = False) -> str:
    """Return every candidate token with its partner and their similarity, then the scores.

    :param explanation: comes first: both texts, in which likely errors are marked
    :param color: mark them by colours instead of brackets
    """
    width = max(map(len, found.candidate_tokens), default=0)
    lines = [
        f"{token:<{width}}  →  {found.reference_tokens[partner]}  {found.similarity[place, partner]:.3f}"
        if partner >= 0
        else f"{token:<{width}}  →  –"
        for place, (token, partner) in enumerate(zip(found.candidate_tokens, found.matches, strict=True))
    ]
    marked = [explanation.printed(color), ""] if explanation else []
    return "\n".join([*marked, *lines, *(f"{name:<9}  {value:.6f}" for name, value in found.parts.items())])


def draw_alignment(path: str | Path, found: Alignment, title: str = "") -> None:
    """Draw a heat map of the similarities: candidate tokens down, reference tokens across, matches framed."""
    rows, columns = found.similarity.shape
    if not rows or not columns:
        raise UsageError("a text without tokens cannot be drawn")
    figure, [axis] = new_figure(1, 1, (2.2 + 0.5 * columns, 1.8 + 0.38 * rows))
    lowest = min(0.0, float(found.similarity.min()))
    picture = axis.imshow(found.similarity, cmap="Blues", vmin=lowest, vmax=1, aspect="auto")
    # Without parse_math=False, matplotlib would read what stands between two dollar signs as a formula.
    axis.set_xticks(
        range(columns), found.reference_tokens, parse_math=False, rotation=45, ha="right", rotation_mode="anchor"
    )
    axis.set_yticks(range(rows), found.candidate_tokens, parse_math=False)
    axis.set_xlabel("reference")
    axis.set_ylabel("candidate")
    _number_cells(axis, found.similarity)
    _frame(axis, [(row, partner) for row, partner in enumerate(found.matches)], "tab:orange", 2.2)
    _frame(axis, [(partner, column) for column, partner in enumerate(found.back_matches)], "tab:red", 1.0)
    figure.colorbar(picture, ax=axis, label="similarity")
    scores = "   ".join(f"{name} {value:.3f}" for name, value in found.parts.items())
    legend = "orange: best of its row (precision)   red: of its column (recall)"
    axis.set_title("\n".join(filter(None, [title, scores, legend])), fontsize=9, parse_math=False)
    save_figure(figure, path)


def _number_cells(axis: Axes, similarity: Matrix) -> None:
    for (row, column), value in np.ndenumerate(similarity):
        text = f"{value:.2f}".replace("0.", ".")
        axis.text(column, row, text, ha="center", va="center", fontsize=8, color="white" if value > 0.6 else "black")


def _frame(axis: Axes, cells: list[tuple[int, int]], colour: str, width: float) -> None:
    from matplotlib.patches import Rectangle

    for row, column in cells:
        if row >= 0 and column >= 0:
            axis.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=colour, linewidth=width))


def alignment_html(found: Alignment, title: str = "", explanation: Explanation | None = None) -> str:
    """Return a page that needs no other file: the heat map as a table, with the matches on hover.

    :param explanation: comes first: both texts, in which a word is the redder, the more likely it is wrong
    """
    from jinja2 import Environment, PackageLoader, select_autoescape
    from markupsafe import Markup

    texts = explanation.texts() if explanation else {}
    environment = Environment(loader=PackageLoader("farthing.report"), autoescape=select_autoescape())
    return environment.get_template("alignment.html").render(
        title=title or "Alignment",
        **alignment_values(found),
        parts=found.parts,
        marked={name: Markup(marked_html(*given)) for name, given in texts.items()},  # it is escaped
        notes=explanation.notes if explanation else (),
    )
