"""`farthing score FOLDER/`, and other inputs that are more than a text file per system."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

LINES = ["the cat sat on the mat", "hello world", "five green apples", "we left early"]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for pair in ("en-de", "de-en"):
        folder = tmp_path / "sets" / "news" / pair
        folder.mkdir(parents=True)
        (folder / "ref.txt").write_text("\n".join(LINES) + "\n")
        (folder / "hyp.one").write_text("\n".join(LINES) + "\n")
        (folder / "hyp.two").write_text("\n".join(line.split()[0] for line in LINES) + "\n")
    return tmp_path


def test_a_folder_is_one_call(run, suite: Path) -> None:
    done = run("score", "sets/", "-m", "chrf", "-o", "out.jsonl", "--with-texts")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("news") == 4
    assert "1     one" in done.stdout
    rows = [json.loads(line) for line in (suite / "out.jsonl").read_text().splitlines()]
    assert len(rows) == 16
    assert rows[0]["reference"] == LINES[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sets", "-r", "sets/news/en-de/ref.txt"), "brings its own files, name it alone"),
        (("sets", "sets"), "name it alone"),
        (("sets", "--fail-under", "chrf=5"), "--fail-under is for one test set"),
        (("sets", "-o", "run/"), "a run on disk holds one test set"),
        (("sets", "-o", "sets/news/en-de/hyp.csv"), "is the input"),
    ],
)
def test_mistakes_with_folders(run, suite: Path, arguments: tuple[str, ...], message: str) -> None:
    (suite / "sets" / "news" / "en-de" / "hyp.csv").symlink_to("hyp.one")
    done = run("score", *arguments, "-m", "chrf")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_long_table_is_scored_and_compared(run, write, tmp_path: Path) -> None:
    rows = [f"{name};{number};{line};{ref}" for number, (line, ref) in enumerate(zip(LINES, LINES[::-1], strict=True))
            for name in ("a", "b")]  # fmt: skip
    write("long.csv", "system;id;response;target", *rows)
    done = run("compare", "long.csv", "-m", "chrf")
    assert done.returncode == 0, done.stderr
    assert "a (baseline)" in done.stdout
    done = run("score", "long.csv", "-m", "chrf", "--format", "json")
    assert [one["system"] for one in json.loads(done.stdout)["results"]] == ["a", "b"]


def test_several_candidate_columns(run, write) -> None:
    write("wide.tsv", "mt1\tmt2\tref", *(f"{line}\t{line} x\t{line}" for line in LINES))
    for arguments in (("--candidate", "mt1,mt2"), ("--candidate", "mt1", "--candidate", "mt2")):
        done = run("compare", "wide.tsv", *arguments, "-m", "chrf")
        assert done.returncode == 0, done.stderr
        assert "mt1 (baseline)" in done.stdout
    assert run("compare", "wide.tsv", "--candidate", "mt1", "-m", "chrf").returncode == 2


@pytest.mark.parametrize("name", ["hyp.csv", "./hyp.csv", "hard.csv", "soft.csv", "folder/../hyp.csv"])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_no_input_is_ever_overwritten(run, write, tmp_path: Path, name: str, command: str) -> None:
    for file in ("hyp.csv", "other.csv"):
        write(file, "mt,ref", *(f"{line},{line}" for line in LINES))
    before = (tmp_path / "hyp.csv").read_bytes()
    os.link(tmp_path / "hyp.csv", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("hyp.csv")
    (tmp_path / "folder").mkdir()
    done = run(command, "hyp.csv", "other.csv", "-m", "chrf", "-o", name)
    assert done.returncode == 2
    assert "which is never overwritten; choose another name" in done.stderr
    assert (tmp_path / "hyp.csv").read_bytes() == before
    assert (tmp_path / "soft.csv").is_symlink()


def test_a_run_never_overwrites_an_input_in_its_folder(run, write, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    write("run/hyp.txt", *LINES)
    done = run("score", "run/hyp.txt", "-r", "run/hyp.txt", "-m", "chrf", "-o", "run/", "--overwrite")
    assert "holds the input run/hyp.txt" in done.stderr


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_texts_beside_scores_can_be_read_again(run, write, tmp_path: Path, suffix: str) -> None:
    texts = [line + ' "quoted", even' for line in LINES]
    rows = [
        json.dumps({"id": f"s{n}", "mt": text, "refs": [text, "other"], "src": text}) for n, text in enumerate(texts)
    ]
    write("in.jsonl", *rows)
    done = run("score", "in.jsonl", "-m", "chrf,bleu", "--names", "mine", "-o", f"out.{suffix}", "--with-texts")
    assert done.returncode == 0, done.stderr
    again = run("score", f"out.{suffix}", "-m", "chrf,bleu")
    assert again.stdout == done.stdout
    if suffix == "csv":
        with (tmp_path / "out.csv").open(newline="") as file:
            [first, *_] = csv.DictReader(file)
        texts_of_it = ["id", "source", "candidate", "reference_1", "reference_2"]
        assert list(first) == ["system", "row", *texts_of_it, "chrf", "bleu", "signature_1", "signature_2"]
        assert (first["id"], first["candidate"]) == ("s0", texts[0])
        assert first["signature_2"].startswith("bleu|")


def test_texts_need_a_table(run, write) -> None:
    write("a.txt", *LINES)
    done = run("score", "a.txt", "-r", "a.txt", "-m", "chrf", "--with-texts")
    assert "name one, such as -o scores.csv" in done.stderr


def test_paragraphs_are_cut_at_segments(run, write) -> None:
    write("para.txt", " ".join(LINES))
    write("ref.txt", *LINES)
    done = run("score", "para.txt", "-r", "ref.txt", "-m", "chrf")
    assert done.returncode == 2
    assert "--resegment" in done.stderr
    done = run("score", "para.txt", "-r", "ref.txt", "-m", "chrf", "--resegment")
    assert "100.00" in done.stdout
    assert "segments:mwer" in done.stdout
    done = run("compare", "para.txt", "ref.txt", "-r", "ref.txt", "-m", "chrf", "--resegment")
    assert done.returncode == 0, done.stderr
