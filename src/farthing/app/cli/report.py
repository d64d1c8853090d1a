"""`farthing report`: what do my runs say?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli import typed
from farthing.core.errors import UsageError
from farthing.report.page.document import MAX_SIZE
from farthing.report.page.report import ReportForm, make_report


def report(
    runs: Annotated[
        list[str],
        typed.Argument(help="Runs (score -o RUN/) over the same segments; .json files of bench and meta, too."),
    ],
    output: Annotated[
        Path | None, typed.Option("-o", "--output", help="The file to write, such as report.html.")
    ] = None,
    form: Annotated[
        ReportForm | None,
        typed.Option("--format", "-f", help="A page, or the short form for a pull request or a step summary."),
    ] = None,
    title: Annotated[str | None, typed.Option("--title", help="The heading; by default the systems.")] = None,
    judgements: Annotated[
        str | None,
        typed.Option("--judgements", help="A table with human scores of some outputs.", completes="file"),
    ] = None,
    human: Annotated[str | None, typed.Option("--human", help="Column of the scores in --judgements.")] = None,
    max_size: Annotated[
        float, typed.Option("--max-size", min=0.1, help="Megabytes of a page; of more, some segments are shown.")
    ] = MAX_SIZE,
) -> str:
    """Show what runs on disk say: one page that opens anywhere, or a short text; nothing is scored again.

    Examples:
      farthing report run/ -o report.html
      farthing report monday/ tuesday/ bench.json -o report.html --title "Two days"
      farthing report run/ --format github >> "$GITHUB_STEP_SUMMARY"
    """
    chosen = form or _form(output)
    if chosen == "html" and output is None:
        raise UsageError("a page is written to a file: -o report.html (or --format markdown to read it here)")
    made = make_report(runs, chosen, title=title, max_size=max_size, judgements=judgements, human=human)
    if output is None:
        return made
    from farthing.files.write import write_text

    write_text(output, made if made.endswith("\n") else f"{made}\n")
    return f"{output}: {len(made.encode()) / 1e6:.1f} MB"


def _form(output: Path | None) -> ReportForm:
    """Tell the form by the name of the file; a page if there is none."""
    return "markdown" if output is not None and output.suffix.lower() in (".md", ".markdown") else "html"
