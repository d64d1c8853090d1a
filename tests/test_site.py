"""The documentation site: all commands and options, links that lead somewhere, nothing from another host."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import farthing
from farthing.app.cli.pages import command_pages
from farthing.core.registry import METRICS, metric_options

pytest.importorskip("material", reason="the site's theme is not installed")
PROJECT = Path(__file__).resolve().parents[1]
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The anchors, links, loaded files and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if LOADED.get(tag) in given and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(given[LOADED[tag]])

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    """Build the site once; pages by file."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}


def page_at(site: dict[Path, Page], end: str) -> Page:
    return next(page for path, page in site.items() if path.as_posix().endswith(f"/{end}/index.html"))


def target(path: Path, link: str) -> Path:
    place = path.parent / unquote(urlsplit(link).path) if urlsplit(link).path else path
    return (place / "index.html" if place.is_dir() else place).resolve()


def test_every_link_leads_to_a_file_and_an_anchor(site: dict[Path, Page]) -> None:
    pages = {path.resolve(): page for path, page in site.items()}
    broken = []
    for path, page in site.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            found = target(path, link)
            anchors = pages[found].anchors if found in pages else {unquote(parts.fragment)}
            if not found.exists() or (parts.fragment and unquote(parts.fragment) not in anchors):
                broken.append(f"{path.parent.name}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_another_host(site: dict[Path, Page]) -> None:
    foreign = [(path.parent.name, one) for path, page in site.items() for one in page.loaded if urlsplit(one).netloc]
    assert foreign == []
    root = min(site, key=lambda path: len(path.parts)).parent
    styles = "".join(path.read_text(encoding="utf-8") for path in root.rglob("*.css"))
    assert re.findall(r"url\(['\"]?https?:[^)]*\)|@import[^;]*https?:", styles) == []


def test_every_command_and_option_is_in_the_reference(site: dict[Path, Page]) -> None:
    text = "\n".join(page_at(site, "reference/commands").text)
    for page in command_pages():
        assert page.name in text
        for option in page.options:
            assert all(flag in text for flag in option.flags)


def test_every_option_of_every_metric_is_in_the_reference(site: dict[Path, Page]) -> None:
    text = "\n".join(page_at(site, "reference/metrics").text)
    for name in METRICS.builtin:
        assert all(option in text for option in (name, *metric_options(name)))


def test_every_public_name_is_in_the_reference(site: dict[Path, Page]) -> None:
    anchors = page_at(site, "reference/python").anchors
    homes = {getattr(farthing, name) for name in farthing.__all__ if not name.startswith("__")}
    missing = [one for one in homes if f"{one.__module__}.{one.__qualname__}" not in anchors]
    assert missing == []
