"""The report in a real browser."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.files.run import Run, read_run
from farthing.report.page.report import make_report
from farthing.scoring.score import choose, score

REFERENCES = [
    ["The cat sat on the mat.", "A cat was sitting on the mat."],
    ["Dogs run fast."],
    ["It rains </script><b>today</b>."],
    ["猫坐在垫子上。"],
    ["She has never liked the winter in the north."],
]
SOURCES = ["Die Katze saß.", "Hunde laufen schnell.", "Es regnet.", "Die Katze 🐈 sitzt.", "Sie mag den Winter nicht."]
ONE = [
    "The cat sat on the mat.",
    "A dog runs.",
    "It rains <img src=x onerror=alert(1)>.",
    "猫坐在垫子上",
    "She has liked 🐈 winter.",
]
TWO = ["The dog sat.", "Dogs run fast.", "</script><script>alert(1)</script>", "", "She has never liked winter."]
IDS = ["a1", "a2", "a3", "a4", "a5"]
SPECS = "frugalscore(size=tiny),chrf,ter"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("report") / "run"
    systems = [Pairs(texts, REFERENCES, SOURCES, IDS, name) for name, texts in (("one", ONE), ("two & <three>", TWO))]
    score(choose(SPECS), Given(systems), test="bootstrap", run=folder, explain=True, align=3)
    return read_run(folder)


@pytest.fixture(scope="module")
def url(run: Run) -> str:
    path = run.folder.parent / "report.html"
    path.write_text(make_report([run.folder]), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def tab(open_tab: Callable[..., Any], url: str) -> Any:
    opened = open_tab(url)
    opened.page.wait_for_selector("html[data-ready=all]")
    yield opened
    assert opened.problems == []
    assert [address for address in opened.requests if not address.startswith(("data:", "blob:"))] == []


def test_the_summary_shows_the_numbers_of_the_run(tab: Any, run: Run) -> None:
    table = tab.page.locator("#summary table")
    shown = [float(value) for value in table.locator("td").evaluate_all("cells => cells.map(c => c.dataset.value)")]
    assert shown == [one["corpus"] for one in run.results()["results"]]  # type: ignore[attr-defined]
    digits = re.findall(r"\d+\.\d+", table.locator("td").first.inner_text())
    first = run.results()["results"][0]  # type: ignore[index]
    assert digits == [f"{value:.2f}" for value in (first["corpus"], *first["ci"])]


def test_every_segment_shows_its_scores_and_texts(tab: Any, run: Run) -> None:
    tab.page.select_option("#sort", "input")
    for number, row in enumerate(REFERENCES):
        tab.page.locator("#list .row").nth(number).click()
        panel = tab.page.locator("#segment")
        cells = panel.locator("table td").all_inner_texts()
        expected = [
            run.scores(spec, system).segments[number]  # type: ignore[index]
            for system in run.systems
            for spec in run.metrics
        ]
        assert [float(cell) for cell in cells[: len(expected)]] == pytest.approx(expected, abs=0.005001)
        texts = panel.locator("p.text").all_inner_texts()
        assert texts[: len(row) + 3] == [SOURCES[number], *row, ONE[number], TWO[number]]
        assert tab.page.inner_text("#segment-title") == f"Segment {number + 1} ({IDS[number]})"


def test_texts_stay_texts(tab: Any) -> None:
    assert tab.page.locator("#list b:has-text('today'), #list img, #segment img").count() == 0
    assert "</script><script>alert(1)</script>" in tab.page.inner_text("#list")


def test_marked_words_are_those_of_the_run(tab: Any, run: Run) -> None:
    tab.page.select_option("#sort", "input")
    for system, name in enumerate(run.systems):
        for number, explanation in enumerate(run.marks("frugalscore", name)):
            likely = [
                explanation.candidate[mark["start"] : mark["end"]]
                for mark in explanation.errors
                if mark["probability"] >= 1 / 3
            ]
            line = tab.page.locator("#list .row").nth(number).locator(".line").nth(system)
            assert line.locator("mark").all_inner_texts() == likely


def test_alignments_are_those_of_the_run(tab: Any, run: Run) -> None:
    found = run.alignments("frugalscore", "one")
    assert [one.row for one in found] == sorted(one.row for one in found)
    assert len(found) == 3
    for one in found:
        tab.page.goto(f"{tab.page.url.partition('#')[0]}#seg={one.row}")
        tab.page.wait_for_selector(f"#segment-title:has-text('Segment {one.row} ')")
        heat = tab.page.locator("#segment table.heat").first
        assert heat.locator("tbody th").all_inner_texts() == list(one.alignment.candidate_tokens)
        values = [float(text) for text in heat.locator("tbody td").all_inner_texts()]
        assert values == pytest.approx(one.alignment.similarity.ravel().tolist(), abs=0.0051)


def test_head_to_head_counts_who_wins(tab: Any, run: Run) -> None:
    first, second = (run.scores("chrf", system).segments for system in run.systems)
    tab.page.select_option("#m", "chrf")
    assert first is not None
    assert second is not None
    facts = dict(
        zip(
            tab.page.locator("#facts dt").all_inner_texts(),
            tab.page.locator("#facts dd").all_inner_texts(),
            strict=True,
        )
    )
    won = int((first > second).sum())
    assert facts["segments won by one"] == f"{won} ({100 * won / 5:.1f} %)"
    tab.page.select_option("#m", "ter")  # lower is better
    lower, higher = (run.scores("ter", system).segments for system in run.systems)
    won = int((lower < higher).sum())  # type: ignore[operator]
    assert tab.page.locator("#facts dd").nth(2).inner_text().startswith(f"{won} ")


def words(text: str) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff]|[^\W_]+|[^\s\w]", text.lower())


def runs_of_words(text: str) -> Counter[str]:
    found = words(text)
    return Counter(
        " ".join(found[start : start + size]) for size in (1, 2, 3) for start in range(len(found) - size + 1)
    )


def test_words_won_and_lost_are_those_of_a_brute_force(tab: Any) -> None:
    totals: dict[str, list[int]] = {}
    for row, outputs in zip(REFERENCES, zip(ONE, TWO, strict=True), strict=True):
        wanted: Counter[str] = Counter()
        for reference in row:
            wanted |= runs_of_words(reference)
        for side, text in enumerate(outputs):
            for run_, count in (runs_of_words(text) & wanted).items():
                totals.setdefault(run_, [0, 0])[side] += count
    tab.page.click("#runs summary")
    tab.page.wait_for_selector("#won table")
    for side, table in enumerate(tab.page.locator("#won table").all()):
        lines = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
        assert lines
        for text, *counts, difference in lines:
            assert [int(count) for count in counts] == totals[text]
            assert int(difference) == (1, -1)[side] * (totals[text][0] - totals[text][1])
        best = max((1, -1)[side] * (a - b) for run_, (a, b) in totals.items() if any(map(str.isalnum, run_)))
        assert int(lines[0][3]) == best


def test_filters_and_orders(tab: Any, run: Run) -> None:
    page = tab.page
    page.fill("#q", "DOG")
    page.wait_for_selector("#count:has-text('2 of 5')")
    page.fill("#q", "")
    page.wait_for_selector("#count:has-text('5 of 5')")
    page.fill("#from", "9")
    page.wait_for_selector("#count:has-text('1 of 5')")
    page.click("#clear")
    page.wait_for_selector("#count:has-text('5 of 5')")
    page.select_option("#m", "chrf")
    page.select_option("#sort", "worst")
    numbers = [int(text) for text in page.locator("#list .row .head b").all_inner_texts()]
    scores = run.scores("chrf", "one").segments
    assert scores is not None
    assert numbers == sorted(range(1, 6), key=lambda number: (round(scores[number - 1], 2), number))
    page.fill("#low", str(round(sorted(scores)[-1], 2) - 0.5))
    page.wait_for_selector("#count:has-text('1 of 5')")


def test_the_address_keeps_the_view(tab: Any, open_tab: Callable[..., Any]) -> None:
    page = tab.page
    page.select_option("#m", "chrf")
    page.click("#swap")
    page.fill("#q", "winter")
    page.wait_for_selector("#count:has-text('1 of 5')")
    page.locator("#list .row").first.click()
    page.wait_for_selector("#segment-title:has-text('Segment 5')")
    again = open_tab(page.url)
    again.page.wait_for_selector("#segment-title:has-text('Segment 5')")
    assert again.page.input_value("#q") == "winter"
    assert again.page.locator("#a").input_value() == "two & <three>"
    assert again.page.locator("#m").input_value() == "chrf"
    assert again.page.inner_text("#count").startswith("1 of 5")


def test_the_keyboard_moves_through_the_list(tab: Any) -> None:
    page = tab.page
    page.select_option("#sort", "input")
    page.focus("#list")
    for key, number in (("ArrowDown", 1), ("ArrowDown", 2), ("End", 5), ("ArrowUp", 4), ("Home", 1)):
        page.keyboard.press(key)
        page.wait_for_selector(f"#segment-title:has-text('Segment {number} ')")
    assert page.get_attribute("#list", "aria-activedescendant") == "list-0"


def test_what_is_shown_can_be_saved(tab: Any, run: Run) -> None:
    page = tab.page
    page.fill("#q", "cat sat")
    page.wait_for_selector("#count:has-text('1 of 5')")
    with page.expect_download() as waiting:
        page.click("#jsonl")
    [record] = [json.loads(line) for line in Path(waiting.value.path()).read_text("utf-8").splitlines()]
    assert (record["row"], record["id"], record["references"], record["one"]) == (1, "a1", REFERENCES[0], ONE[0])
    assert record["one:chrf"] == pytest.approx(run.scores("chrf", "one").segments[0], abs=0.0051)  # type: ignore[index]
    with page.expect_download() as waiting:
        page.click("#csv")
    [line] = csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text("utf-8")))
    assert line["references"] == "\n".join(REFERENCES[0])


def test_tables_are_copied(tab: Any, run: Run) -> None:
    page = tab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the scores of all systems as LaTeX").click()
    latex = page.evaluate("() => navigator.clipboard.readText()")
    assert latex.startswith("\\begin{tabular}{lrrr}")
    assert "two \\& <three>" in latex
    page.get_by_role("button", name=re.compile("Copy ter by the length of the reference as Markdown")).click()
    assert page.evaluate("() => navigator.clipboard.readText()").startswith("| words | count | one |")


def test_without_javascript_the_summary_reads(open_tab: Callable[..., Any], url: str) -> None:
    tab = open_tab(url, javascript=False)
    text = tab.page.inner_text("main")
    assert "need JavaScript" in text
    assert "chrf|nrefs:" in text
    assert tab.page.locator("#summary tbody tr").count() == 2
    assert tab.page.locator("#distributions svg").count() == 3
    assert tab.page.locator("#interactive").is_hidden()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_axe_finds_nothing_serious(
    open_tab: Callable[..., Any], url: str, serious_findings: Callable[[Any], list[str]], width: int, scheme: str
) -> None:
    tab = open_tab(f"{url}#seg=1", width=width, scheme=scheme)
    tab.page.wait_for_selector("#segment table.heat, #segment p.text")
    tab.page.click("#runs summary")
    tab.page.wait_for_selector("#won table")
    assert serious_findings(tab.page) == []
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") <= width  # no page wider than the screen


def test_one_system_has_its_segments(open_tab: Callable[..., Any], tmp_path: Path) -> None:
    score(choose("chrf"), Given([Pairs(ONE, REFERENCES, system="one")]), run=tmp_path / "run")
    path = tmp_path / "single.html"
    path.write_text(make_report([tmp_path / "run"]), encoding="utf-8")
    tab = open_tab(f"{path.as_uri()}#seg=2")
    tab.page.wait_for_selector("html[data-ready=all]")
    assert tab.page.inner_text("#segment-title") == "Segment 2"
    assert tab.page.locator("#list .row").count() == 5
    assert tab.page.locator("#b").is_hidden()
    tab.page.click("#list .row >> nth=0")
    assert tab.problems == []


def test_paper_gets_the_first_segments(tab: Any) -> None:
    tab.page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    tab.page.evaluate("() => { window.printed = [...document.querySelectorAll('#list .row')]; }")
    tab.page.emulate_media(media="print")
    # a new size of the list would draw it again within two frames
    tab.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert tab.page.evaluate("() => window.printed.every((row) => row.isConnected)")
    assert tab.page.locator("#list .row").count() == 5
    assert tab.page.locator("nav").is_hidden()
    heights = tab.page.locator("#list .row").evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().top)")
    assert heights == sorted(set(heights))  # one below the other
    assert tab.page.pdf()[:5] == b"%PDF-"
    tab.page.emulate_media(media="screen")
    tab.page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    assert tab.page.evaluate("() => window.printed.every((row) => !row.isConnected)")  # drawn for the screen again


def test_a_page_that_is_too_large_says_what_it_shows(run: Run, open_tab: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "small.html"
    path.write_text(make_report([run.folder], max_size=0.002), encoding="utf-8")
    tab = open_tab(path.as_uri())
    tab.page.wait_for_selector("html[data-ready=all]")
    found = re.search(r"Showing (\d) of 5 segments, because", tab.page.inner_text("#segments"))
    assert found
    assert tab.page.locator("#list .row").count() == int(found[1]) < 5
    assert tab.problems == []
