"""From a judge's verdicts to a student that scores alone, as a user types it, with references and without them."""

from __future__ import annotations

import csv
import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.app.cli.main import main

PROJECT = Path(__file__).resolve().parents[2]
JUDGE = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    wanted = (row.get("reference") or row["source"]).split()
    same = sum(word in wanted for word in row["candidate"].split())
    print(json.dumps({"id": row["id"], "score": round(100 * same / len(wanted), 1)}), flush=True)
"""
RECIPE = """
kind = "match"
unrelated = "corpus.txt"
about = { reads = ["en"], licence = "the judge's terms apply" }
[student]
start = "encoder"
depth = 1
hidden = 4
[training]
epochs = 3
rate = 1e-3
head_rate = 1e-2
batch = 8
"""
FLAGS = {"reference": "-r", "source": "-s"}


def run(*arguments: object) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert left.value.code == 0


@pytest.fixture
def judged(corpus: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Path]:
    """`judged("source")` lets a program judge outputs beside their sources, and returns the file of kept verdicts."""

    def ask(against: str) -> Path:
        random = np.random.default_rng(2)
        texts = corpus[:120]
        outputs = [
            " ".join(w if random.random() < n / 120 else "quite" for w in t.split()) for n, t in enumerate(texts)
        ]
        (tmp_path / "hyp.txt").write_text("\n".join(outputs) + "\n", encoding="utf-8")
        (tmp_path / "other.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
        (tmp_path / "judge.py").write_text(JUDGE, encoding="utf-8")
        spec = f"judge(command='{sys.executable} {tmp_path / 'judge.py'}', verdicts='{tmp_path / 'kept'}')"
        run("score", tmp_path / "hyp.txt", FLAGS[against], tmp_path / "other.txt", "-m", spec)
        capsys.readouterr()
        [kept] = (tmp_path / "kept").glob("*.jsonl")
        return kept

    return ask


def agreement(folder: Path, against: str, kept: Path, capsys: pytest.CaptureFixture[str]) -> float:
    """How well a finished student's scores agree with the verdicts, as the command line prints them."""
    capsys.readouterr()
    texts = folder.parent
    metric = f"frugalscore(model={folder})"
    run("score", texts / "hyp.txt", FLAGS[against], texts / "other.txt", "-m", metric, "--format", "json")
    [result] = json.loads(capsys.readouterr().out)["results"]
    verdicts = {row["candidate"]: row["score"] for row in map(json.loads, kept.read_text("utf-8").splitlines())}
    wanted = [verdicts[text] for text in (texts / "hyp.txt").read_text("utf-8").splitlines()]
    return float(np.corrcoef(result["segments"], wanted)[0, 1])


@pytest.mark.parametrize("against", ["reference", "source"])
def test_a_recipe_learns_from_kept_verdicts(
    against: str, judged: Callable[[str], Path], encoder: Path, corpus_file: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    kept = judged(against)
    (tmp_path / "corpus.txt").write_bytes(corpus_file.read_bytes())
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "encoder").symlink_to(encoder)
    table = f'[[human]]\nfile = "{kept.relative_to(tmp_path)}"\nagainst = "{against}"\n'
    (tmp_path / "metric.toml").write_text(RECIPE + table, encoding="utf-8")
    made = tmp_path / "my-metric"
    run("learn", "student", tmp_path / "metric.toml", "--data", tmp_path, "--models", tmp_path / "models", "-o", made)
    assert agreement(made, against, kept, capsys) > 0.6
    card = (made / "card.md").read_text("utf-8")
    assert f"| compares with | {against} |" in card
    assert "120 pairs, score, by judge " in card
    assert "## Licence\n\nthe judge's terms apply" in card


@pytest.mark.parametrize("against", ["reference", "source"])
def test_three_commands_from_a_csv_of_verdicts(
    against: str, judged: Callable[[str], Path], encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = judged(against)
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    with (tmp_path / "judged.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows(
            [["output", against, "judge_score"], *([r["candidate"], r[against], r["score"]] for r in rows)]
        )
    told = ("--scored-by", "MODEL-X, prompt direct, November 2026", "--licence", "the terms of MODEL-X apply")

    def learned(seed: int) -> tuple[float, Path]:
        student, made = tmp_path / f"student{seed}", tmp_path / f"my-metric{seed}"
        run(
            *("learn", "finetune", tmp_path / "judged.csv", "--human", "judge_score", "--against", against, *told),
            *("--student", encoder, "--epochs", 10, "--rate", 3e-3, "--batch", 8, "--seed", seed, "-o", student),
        )
        # 8 bits are too few for some of the random encoders of a few numbers, and the export refuses them then
        run("learn", "export", student, "--precision", "fp32", "--pairs", tmp_path / "judged.csv", "-o", made)
        return agreement(made, against, kept, capsys), made

    # one of a dozen runs from a random encoder of a few numbers learns little (.25 to .29, all others .54 to .88), and
    # which one depends on the processor: so the best of three counts
    best, made = max(learned(seed) for seed in (1, 2, 3))
    assert best > 0.5
    card = (made / "card.md").read_text("utf-8")
    assert "| whose scores are by | MODEL-X, prompt direct, November 2026 |" in card
    assert "## Licence\n\nthe terms of MODEL-X apply" in card
    assert f"farthing score hyp.txt {FLAGS[against]} " in card


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", (PROJECT / "docs" / page).read_text("utf-8"), re.DOTALL)


def test_the_walk_through_works_as_it_is_written(
    judged: Callable[[str], Path], encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command of the page runs, with a tiny encoder of two layers for the real one."""
    monkeypatch.chdir(tmp_path)
    rows = [json.loads(line) for line in judged("reference").read_text("utf-8").splitlines()]
    for name, some in (("judged.csv", rows[:90]), ("held-out.csv", rows[90:])):
        with Path(name).open("w", encoding="utf-8", newline="") as file:
            told = ([row["candidate"], row["reference"], row["score"]] for row in some)
            csv.writer(file).writerows([["output", "reference", "judge_score"], *told])
    Path("other.txt").rename("ref.txt")
    [recipe] = blocks("tutorials/judge-to-metric.md", "toml")
    Path("metric.toml").write_text(recipe.replace('"MODEL"', f'"{encoder}"').replace("depth = 8", "depth = 1"))
    scripts = blocks("tutorials/judge-to-metric.md", "bash")
    lines = [line for script in scripts for line in script.replace("\\\n", " ").splitlines()]
    assert len(lines) == 6
    for line in lines:
        run(*shlex.split(line.replace("--student MODEL ", f"--student {encoder} "))[1:])
    for made in ("my-metric", "my-cross-encoder"):
        card = Path(made, "card.md").read_text("utf-8")
        assert "MODEL-X, prompt direct, November 2026" in card
        assert "## Licence\n\nscores by MODEL-X; its terms apply" in card
