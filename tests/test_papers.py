"""The experiments of the papers: every caption has its place, every command runs on small data, pages show results."""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from farthing.app.cli.main import COMMANDS, main
from farthing.app.cli.typed import Commands, build

PROJECT = Path(__file__).resolve().parents[1]
PAPERS = PROJECT / "papers"
CAPTIONS = {"bertscore": (29, 3), "effeval": (8, 4), "frugalscore": (8, 1), "mark-evaluate": (6, 5)}
META_PAGE = (PROJECT / "docs" / "meta-evaluation.md").read_text(encoding="utf-8")
FOLDERS = ("human", "corpora", "models", "yours", "build", "images", "papers")


def module(name: str) -> ModuleType:
    sys.path.insert(0, str(PAPERS))
    try:
        spec = importlib.util.spec_from_file_location(name, PAPERS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(name, made)
        spec.loader.exec_module(made)
        return made
    finally:
        sys.path.remove(str(PAPERS))


catalogue = module("catalogue")
paper_program = module("paper")
pages = module("pages")
EVERY = [(paper, item) for paper in map(catalogue.Paper.read, CAPTIONS) for item in paper.items.values()]
RUN = [(paper, item) for paper, item in EVERY if item.run]


def named(places: list[tuple[Any, Any]]) -> list[str]:
    return [f"{paper.name}-{item.name}" for paper, item in places]


@pytest.mark.parametrize("name", CAPTIONS)
def test_every_caption_has_a_row(name: str) -> None:
    paper = catalogue.Paper.read(name)
    tables, figures = CAPTIONS[name]
    expected = {f"table{n}" for n in range(1, tables + 1)} | {f"figure{n}" for n in range(1, figures + 1)}
    assert set(paper.items) == expected
    text = pages.page(paper)
    for item in paper.items.values():
        assert f"## {item.title}\n" in text
        assert f"| {item.shows} |" in text
        assert not item.same or paper.items[item.same].run


def test_sixty_four_captions_four_of_which_are_illustrations() -> None:
    assert len(EVERY) == 64
    assert [f"{paper.name} {item.name}" for paper, item in EVERY if item.illustration] == [
        "bertscore figure1",
        "effeval figure1",
        "mark-evaluate figure1",
        "mark-evaluate figure5",
    ]


def words(item: Any, paper: Any) -> Iterator[list[str]]:
    for text in (*item.first, *item.run):
        names = dict.fromkeys(FOLDERS, "x")
        yield [part.format(**names) for part in shlex.split(text.replace("{metrics}", paper.metrics["full"]))]


@pytest.mark.parametrize(("paper", "item"), RUN, ids=named(RUN))
def test_commands_can_be_parsed_and_scripts_are_there(paper: Any, item: Any) -> None:
    for program, *arguments in words(item, paper):
        if program == "python":
            script = arguments[0].removeprefix("x/")
            assert (PAPERS / script).is_file()
            continue
        assert program == "farthing"
        command, rest = COMMANDS.get(arguments[0]), arguments[1:]
        if isinstance(command, Commands):
            command, rest = command.members[rest[0]], rest[1:]
        build(command, "farthing")[0].parse_args(rest)


@pytest.mark.parametrize(("paper", "item"), RUN, ids=named(RUN))
def test_pages_show_the_stored_results(paper: Any, item: Any) -> None:
    result = paper.result(item)
    if result is None:
        assert "There is no stored result yet." in pages.page(paper)
        return
    text = pages.page(paper)
    assert all(command in text for command in result.commands)
    for table in result.tables:
        for row in table.rows:
            cells = [str(cell) if isinstance(cell, str) else pages._text(cell) for cell in row]
            if isinstance(row[0], float):
                cells[0] = str(row[0]).removesuffix(".0")  # the number of a layer
            assert f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |" in text
    assert not re.search(r"/(root|home|work|tmp)/", json.dumps(result.tables, default=vars) + text)


def test_pages_say_which_findings_repeat() -> None:
    rows = [["fid, should fall", -1.2, 5], ["recall, should fall", -0.1, 3], ["precision, should stay", -1, 0]]
    [told, _] = pages.findings(catalogue.ResultTable(["collapse", "change", "right in 5"], rows))
    assert told == (
        "What should happen did in all 5 runs: fid falls. In none: precision stays. In some of them: recall falls."
    )
    assert not list(pages.findings(catalogue.ResultTable(["metric", "cs-en"], [["bleu", 0.5]])))


@pytest.mark.parametrize(("name", "item"), re.findall(r"<!-- stored: (\S+) (\S+) -->", META_PAGE))
def test_other_pages_show_stored_tables(name: str, item: str) -> None:
    paper = catalogue.Paper.read(name)
    text, result = pages.stored_tables(name, item), paper.result(paper.items[item])
    if result is None:
        assert f"make paper NAME={name} ITEM={item}" in text
        return
    assert all(f"| {row[0]} |" in text for table in result.tables for row in table.rows)


def test_results_belong_to_captions() -> None:
    for path in catalogue.RESULTS.glob("*/*.json"):
        assert catalogue.Paper.read(path.parent.name).items[path.stem].run


TEXTS = [
    "The cat sat on the mat. It slept.",
    "A dog ran over the hill. Rain fell.",
    "Nobody came to the old house. He left.",
    "Birds fly south in winter. They return.",
    "She wrote a long letter. It was late.",
    "The bank raised its rates. Why?",
    "Two men played chess. One won.",
    "Prices fell on Monday. People bought.",
]


def damaged(text: str, place: int) -> str:
    parts = text.split()
    return " ".join(parts[: len(parts) - place % 4]) + (" indeed" if place % 3 else "")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Made-up data under the names of the real files."""
    root = tmp_path_factory.mktemp("papers")
    folders = {name: root / name for name in FOLDERS if name != "papers"}
    for folder in folders.values():
        folder.mkdir()
    outputs: list[dict[str, Any]] = []
    for place, text in enumerate(TEXTS):
        for number, system in enumerate("ABCD"):
            row = {"system": system, "segment_id": place, "reference": text, "candidate": damaged(text, place + number)}
            outputs.append({**row, "score": -number - place % 3, "source": text})
    for name, column, groups in (
        ("wmt15_da_seg", "lp", ("cs-en", "de-en")),
        ("wmt16_da_seg", "lp", ("de-en", "ru-en", "en-ru")),
        ("wmt20_mqm_seg", "lp", ("zh-en",)),
        ("wmt21_mqm_seg", "dataset", ("zh-en-ted", "en-de-ted")),
        ("sum_newsroom", "dataset", ("newsroom",)),
        ("sum_dialsummeval", "dataset", ("dialsummeval",)),
    ):
        rows = [{**row, column: group} for group in groups for row in outputs]
        for row in rows:
            row["scores"] = {"fluency": row["score"], "relevance": row["score"]}
        write_rows(folders["human"] / f"{name}.jsonl.gz", rows)
    for name in ("pawsx", "mrpc"):
        write_rows(
            folders["human"] / f"{name}.jsonl.gz",
            [{**r, "lang": "en", "split": "val", "score": i % 2} for i, r in enumerate(outputs)],
        )
    wmt18 = {"lp": "de-en", "source": TEXTS * 13, "reference": TEXTS * 13}
    systems = {s: {"output": [damaged(t, n) for t in TEXTS * 13], "score": -n} for n, s in enumerate("ABCD")}
    write_rows(folders["human"] / "wmt18_toen_systems.jsonl.gz", [{**wmt18, "year": "WMT18", "systems": systems}])
    captions = [{"captions": [text, *TEXTS[:4]]} for text in TEXTS * 2]
    write_rows(folders["corpora"] / "multi30k_5captions_en.jsonl.gz", captions)
    with gzip.open(folders["corpora"] / "brown_genres.tsv.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"genre{n % 3}\tbook\t{n} {TEXTS[n % 8]} {TEXTS[n // 8 % 8]}\n" for n in range(192))
    return folders


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


# Those that need a downloaded multilingual model or a large corpus, and those that train or read all layers of a model;
# the latter have tests of their own, below or beside their commands.
LARGE = {
    "effeval-figure3", "mark-evaluate-figure2", "bertscore-figure3", "effeval-table1", "frugalscore-table1",
    "frugalscore-table2", "frugalscore-figure1",
}  # fmt: skip
SMALL = [(paper, item) for paper, item in RUN if f"{paper.name}-{item.name}" not in LARGE]


def printed_here(command: list[str]) -> str:
    """Run a command of farthing in this process, which spares its start; scripts have a process of their own."""
    if command[0] != "farthing":
        return str(RUN_OUTSIDE(command))
    output = io.StringIO()
    with contextlib.redirect_stdout(output), pytest.raises(SystemExit) as left:
        main(command[1:])
    assert not left.value.code, command
    return output.getvalue()


RUN_OUTSIDE = paper_program._output


@pytest.mark.parametrize(("paper", "item"), SMALL, ids=named(SMALL))
def test_every_experiment_runs_on_small_data(
    paper: Any, item: Any, small: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # no scores of an earlier run
    monkeypatch.setattr(paper_program, "_output", printed_here)
    metrics = "bleu,chrf" if "bleu" in paper.metrics["light"] else paper.metrics["light"]
    metrics = metrics if paper.name != "mark-evaluate" else "markevaluate(part=petersen, model=nano),fid(model=nano)"
    places = paper_program.Places({**small, "papers": PAPERS}, metrics)
    made = [text for text in item.first if "multilingual_vectors" not in text]  # these vectors are not here
    first, run = ([shortened(text) for text in texts] for texts in (made, item.run))
    result = paper_program.run_item(paper, catalogue.Item(item.name, item.shows, run=run, first=first), places)
    assert result.tables or result.text
    assert str(small["human"]) not in json.dumps([*result.commands, result.text])


QUICK = {
    "--hybrids 10000": "--hybrids 50", "--draws 100000": "--draws 200 --drawn 20", "jsonl.gz 10 ": "jsonl.gz 2 ",
    "jsonl.gz 30 ": "jsonl.gz 4 ", "jsonl.gz 5 ": "jsonl.gz 2 ", "jsonl.gz 100 ": "jsonl.gz 9 ",
    "jsonl.gz 150 ": "jsonl.gz 16 ",
    "k=1,2,3,5": "k=1,2", r"--rows \d+": "--rows 20", r"--size \d+ --seeds 5": "--size 30 --seeds 2",
    r",bertscore\(model={(models|build)}/(potion|multi)[^)]*\)": "",
    r"{models}/[a-z0-9-]+": "nano", "--layer 6": "--layer 1", r", layer=\d+": "",
}  # fmt: skip


def shortened(text: str) -> str:
    """Make a command small: few rows, and the smallest embedded encoder in the place of downloaded ones."""
    for old, new in QUICK.items():
        text = re.sub(old, new, text)
    return text


def script(name: str, *arguments: object) -> list[Any]:
    """Run a script of the papers, and return the tables that it prints."""
    return list(paper_program.tables_of(RUN_OUTSIDE(["python", str(PAPERS / "scripts" / name), *map(str, arguments)])))


def test_teachers_and_students_are_measured_in_one_run(small: dict[str, Path]) -> None:
    students = ("--student", "frugalscore(size=nano)", "--student", "chrf")
    measures, summary, *more = script(
        "headline.py", small["human"], "--teacher", "chrf", "--teacher", "bleu", *students
    )
    assert measures.head[:2] == ["metric", "people wmt16"]
    assert measures.rows[0][4:7] == [1, 1, 1]  # the teacher agrees with itself
    assert [row[0] for row in summary.rows] == ["frugalscore(size=nano)", "chrf", "mean"]
    assert summary.rows[1][1] == 1  # what the teacher itself retains
    assert len(more) == 2  # the tables of the second teacher


def test_training_with_adapters_learns_less_and_keeps_less(
    small: dict[str, Path], dev_model: Callable[[str], Path]
) -> None:
    [table] = script("training.py", dev_model("bert-tiny"), small["human"], "--rows", 8, "--epochs", 1)
    learned = {row[0]: row[4] for row in table.rows}
    assert list(learned) == ["pfeiffer", "parallel", "houlsby", "compacter", "ia3", "no adapters"]
    assert max(value for name, value in learned.items() if name != "no adapters") < learned["no adapters"]


def test_the_program_keeps_what_it_ran(small: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = [
        part for name in FOLDERS if name not in ("images", "papers") for part in (f"--{name}", str(small[name]))
    ]
    script = "import paper, pathlib, sys; paper.RESULTS = pathlib.Path(sys.argv.pop(1)); paper.main()"
    command = [sys.executable, "-c", script, str(tmp_path), "effeval", "table4", *arguments]
    subprocess.run(command, check=True, cwd=PAPERS, stdout=subprocess.DEVNULL)
    result = catalogue.Result.read(tmp_path / "effeval" / "table4.json")
    [table] = result.tables
    assert table.rows[-1] == ["total", 64, 96, 32]
    assert result.commands[0].startswith("python PAPERS/scripts/segments.py HUMAN/wmt15_da_seg.jsonl.gz")
