"""The report as one HTML file that needs no other file and asks no other host."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence

from farthing.core.version import __version__
from farthing.report.citations import citations
from farthing.report.page.buckets import BucketTable, frequency_table, length_tables, reference_lengths
from farthing.report.page.charts import bucket_chart, distribution_chart, quality_diversity_chart
from farthing.report.page.content import ReportContent
from farthing.report.page.data import page_data
from farthing.report.page.studies import StudySection
from farthing.report.page.summary import citation_line, content_digest, summary_cell, summary_sheet, system_name
from farthing.report.web.assets import joined_script, web_asset
from farthing.tables.sheet import sheet_latex, sheet_markdown

MAX_SIZE = 50.0  #: megabytes that the data of a page may take


def report_html(content: ReportContent, studies: Sequence[StudySection] = (), max_size: float = MAX_SIZE) -> str:
    """Return the page.

    :param max_size: megabytes; of runs that would take more, only some segments are shown
    """
    from jinja2 import Environment, PackageLoader, select_autoescape
    from markupsafe import Markup

    style, script = web_asset("style.css"), joined_script("report.js")
    environment = Environment(
        loader=PackageLoader("farthing.report"), autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.html").render(
        **_facts(content),
        **_pictures(content, studies),
        **_segments(content, max_size),
        policy=content_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        version=__version__,
    )


def _facts(content: ReportContent) -> dict[str, object]:
    """Return what the page says in words and tables."""
    sheet, measures = summary_sheet(content), content.measures
    return {
        "title": content.title,
        "subtitle": _subtitle(content),
        "measures": measures,
        "summary": [
            (system_name(content, system), [summary_cell(content, system, one) for one in measures])
            for system in content.systems
        ],
        "latex": sheet_latex(sheet),
        "markdown": sheet_markdown(sheet),
        "intervals": any(score.interval for score in content.scores.values()),
        "sentences": content.sentences,
        "notes": list(_notes(content)),
        "citation": citation_line(content),
        "bibtex": "\n\n".join(one.bibtex for one in citations([measure.info for measure in measures])),
        "digest": content_digest(content),
    }


def _pictures(content: ReportContent, studies: Sequence[StudySection]) -> dict[str, object]:
    """Return the charts, and the sections that have any."""
    from markupsafe import Markup

    tables = _bucket_tables(content)
    distributions = [Markup(distribution_chart(content, one)) for one in content.segment_measures()]
    sets = [Markup(chart) for one in content.measures if (chart := quality_diversity_chart(content, one))]
    return {
        "distributions": distributions,
        "buckets": [(one, Markup(bucket_chart(one))) for one in tables],
        "bucket_systems": [pairs.system for pairs in content.texts],
        "sets": sets,
        "studies": [(one, [Markup(chart) for chart in one.charts]) for one in studies],
        "sections": list(_sections(distributions, tables, sets, studies)),
    }


def _segments(content: ReportContent, max_size: float) -> dict[str, object]:
    """Return what the scripts of the page read, if there are segments."""
    from markupsafe import Markup

    if not content.texts or not content.segment_measures():
        return {"segments": False}
    data = page_data(content, reference_lengths(content.texts[0]), max_size)
    return {"segments": True, "single": len(content.texts) == 1, "data": data, "about": Markup(data.about)}


def content_policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; style-src {_hashed(style)}; script-src {_hashed(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _bucket_tables(content: ReportContent) -> list[BucketTable]:
    if not content.texts:
        return []
    words = frequency_table(content.texts)
    return [*length_tables(content, reference_lengths(content.texts[0])), *([words] if words.buckets else [])]


def _subtitle(content: ReportContent) -> str:
    count = f"{content.rows:,} segments" if content.rows else "sets of texts"
    systems = f"{len(content.systems)} system{'s' if len(content.systems) != 1 else ''}"
    references = {len(row) for pairs in content.texts[:1] for row in pairs.references}
    told = f"{max(references)} reference{'s' if max(references) != 1 else ''}" if references else ""
    return ", ".join(filter(None, [systems, count, told]))


def _sections(
    distributions: Sequence[object], tables: Sequence[object], sets: Sequence[object], studies: Sequence[StudySection]
) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of every further section that is there."""
    if distributions:
        yield "distributions", "Distributions"
    if tables:
        yield "buckets", "By length"
    if sets:
        yield "sets", "Quality and diversity"
    for place, study in enumerate(studies, start=1):
        yield f"study-{place}", study.title


def _notes(content: ReportContent) -> Iterator[str]:
    for (system, label), score in content.scores.items():
        for note in score.notes:
            yield f"{system}, {label}: {note}"
