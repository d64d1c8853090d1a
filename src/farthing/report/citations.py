"""Citations of Farthing and of the papers behind its metrics, as BibTeX or as plain text.

A metric names its papers in `MetricInfo.paper`, such as "Popović 2015, https://…; 2017, https://…". The first author
and the year find the entry in papers.bib; a paper that is not there is cited in the metric's own words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from farthing.core.types import MetricInfo
from farthing.core.version import __version__

PAPERS = Path(__file__).with_name("papers.bib")
YEAR = "2026"  #: of Farthing itself
_YEAR = re.compile(r"\b(1[89]|20)\d\d\b")
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$")


@dataclass(frozen=True, slots=True)
class Citation:
    """One thing to cite: its BibTeX key, its kind and its fields."""

    key: str
    kind: str
    fields: dict[str, str]

    @property
    def bibtex(self) -> str:
        """The entry for a .bib file."""
        return "\n".join([f"@{self.kind}{{{self.key},", *(f"  {k} = {{{v}}}," for k, v in self.fields.items()), "}"])

    @property
    def text(self) -> str:
        """One line for people."""
        names = ("author", "year", "title", "booktitle", "version", "note", "url")
        plain = [self.fields[name].replace("{", "").replace("}", "") for name in names if name in self.fields]
        return ". ".join(part.rstrip(".") for part in plain)


FARTHING = Citation(
    "farthing",
    "software",
    {
        "author": "{The Farthing developers}",
        "title": "{Farthing}: cheap, light and fast evaluation of generated text",
        "year": YEAR,
        "version": __version__,
    },
)


def citations(metrics: Sequence[MetricInfo]) -> list[Citation]:
    """Return what to cite for scores by these metrics: Farthing, then each paper once."""
    found = [citation for info in metrics for citation in _papers(info)]
    return list({citation.key: citation for citation in [FARTHING, *found]}.values())


def _papers(info: MetricInfo) -> Iterator[Citation]:
    """Yield the papers of one metric; an author who is left out is that of the paper before."""
    author = ""
    for words in info.paper.split(";"):
        words = words.strip()
        year = _YEAR.search(words)
        if year is None:
            if words and words.lower() != "none":
                yield Citation(info.name, "misc", {"note": words})
            continue
        author = _surname(words[: year.start()]) or author
        key = f"{author}{year[0]}"
        yield known_papers().get(key) or Citation(key, "misc", {"note": words, "year": year[0]})


def _surname(authors: str) -> str:
    """The first author's surname as it stands in a key: letters without accents.

    >>> _surname("Kamal Eddine et al. "), _surname("Mordido and Meinel "), _surname("Popović ")
    ('kamaleddine', 'mordido', 'popovic')
    """
    first = re.split(r" et al| and |,| & ", authors)[0]
    plain = unicodedata.normalize("NFKD", first).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z]", "", plain.lower())


@cache
def known_papers() -> dict[str, Citation]:
    """Read the papers that come with the package, by their keys."""
    found = {}
    for entry in PAPERS.read_text(encoding="utf-8").split("\n@"):
        head, *lines = entry.lstrip("@").strip().splitlines()
        kind, _, key = head.rstrip(",").partition("{")
        fields = {match[1]: match[2] for line in lines if (match := _FIELD.match(line))}
        found[key] = Citation(key, kind, fields)
    return found
