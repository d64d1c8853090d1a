"""The page of `farthing serve` in a real browser: what a person does with it, from a file to a download."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("fastapi", reason="the extra serve is not installed")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "translation"
COMMAND = [sys.executable, "-c", "from farthing.app.cli.main import main; main()"]
Opener = Callable[..., Any]
WATCH = """() => {
  window.bar = [];
  const text = document.getElementById("bar-text");
  new MutationObserver(() => window.bar.push(text.textContent)).observe(text, { childList: true });
}"""


@pytest.fixture(scope="module")
def serving() -> Iterator[str]:
    """The address of a service; its windows are small, so that a bar moves."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*COMMAND, "serve", "--quiet", "--port", str(port), "--window", "256"], env=os.environ)
    url = f"http://127.0.0.1:{port}/"
    for _ in range(600):
        with suppress(OSError):
            urllib.request.urlopen(f"{url}healthz").close()
            break
        time.sleep(0.1)
    yield url
    process.terminate()
    process.wait(60)


def filled(page: Page, *outputs: str) -> None:
    page.wait_for_selector(".metric")
    page.set_input_files("#file-outputs", [EXAMPLE / name for name in outputs])
    page.set_input_files("#file-references", EXAMPLE / "reference.en")
    page.wait_for_selector("#well-references li")
    page.wait_for_selector(f"#well-outputs li >> nth={len(outputs) - 1}")


def scored(page: Page, *outputs: str) -> None:
    filled(page, *outputs)
    page.click("#score")
    page.wait_for_selector("#summary", timeout=60_000)


def test_score_two_files_watch_the_bar_and_download_what_the_command_prints(serving: str, open_tab: Opener) -> None:
    tab = open_tab(serving)
    page = tab.page
    page.wait_for_selector(".metric")
    page.get_by_role("checkbox", name="chrf").check()
    page.evaluate(WATCH)
    scored(page, "fluent.en", "hasty.en")
    seen = page.evaluate("window.bar")
    assert seen[0] == "Scored 0 of 24 segments"
    assert seen[-1] == "Scored 24 of 24 segments"
    assert len(set(seen)) > 3  # it moved
    assert page.is_hidden("#working")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download JSON").click()
    found = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    command = [
        *COMMAND,
        "score",
        "fluent.en",
        "hasty.en",
        "-r",
        "reference.en",
        "-m",
        "frugalscore,chrf",
        "--format",
        "json",
    ]
    printed = subprocess.run(command, cwd=EXAMPLE, capture_output=True, text=True, check=True).stdout
    assert found == json.loads(printed)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download CSV").click()
    lines = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[0] == "system,row,candidate,frugalscore,chrf"
    assert len(lines) == 1 + 2 * 24
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download HTML").click()
    assert "fluent.en" in Path(waiting.value.path()).read_text(encoding="utf-8")
    assert tab.problems == []
    assert all(address.startswith((serving, "blob:")) for address in tab.requests)


def test_filter_the_table_and_open_an_alignment(serving: str, open_tab: Opener, serious_findings: Any) -> None:
    tab = open_tab(serving)
    page = tab.page
    scored(page, "fluent.en", "hasty.en")
    assert "24 of 24 segments" in page.inner_text("#results")
    page.fill("#by-text", "rain")
    page.wait_for_function("() => !document.querySelector('#results').innerText.includes('24 of 24 segments')")
    texts = page.locator("#segment-list .row").all_inner_texts()
    assert texts
    assert all("rain" in text.lower() for text in texts)
    page.click("#segment-list .row >> nth=0")
    page.wait_for_selector("#segment .heat")
    assert page.locator("#segment .heat td.best").count() > 3
    page.focus("#segment-list")
    page.keyboard.press("End")
    page.wait_for_selector("#segment .heat")
    page.wait_for_load_state("networkidle")
    assert serious_findings(page) == []
    assert tab.problems == []


def test_two_sentences_are_scored_and_aligned_while_one_types(
    serving: str, open_tab: Opener, serious_findings: Any
) -> None:
    tab = open_tab(serving, width=390, scheme="dark")
    page = tab.page
    page.wait_for_selector(".metric")
    page.keyboard.press("Tab")  # past the link to the form
    page.focus("#tab-files")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#pair-result .heat")
    before = page.inner_text("#pair-result .facts")
    page.fill("#pair-candidate", "A cat was sitting on the mat.")
    page.wait_for_function("(before) => document.querySelector('#pair-result .facts').innerText !== before", arg=before)
    assert "100.00" in page.inner_text("#pair-result .facts")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert serious_findings(page) == []
    assert tab.problems == []


def test_a_broken_file_gets_a_sentence(serving: str, open_tab: Opener, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"candidate": "fine", "reference": "fine"}\n{"candidate": \n', encoding="utf-8")
    tab = open_tab(serving)
    page = tab.page
    page.wait_for_selector(".metric")
    page.set_input_files("#file-outputs", broken)
    page.wait_for_selector("#refusal:visible")
    assert page.inner_text("#refusal").startswith("broken.jsonl:2: ")
    page.click("#score")
    page.wait_for_selector("#refusal:has-text('There is nothing to score')")
    refused = [one for one in tab.problems if "409" not in one]  # the browser reports the status of the refused file
    assert refused == []


def test_texts_stay_texts_and_options_reach_the_service(serving: str, open_tab: Opener) -> None:
    tab = open_tab(serving)
    page = tab.page
    page.wait_for_selector(".metric")
    page.get_by_role("checkbox", name="frugalscore").uncheck()
    page.get_by_role("checkbox", name="chrf").check()
    row = page.locator(".metric", has=page.get_by_role("checkbox", name="chrf"))
    row.get_by_text("Options").click()
    row.get_by_label("word_order").fill("2")
    page.fill("#text-outputs", "<img src=x onerror=alert(1)>\nthe cat")
    page.fill("#text-references", "a cat\nthe cat")
    page.click("#score")
    page.wait_for_selector("#summary")
    assert "chrf(word_order=2)" in page.inner_text("#summary")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#segment-list")
    assert page.locator("#results img").count() == 0
    assert tab.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_form_fits_and_reads_well(
    serving: str, open_tab: Opener, serious_findings: Any, width: int, scheme: str
) -> None:
    tab = open_tab(serving, width=width, scheme=scheme)
    filled(tab.page, "fluent.en")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == width
    assert serious_findings(tab.page) == []
    assert tab.problems == []
