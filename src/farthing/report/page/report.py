"""The door of the report: runs and documents in, one page or a short text out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from farthing.core.errors import UsageError
from farthing.core.progress import phase
from farthing.files.run import read_run
from farthing.report.page.content import ReportContent
from farthing.report.page.document import MAX_SIZE, report_html
from farthing.report.page.gather import run_content
from farthing.report.page.merge import merged
from farthing.report.page.short import github_report, markdown_report
from farthing.report.page.studies import StudySection, document_sections, judged_section, read_document

ReportForm: TypeAlias = Literal["html", "markdown", "github"]
_NAMED = 4  # systems in a title


def make_report(
    sources: Sequence[str | Path],
    form: ReportForm = "html",
    *,
    title: str | None = None,
    max_size: float = MAX_SIZE,
    judgements: str | None = None,
    human: str | None = None,
) -> str:
    """Return a report of runs on disk as text; nothing is scored again.

    :param sources: folders of runs over the same segments, and .json files of `farthing bench` and `farthing meta`
    :param title: the heading; by default the names of the systems
    :param max_size: megabytes that the data of a page may take; of more segments, those are shown that differ most
    :param judgements: a table with the scores of people for some outputs
    :param human: its column of scores
    """
    paths = [Path(source) for source in sources]
    folders = [path for path in paths if path.is_dir() or path.suffix != ".json"]
    documents = [read_document(path) for path in paths if path not in folders]
    if not folders:
        raise UsageError("a report shows at least one run: farthing score … -o RUN/, then farthing report RUN/")
    with phase("reading", len(folders)) as progress:
        contents = []
        for folder in folders:
            contents.append(run_content(read_run(folder)))
            progress(1)
    content = merged(contents)
    if not content.measures:
        raise UsageError(f"{folders[0]} holds no scores yet: resume the run first")
    content = replace(content, title=title or _title(content))
    studies = [section for document in documents for section in document_sections(document)]
    if judgements:
        studies.append(judged_section(content, judgements, human))
    return _written(content, studies, form, max_size)


def _written(content: ReportContent, studies: Sequence[StudySection], form: ReportForm, max_size: float) -> str:
    if form == "markdown":
        return markdown_report(content, studies)
    if form == "github":
        return github_report(content, studies)
    with phase("writing", None):
        return report_html(content, studies, max_size)


def _title(content: ReportContent) -> str:
    names = list(content.systems[:_NAMED])
    more = len(content.systems) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
