"""The page as text: safe, the same at any time, and complete without a script."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser

from farthing.files.run import Run
from farthing.report.page.document import content_policy, report_html
from farthing.report.page.gather import run_content


class Reader(HTMLParser):
    """Collects the content of elements."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.attributes: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in ("meta", "link", "input"):
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.stack and self.stack.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.stack[-1] if self.stack else "", []).append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def test_the_policy_allows_only_what_is_in_the_page(tested_run: Run) -> None:
    page = report_html(run_content(tested_run))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    told = policy[1].replace("&#39;", "'")
    assert told.startswith("default-src 'none'; ")
    [style], script = read(page).texts["style"], re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    assert script
    for text in (style, script[1]):
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in told
    assert "unsafe" not in content_policy(style, script[1])


def test_nothing_points_elsewhere_and_nothing_is_inline(tested_run: Run) -> None:
    for tag, name, value in read(report_html(run_content(tested_run))).attributes:
        assert not name.startswith("on")
        assert name != "style"
        if name in ("href", "src", "action", "data", "poster", "srcset"):
            assert (value or "").startswith(("#", "data:,")), (tag, value)


def test_texts_cannot_end_a_script(tested_run: Run) -> None:
    page = report_html(run_content(tested_run))
    assert page.count("</script>") == page.count("<script")
    assert "Rain </script>" not in page


def test_the_same_run_makes_the_same_bytes(tested_run: Run) -> None:
    assert report_html(run_content(tested_run)) == report_html(run_content(tested_run))


def test_names_are_escaped(make_run: Callable[..., Run]) -> None:
    from dataclasses import replace

    content = run_content(make_run("names", "chrf", ["one"]))
    page = report_html(replace(content, title="<b>x</b>"))
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x" in page


def test_a_run_of_sets_has_a_summary_and_no_segments(make_run: Callable[..., Run]) -> None:
    page = report_html(run_content(make_run("onlysets", "distinct", ["one", "two"])))
    assert 'id="summary"' in page
    assert 'id="about"' not in page
    assert 'id="segments"' not in page
