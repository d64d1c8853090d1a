"""`farthing cite`: what should a paper cite that shows these scores?"""

from __future__ import annotations

from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.core.registry import DEFAULT, METRICS
from farthing.core.specs import parse_specs


def cite(
    metrics: Annotated[
        list[str] | None, typed.Argument(help="Metrics; by default the default metric.", completes="metric")
    ] = None,
    output_format: Annotated[
        Literal["bibtex", "text"], typed.Option("--format", "-f", help="Entries of a .bib file, or one line each.")
    ] = "bibtex",
) -> str:
    """Print the citations of Farthing and of the papers of metrics.

    Examples:
      farthing cite bleu chrf bertscore >> paper.bib
      farthing cite frugalscore --format text
    """
    from farthing.report.citations import citations

    specs = parse_specs(",".join(metrics or [DEFAULT]))
    found = citations([METRICS.get(spec.name).about for spec in specs])
    if output_format == "text":
        return "\n".join(citation.text for citation in found)
    return "\n\n".join(citation.bibtex for citation in found)
