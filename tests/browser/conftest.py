"""A real browser for tests of pages: Debian's chromium, driven by playwright. Without them the tests are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


@dataclass
class Tab:
    """A page in the browser, and what it did.

    :param problems: errors that it wrote to the console or raised
    :param requests: the addresses that it asked for, other than its own
    """

    page: Page
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, one for all tests of a worker."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: run make browser")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("chromium is not installed, so pages are not tested: run make browser, or set CHROMIUM to its path")
    with sync_api.sync_playwright() as tools:
        # inside a container there is no second sandbox, and little shared memory
        browser = tools.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def open_tab(chromium: Browser) -> Iterator[Callable[..., Tab]]:
    """Open an address: `open_tab(url, width=390, scheme="dark", javascript=False)`."""
    contexts = []

    def opened(url: str, width: int = 1280, scheme: Any = "light", javascript: bool = True) -> Tab:
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=javascript,
            accept_downloads=True,
        )
        contexts.append(context)
        tab = Tab(context.new_page())
        tab.page.on("console", lambda said: tab.problems.append(said.text) if said.type == "error" else None)
        tab.page.on("pageerror", lambda error: tab.problems.append(str(error)))
        tab.page.on("request", lambda asked: tab.requests.append(asked.url) if asked.url != url else None)
        tab.page.goto(url)
        return tab

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def serious_findings() -> Callable[[Page], list[str]]:
    """What axe finds wrong with a page for people who cannot see or use a mouse, if it is serious or worse."""
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe is not installed: run make browser").Axe()

    def found(page: Page) -> list[str]:
        results = axe.run(page)
        return [
            f"{one['id']}: {one['help']} ({'; '.join(str(node['target']) for node in one['nodes'][:5])})"
            for one in results["violations"]
            if one["impact"] in ("serious", "critical")
        ]

    return found
