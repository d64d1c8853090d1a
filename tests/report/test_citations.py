"""Citations: every builtin metric's papers are known, and the entries are BibTeX."""

from __future__ import annotations

import re

import pytest

from farthing.core.registry import METRICS
from farthing.core.types import MetricInfo
from farthing.core.version import __version__
from farthing.report.citations import PAPERS, citations, known_papers


@pytest.mark.parametrize("name", sorted(METRICS.builtin))
def test_every_metric_has_papers_with_author_title_and_url(name: str) -> None:
    info = METRICS.get(name).about
    farthing, *papers = citations([info])
    assert farthing.fields["version"] == __version__
    assert papers
    for paper in papers:
        assert {"author", "title", "year", "url"} <= set(paper.fields), f"{info.paper}: add {paper.key} to papers.bib"
    # an address that the metric itself gives is that of the entry
    for url in re.findall(r"https://\S+[^;\s]", info.paper):
        assert url in [paper.fields["url"] for paper in papers]


def test_the_file_is_read_whole() -> None:
    text = PAPERS.read_text(encoding="utf-8")
    papers = known_papers()
    assert len(papers) == text.count("@")
    assert "\n\n".join(paper.bibtex for paper in papers.values()) + "\n" == text
    for key, paper in papers.items():
        assert key.endswith(paper.fields["year"])
        assert all(value.count("{") == value.count("}") for value in paper.fields.values())


def test_a_paper_is_cited_once_and_an_unknown_one_in_the_metrics_own_words() -> None:
    first = MetricInfo("a", "", "Nobody and Other 1999, On Nothing; Lin 2004", (0, 1))
    second = MetricInfo("b", "", "Lin 2004, https://aclanthology.org/W04-1013; none", (0, 1))
    third = MetricInfo("c", "", "a talk at a conference", (0, 1))
    found = citations([first, second, third])
    assert [one.key for one in found] == ["farthing", "nobody1999", "lin2004", "c"]
    assert found[1].bibtex == ("@misc{nobody1999,\n  note = {Nobody and Other 1999, On Nothing},\n  year = {1999},\n}")
    assert found[2].text.startswith("Lin, Chin-Yew. 2004. ROUGE: A Package")
