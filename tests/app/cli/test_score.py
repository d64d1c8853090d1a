"""`farthing score` and `farthing compare` on good input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest
import sacrebleu

import farthing

CANDIDATES = ["the cat sat on the mat", "hello world", "five green apples"]
OTHERS = ["a cat sat", "hello", "five apples are green"]
REFERENCES = ["the cat sat on a mat", "hello big world", "five green apples"]


@pytest.fixture
def files(write: Callable[..., str]) -> tuple[str, str, str]:
    return write("a.txt", *CANDIDATES), write("b.txt", *OTHERS), write("r.txt", *REFERENCES)


def test_json_document(run, files) -> None:
    done = run("score", "a.txt", "b.txt", "-r", "r.txt", "-m", "bleu,chrf(word_order=2)", "--format", "json", "--ci")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["farthing"] == farthing.__version__
    results = document["results"]
    assert [(r["system"], r["metric"]) for r in results] == [
        ("a.txt", "bleu"),
        ("a.txt", "chrf"),
        ("b.txt", "bleu"),
        ("b.txt", "chrf"),
    ]
    expected = sacrebleu.corpus_bleu(CANDIDATES, [REFERENCES]).score
    assert results[0]["corpus"] == pytest.approx(expected, abs=1e-9)
    low, high = results[0]["ci"]
    assert low <= results[0]["corpus"] <= high
    assert len(results[0]["segments"]) == 3
    assert results[0]["notes"] == []
    assert "nw:2" in results[1]["signature"]


def test_table_has_arrows_and_signatures(run, files) -> None:
    done = run("score", "a.txt", "-r", "r.txt", "-m", "bleu,ter")
    assert "bleu ↑" in done.stdout
    assert "ter ↓" in done.stdout
    assert "bleu|nrefs:1|case:mixed" in done.stdout
    assert "\x1b" not in done.stdout  # no colours into a file


def test_csv_and_latex(run, files) -> None:
    done = run("score", "a.txt", "-r", "r.txt", "-m", "chrf", "--format", "csv")
    header, row = done.stdout.strip().split("\n")
    assert header.startswith("system,metric,corpus")
    assert row.startswith("a.txt,chrf,")
    done = run("compare", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf", "--format", "latex", "--names", "x_1,y")
    assert r"\textbf{" in done.stdout
    assert r"x\_1 (baseline)" in done.stdout


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv"])
def test_output_has_one_row_per_segment(run, files, tmp_path: Path, suffix: str) -> None:
    name = f"out.{suffix}"
    done = run("score", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf,bleu", "-o", name)
    assert done.returncode == 0, done.stderr
    from farthing.files.read import records

    rows = [record for _, record in records(str(tmp_path / name))]
    assert [(row["system"], int(row["row"])) for row in rows] == [(s, i) for s in ("a.txt", "b.txt") for i in (1, 2, 3)]
    expected = [sacrebleu.sentence_chrf(c, [r]).score for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    assert [float(row["chrf"]) for row in rows[:3]] == pytest.approx(expected)


def test_one_metric_twice_with_other_options(run, files, tmp_path: Path) -> None:
    run("score", "a.txt", "-r", "r.txt", "-m", "chrf,chrf(word_order=2)", "-o", "out.parquet")
    names = pyarrow.parquet.read_table(tmp_path / "out.parquet").column_names
    assert len(names) == len(set(names)) == 4


def test_table_files_and_standard_input(run, write) -> None:
    rows = [json.dumps({"mt": c, "ref": r}) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    write("data.jsonl", *rows)
    write("r.txt", *REFERENCES)
    document = run("score", "data.jsonl", "-m", "chrf", "--format", "json").stdout
    piped = run("score", "-", "-m", "chrf", "--format", "json", "--stdin-format", "jsonl", input="\n".join(rows) + "\n")
    lines = run("score", "-", "-r", "r.txt", "-m", "chrf", "--format", "json", input="\n".join(CANDIDATES) + "\n")
    scores = [json.loads(text)["results"][0]["corpus"] for text in (document, piped.stdout, lines.stdout)]
    assert scores == pytest.approx([sacrebleu.corpus_chrf(CANDIDATES, [REFERENCES]).score] * 3)


def test_several_references_and_sources(run, files, write) -> None:
    write("r2.txt", *OTHERS)
    write("s.txt", *OTHERS)
    done = run("score", "a.txt", "-r", "r.txt", "-r", "r2.txt", "-s", "s.txt", "-m", "bleu", "--format", "json")
    assert json.loads(done.stdout)["results"][0]["corpus"] == pytest.approx(
        sacrebleu.corpus_bleu(CANDIDATES, [REFERENCES, OTHERS]).score
    )


def test_output_folder_keeps_the_run_and_resumes_it(run, files, tmp_path: Path) -> None:
    call = ("score", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf,bleu", "-o", "run/")
    first = run(*call)
    assert (first.returncode, first.stderr) == (0, "")
    kept = farthing.read_run(tmp_path / "run")
    assert kept.complete
    assert kept.scores("chrf", "b.txt").corpus == pytest.approx(sacrebleu.corpus_chrf(OTHERS, [REFERENCES]).score)
    assert run(*call).stdout == first.stdout
    other = run("score", "a.txt", "-r", "r.txt", "-m", "chrf", "-o", "run/")
    assert other.returncode == 2
    assert "holds another run" in other.stderr
    assert run("score", "a.txt", "-r", "r.txt", "-m", "chrf", "-o", "run/", "--overwrite").returncode == 0


def test_a_table_fits_the_terminal(at_terminal, write) -> None:
    write("a-rather-long-name.txt", "the cat sat", "a dog")
    write("r.txt", "the cat sat down", "a dog")
    score = ("score", "a-rather-long-name.txt", "-r", "r.txt", "-m", "bleu,chrf,ter", "--ci", "-q")
    wide, narrow = at_terminal(*score, columns=140), at_terminal(*score, columns=60)
    numbers = re.findall(r"\d+\.\d\d \[[^]]*\]", wide)
    assert len(numbers) == 3
    assert re.findall(r"\d+\.\d\d \[[^]]*\]", narrow) == numbers
    table = re.sub(r"\x1b\[\d*m", "", narrow).partition("In brackets")[0].splitlines()
    assert max(map(len, table)) <= 60
    assert len(wide.splitlines()) < len(narrow.splitlines())
    assert "a-rather-long-name.txt\n  bleu ↑" in re.sub(r"\x1b\[\d*m", "", at_terminal(*score, columns=40))


def test_digits(run, write) -> None:
    write("a.txt", "the cat sat", "a dog")
    write("r.txt", "the cat sat down", "a dog")
    score = ("score", "a.txt", "-r", "r.txt", "-m", "chrf")
    value = float(run(*score, "--format", "csv").stdout.splitlines()[1].split(",")[2])
    assert f" {value:.2f}\n" in run(*score).stdout
    assert f" {value:.5f}\n" in run(*score, "--digits", "5").stdout
    assert f" {value:.0f}\n" in run(*score, "--digits", "0").stdout
    assert f"{value:.1f}" in run(*score, "--digits", "1", "--format", "latex").stdout
    assert str(value) in run(*score, "--digits", "1", "--format", "csv").stdout
    assert "--digits -1 must be at least 0" in run(*score, "--digits", "-1").stderr


def test_metrics_add_up_and_may_be_spelled_as_elsewhere(run, write) -> None:
    write("a.txt", "the cat sat", "a dog")
    write("r.txt", "the cat sat down", "a dog")
    score = ("score", "a.txt", "-r", "r.txt", "--format", "csv")
    assert run(*score, "-m", "BLEU", "-m", "chrF++").stdout == run(*score, "-m", "bleu,chrf(word_order=2)").stdout
    assert "asked for twice" in run(*score, "-m", "BLEU", "-m", "sacrebleu").stderr


def test_confused_flags_get_a_hint(run, write) -> None:
    write("a.txt", "the cat sat")
    write("r.txt", "the cat sat")
    for flag in ("--refs", "--references"):
        assert "did you mean -r? (--reference names a column of a table)" in run("score", "a.txt", flag, "r.txt").stderr
    assert "did you mean -r r.txt?" in run("score", "a.txt", "--reference", "r.txt").stderr
    assert "give the file by its place" in run("score", "--hyp", "a.txt", "-r", "r.txt").stderr
    assert "did you mean -s?" in run("compare", "a.txt", "r.txt", "--sources", "r.txt").stderr
    assert "did you mean -m?" in run("score", "a.txt", "-r", "r.txt", "--metric", "bleu").stderr


def test_intervals_are_by_document(run, write: Callable[..., str]) -> None:
    write("a.tsv", "doc\tmt\tref", *(f"{row % 12}\tthe cat {row}\tthe cat {row % 3}" for row in range(24)))
    done = run("score", "a.tsv", "-m", "chrf", "--ci")
    assert "Whole documents were resampled, 12 of them." in done.stdout
    assert "Whole documents" not in run("score", "a.tsv", "-m", "chrf").stdout


def test_a_low_score_stops_the_pipeline(run, write: Callable[..., str]) -> None:
    write("h.txt", "the cat sat", "a dog")
    write("r.txt", "the cat sat down", "a dog")
    done = run("score", "h.txt", "-r", "r.txt", "-m", "chrf,ter", "--fail-under", "chrf=99", "--fail-under", "ter=10")
    assert done.returncode == 3
    assert done.stderr.startswith("farthing: h.txt has chrf ")
    assert "; h.txt has ter 16.67, above 10" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "chrf ↑" in done.stdout
    assert run("score", "h.txt", "-r", "r.txt", "-m", "chrf,ter", "--fail-under", "ter=17").returncode == 0
    wrong = run("score", "h.txt", "-r", "r.txt", "-m", "chrf", "--fail-under", "bleu=17")
    assert wrong.returncode == 2
    assert "unknown metric of this run 'bleu'" in wrong.stderr


def test_a_terminal_sees_progress_and_then_the_table_alone(at_terminal, run, write) -> None:
    # long texts, so that the bar is drawn several times within a stretch of rows on a fast machine, too
    write("a.txt", *(4 * f"the cat number {row} sat and looked at the {row % 97} birds " for row in range(6000)))
    write("r.txt", *(4 * f"cat number {row} was sitting, watching {row % 89} small birds " for row in range(6000)))
    score = ("score", "a.txt", "-r", "r.txt", "-m", "chrf", "--workers", "1")
    shown, plain = at_terminal(*score), run(*score).stdout
    bars, _, table = re.sub(r"\x1b\[\d*m", "", shown).rpartition("\x1b[2K")
    assert table.replace("\x1b[?25h", "").lstrip("\r") == plain  # wiped away before the table is printed
    assert "/6000 " in bars
    assert {"scoring", "chrf"} <= set(re.findall(r"([a-z]+) +━", bars))
    assert len(set(re.findall(r"chrf +━+.*? (\d+)/", bars))) > 3  # it moves within a stretch of rows
    assert re.search(r"left: 0:00:\d\d", bars)
    assert re.sub(r"\x1b\[\d*m", "", at_terminal(*score, "-q")) == plain
    assert run(*score).stderr == ""


def test_progress_may_be_forced_where_there_is_no_terminal(run, write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.txt", "the cat sat", "a dog")
    write("r.txt", "the cat sat down", "a dog")
    score = ("score", "a.txt", "-r", "r.txt", "-m", "chrf")
    plain = run(*score)
    monkeypatch.setenv("FARTHING_PROGRESS", "1")
    assert run(*score).stdout == plain.stdout  # the line comes every ten seconds, and this is quicker


def test_marks_are_kept_in_the_run(run, files, tmp_path: Path) -> None:
    candidates, other, references = files
    spec = "frugalscore(size=nano)"
    plain = run("score", candidates, other, "-r", references, "-m", spec)
    done = run("score", candidates, other, "-r", references, "-m", spec, "-o", "kept/", "--explain")
    assert done.returncode == 0, done.stderr
    line = f"marks of words by {spec}: kept (farthing report kept shows them)"
    assert done.stdout == f"{plain.stdout.rstrip()}\n\n{line}\n"
    kept = farthing.read_run(tmp_path / "kept")
    assert len(kept.marks("frugalscore", other)) == len(OTHERS)
    json_alone = run("score", candidates, "-r", references, "-m", spec, "-o", "more/", "--explain", "-f", "json")
    assert json.loads(json_alone.stdout)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "name its folder, such as -o run/"),
        (["-o", "scores.csv"], "name its folder, such as -o run/"),
        (["-o", "kept/", "-m", "chrf"], "chrf cannot say which words are wrong"),
    ],
)
def test_marks_need_a_run_and_a_metric_that_makes_them(run, files, options: list[str], sentence: str) -> None:
    done = run("score", files[0], "-r", files[2], "--explain", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
