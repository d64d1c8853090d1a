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
    print(
        f"{len(taken):,} rows, {sum(len(text) for row in taken for text in row[1:]) / len(taken) / 3:.0f} letters per text"
    )
    peer = pandas.DataFrame(table).assign(one_score=0.12, two_score=0.34).to_html()
    print(f"peer: a table of pandas, {len(peer.encode()) / 1e6:.1f} MB")


def browse(page: Path, rounds: int = 3) -> None:
    """Open the page a few times and print medians."""
    from playwright.sync_api import sync_playwright

    first, everything, heaps, filters = [], [], [], []
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for _ in range(rounds):
            tab = browser.new_page()
            start = time.perf_counter()
            tab.goto(page.as_uri(), wait_until="commit")
            tab.wait_for_selector("#list .row .line[data-name]", timeout=60000)
            first.append(time.perf_counter() - start)
            tab.wait_for_selector("html[data-ready=all]", timeout=120000)
            everything.append(time.perf_counter() - start)
            filters += [tab.evaluate(FILTER, text) for text in SEARCHES]
            session = tab.context.new_cdp_session(tab)
            session.send("HeapProfiler.collectGarbage")
            heaps.append(session.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
            tab.close()
        browser.close()
    print(
        f"first rows after {statistics.median(first):.2f} s (bar: 2), all texts after {statistics.median(everything):.2f} s"
    )
    print(f"a filter takes {1e3 * max(filters):.0f} ms at most (bar: 200), heap {max(heaps):.0f} MB (bar: 300)")


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
    browse(page)
    if not given.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
