"""`farthing align`: which words are wrong, and which tokens match?"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.core.alignment import Aligns
from farthing.core.errors import UsageError
from farthing.core.registry import DEFAULT, load

ACROSS = f"{DEFAULT}(size=source)"  #: the default metric for a candidate and its source


def align(
    candidate: Annotated[str, typed.Option("-c", "--candidate", help="The text of the candidate.")],
    reference: Annotated[str | None, typed.Option("-r", "--ref", help="The text of the reference.")] = None,
    source: Annotated[
        str | None, typed.Option("-s", "--src", help="The text of the source, in the place of a reference.")
    ] = None,
    metric: Annotated[
        str, typed.Option("-m", "--metric", help="A metric that can show which tokens match.", completes="metric")
    ] = DEFAULT,
    output: Annotated[
        Path | None, typed.Option("-o", "--output", help="A .json, .html, .png, .pdf or .svg file.")
    ] = None,
    output_format: Annotated[
        Literal["table", "json", "html"], typed.Option("--format", "-f", help="Form of the result.")
    ] = "table",
) -> str:
    """Show which words of a candidate are likely wrong or missing, and which tokens match the reference (or source).

    Examples:
      farthing align -c "a cat sat" -r "the cat sat down" -m "bertscore(model=./minilm, layer=5)" -o match.html
      farthing align -c "The cat is black." -s "Die Katze ist schwarz."
    """
    from farthing.report.alignment import (
        alignment_html,
        alignment_json,
        alignment_text,
        check_alignment_path,
        write_alignment,
    )

    if output:
        check_alignment_path(output)
    other = _other(reference, source)
    loaded = load(ACROSS if metric == DEFAULT and reference is None else metric)
    name = loaded.info.name
    if not isinstance(loaded, Aligns):
        raise UsageError(f"{name} cannot show which tokens match")
    found = loaded.align(loaded.normalised(candidate), loaded.normalised(other))
    marks = loaded.explain(candidate, other) if loaded.explains else None
    title = f"{candidate} — {other}" if len(candidate) < 60 else name
    if output:
        write_alignment(output, found, title, marks)
    if output_format == "table":
        return alignment_text(found, marks, color=_in_colour())
    return alignment_json(found, marks) if output_format == "json" else alignment_html(found, title, marks)


def _in_colour() -> bool:
    """Tell whether a person sees the result who has not switched colours off (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _other(reference: str | None, source: str | None) -> str:
    """Return the text that the candidate is aligned with."""
    if (reference is None) == (source is None):
        raise UsageError("a candidate is aligned with one text: give a reference (-r) or a source (-s)")
    return reference or source or ""
