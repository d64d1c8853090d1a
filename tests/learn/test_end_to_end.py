"""The four commands one after the other, as a user types them; then the metric that they made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.app.cli.main import main


def run(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert left.value.code == code


def score(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[float]:
    """A copy, a change and something else against one reference."""
    (tmp_path / "hyp.txt").write_text("A dog runs on the beach.\nA dog runs on the sand.\nThe senate passed a law.\n")
    (tmp_path / "ref.txt").write_text("A dog runs on the beach.\n" * 3)
    capsys.readouterr()
    run(
        "score",
        tmp_path / "hyp.txt",
        "-r",
        tmp_path / "ref.txt",
        "-m",
        f"frugalscore(model={folder})",
        "--format",
        "json",
    )
    [result] = json.loads(capsys.readouterr().out)["results"]
    return list(result["segments"])


def test_without_any_model(corpus_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A corpus is enough: perturbations, a lexical teacher, a fresh student."""
    pairs, scored = tmp_path / "pairs.parquet", tmp_path / "scored.parquet"
    run("learn", "pairs", "--corpus", corpus_file, "--mix", "perturbation", "--size", 400, "-o", pairs)
    run("learn", "annotate", pairs, "--teacher", "chrf", "-o", scored)
    run(
        "learn",
        "distil",
        scored,
        "--student",
        "2x128",
        "-o",
        tmp_path / "s",
        "--epochs",
        1,
        "--standardise",
        "--rate",
        1e-3,
    )
    run("learn", "export", tmp_path / "s", "-o", tmp_path / "e", "--pairs", scored)
    assert len(score(tmp_path / "e", tmp_path, capsys)) == 3


def test_bertscore_into_a_tiny_student(
    shared: Path, dev_model: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The documented example in small: real sentences, a real teacher, a pretrained 2x128 student, int8."""
    corpus = shared / "data" / "corpora" / "corpus_en.tsv.gz"
    pairs, scored = tmp_path / "pairs.parquet", tmp_path / "scored.parquet"
    teacher = f"bertscore(model={dev_model('minilm-l6')}, layer=4)"
    tiny = dev_model("bert-tiny")
    mix = "perturbation,random"  # 900 damaged copies alone teach nothing: scores of unrelated pairs are needed
    run("learn", "pairs", "--corpus", corpus, "--column", 2, "--mix", mix, "--size", 900, "-o", pairs)
    run("learn", "annotate", pairs, "--teacher", teacher, "-o", scored)
    run(
        *("learn", "distil", scored, "--student", tiny, "-o", tmp_path / "s", "--epochs", 3),
        *("--standardise", "--rate", 1e-3, "--checks", 2, "--threads", 1),
    )
    run("learn", "export", tmp_path / "s", "-o", tmp_path / "e", "--precision", "int8", "--pairs", scored)
    copy, changed, other = score(tmp_path / "e", tmp_path, capsys)
    assert min(copy, changed) > other
    assert (tmp_path / "e" / "card.md").read_text().count("minilm-l6")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pairs", "--corpus", "missing.txt", "--mix", "perturbation"], "missing.txt: no such file"),
        (["pairs", "--mix", "pertubation", "--corpus", "x"], "did you mean 'perturbation'"),
        (["annotate", "missing.parquet", "--teacher", "chrf"], "missing.parquet: no such file"),
        (["annotate", "missing.parquet"], "--teacher"),
        (["distil", "missing.parquet"], "missing.parquet: no such file"),
        (["distil", "x.parquet", "--studnt", "2x128"], "did you mean '--student'"),
        (["export", "./missing"], "there is no folder ./missing"),
        (["finetune", "missing.jsonl"], "missing.jsonl: no such file"),
        (["distill"], "did you mean 'distil'"),
    ],
)
def test_mistakes_get_one_sentence(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run("learn", *arguments, code=2)
    error = capfd.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
