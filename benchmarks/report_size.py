"""How large is a report of 100,000 segments, and how fast is it in Chromium?

    python benchmarks/report_size.py [SHARED] [--metrics token_f1] [--sources] [--rows 100000] [--keep FOLDER]

The rows are outputs of two systems each of WMT18 with their reference: every pair of neighbouring systems of every
language pair. The peer is the usual way to look at such rows, the HTML table that pandas writes; it has neither search
nor charts, and is not opened, since browsers take long over it.

Bars: at most 15 MB with one metric, 25 MB with sources and three metrics; first rows within 2 s of the navigation, a
filter by text within 0.2 s, a heap below 300 MB.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pandas
from playwright.sync_api import CDPSession, sync_playwright

from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.report.page.report import make_report
from farthing.scoring.score import choose, score
from timing import SHARED

SEARCHES = ("government", "the", "xyzzy", "of the")


def rows(shared: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield a source, a reference and the outputs of two systems."""
    with gzip.open(shared / "data" / "human" / "wmt18_toen_systems.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            outputs = [system["output"] for system in entry["systems"].values()]
            for first, second in zip(outputs[::2], outputs[1::2], strict=False):
                yield from zip(entry["source"], entry["reference"], first, second, strict=True)


def stored_run(folder: Path, shared: Path, count: int, metrics: str, sources: bool) -> None:
    """Score the rows into a run."""
    taken = [row for row, _ in zip(rows(shared), range(count), strict=False)]
    source, reference, first, second = map(list, zip(*taken, strict=True))
    references = [[text] for text in reference]
    given = source if sources else None
    systems = [Pairs(texts, references, given, system=name) for name, texts in (("one", first), ("two", second))]
    score(choose(metrics), Given(systems), run=folder)
    table = {"reference": reference, "one": first, "two": second, **({"source": source} if sources else {})}
    letters = sum(len(text) for row in taken for text in row[1:]) / len(taken) / 3
    print(f"{len(taken):,} rows, {letters:.0f} letters per text")
    peer = pandas.DataFrame(table).assign(one_score=0.12, two_score=0.34).to_html()
    print(f"peer: a table of pandas, {len(peer.encode()) / 1e6:.1f} MB")


def renderer_seconds(processes: CDPSession) -> float:
    """Return the CPU time of all tabs so far."""
    known = processes.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(one["cpuTime"] for one in known if one["type"] == "renderer")


def browse(page: Path, rounds: int) -> None:
    """Open the page a few times; other work on the machine makes the worst rounds slow, not the best."""
    first, everything, heaps, filters, work = [], [], [], [], []
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        processes = browser.new_browser_cdp_session()
        for _ in range(rounds):
            tab = browser.new_page()
            before = renderer_seconds(processes)
            start = time.perf_counter()
            tab.goto(page.as_uri(), wait_until="commit")
            tab.wait_for_selector("html[data-ready]", timeout=60000)
            work.append(renderer_seconds(processes) - before)
            first.append(tab.evaluate("() => performance.getEntriesByName('first rows')[0].duration") / 1e3)
            tab.wait_for_selector("html[data-ready=all]", timeout=120000)
            everything.append(time.perf_counter() - start)
            filters += [tab.evaluate(FILTER, text) for text in SEARCHES]
            session = tab.context.new_cdp_session(tab)
            session.send("HeapProfiler.collectGarbage")
            heaps.append(session.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
            tab.close()
        browser.close()
    for what, values, bar in (
        ("first rows", first, "2 s"),
        ("all texts", everything, "none"),
        ("filter", filters, "0.2 s"),
    ):
        middle = statistics.median(values)
        print(f"{what}: best {min(values):.3f} s, median {middle:.3f} s, worst {max(values):.3f} s (bar: {bar})")
    print(f"CPU time of the tab until the first rows: {statistics.median(work):.2f} s")
    print(f"heap: {max(heaps):.0f} MB (bar: 300)")


# What the page itself measures (User Timing): from the text in the field until list and scatter plot are drawn.
FILTER = """async (text) => {
  const field = document.getElementById("q");
  performance.clearMeasures("filter");
  field.value = text;
  field.dispatchEvent(new Event("input"));
  while (!performance.getEntriesByName("filter").length) await new Promise((done) => setTimeout(done, 5));
  return performance.getEntriesByName("filter")[0].duration / 1000;
}"""


def main() -> None:
    """Measure one report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("shared", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--metrics", default="token_f1")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder for the run and the page, which are used again")
    given = parser.parse_args()
    folder = given.keep or Path(tempfile.mkdtemp())
    run, page = folder / "run", folder / "report.html"
    if not run.exists():
        stored_run(run, given.shared, given.rows, given.metrics, given.sources)
    start = time.perf_counter()
    text = make_report([run])
    seconds = time.perf_counter() - start
    page.write_text(text, encoding="utf-8")
    assert make_report([run]) == text
    print(f"report: {len(text.encode()) / 1e6:.2f} MB, written in {seconds:.1f} s, the same bytes twice")
    browse(page, given.rounds)
    if not given.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
