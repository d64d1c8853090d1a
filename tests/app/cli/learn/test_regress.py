"""`farthing learn regress`: options, and one sentence for data that cannot be learned from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

HEAD = "lp,src,mt,ref,score\n"
ROWS = [f"de-en,ein Haus {n},a house {n},one house {n},{n / 7}\n" for n in range(12)]


@pytest.fixture
def done(calls: Callable[..., SimpleNamespace]) -> SimpleNamespace:
    history = SimpleNamespace(is_main=True)
    facts = {"parameters": 1000, "trained_parameters": 10, "held_out": {"kendall": 0.5}}
    return calls("farthing.learn.regress.regress.regress", SimpleNamespace(facts=facts, history=history))


def write(path: Path, rows: list[str], head: str = HEAD) -> Path:
    path.write_text(head + "".join(rows), encoding="utf-8")
    return path


def test_options_and_the_line_at_the_end(
    tmp_path: Path, learn: Callable[..., None], done: SimpleNamespace, capfd: pytest.CaptureFixture[str]
) -> None:
    data = write(tmp_path / "human.csv", ROWS)
    learn(
        *("regress", data, "--encoder", "minilm", "--inputs", "source", "--hidden", "64,32", "--adapter", "ia3"),
        *("--augment", "--rate", "1.5e-5", "--encoder-rate", "1e-6", "--licence", "MIT", "-o", "out"),
    )
    [((encoder, sets, target, shape, settings, plan), options)] = done.given
    assert (encoder, str(target), shape.inputs, shape.hidden) == ("minilm", "out", ("source",), (64, 32))
    assert (settings.rate, settings.encoder_rate) == (1.5e-5, 1e-6)
    assert (plan.augment, plan.adapter, plan.facts) == (True, "ia3", {"licence": "MIT"})
    assert sets[0].sources[0] == "ein Haus 0"
    assert sets[0].scores[5] == 5 / 7
    assert options["validation"] == []
    assert "out: 10 of 1,000 parameters learned; Kendall on held-out rows: kendall 0.5000" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("head", "rows", "message"),
    [
        ("lp,mt,ref,score\n", ["de-en,a,b,1\n"] * 5, "no row has a candidate and a reference and a source"),
        (HEAD, [row.replace(row.rsplit(",", 1)[1], "0.5\n") for row in ROWS], "all human scores are the same (0.5)"),
        (HEAD, [f"de-en,a{n},b{n},c{n},nan\n" for n in range(5)], "the column 'score' has no score in it"),
        ("lp,src,mt,ref\n", [f"de-en,a{n},b{n},c{n}\n" for n in range(5)], "there is no column of human scores"),
        (HEAD, [f"de-en,a{n},,c{n},1\n" for n in range(5)], "no row can be used: its candidate is empty"),
    ],
)
def test_bad_data_is_one_sentence(
    head: str,
    rows: list[str],
    message: str,
    tmp_path: Path,
    learn: Callable[..., None],
    done: SimpleNamespace,
    capfd: pytest.CaptureFixture[str],
) -> None:
    data = write(tmp_path / "human.csv", rows, head)
    learn("regress", data, "--encoder", "minilm", code=2)
    said = capfd.readouterr().err.strip().splitlines()
    assert message in said[-1]
    assert not done.given


def test_single_bad_rows_are_left_out_and_named(
    tmp_path: Path, learn: Callable[..., None], done: SimpleNamespace, capfd: pytest.CaptureFixture[str]
) -> None:
    bad = ["de-en,x,y,z,nan\n", "de-en,x,,z,1\n", "de-en, ,y,z,1\n"]
    data = write(tmp_path / "human.csv", [*ROWS, *bad])
    learn("regress", data, "--encoder", "minilm")
    [((_, sets, *_), _)] = done.given
    assert len(sets[0]) == len(ROWS)
    said = capfd.readouterr().err
    for reason in ("it has no score", "its candidate is empty", "its source is empty"):
        assert f"left out: {reason}" in said


def test_wrong_widths_are_told(
    tmp_path: Path, learn: Callable[..., None], done: SimpleNamespace, capfd: pytest.CaptureFixture[str]
) -> None:
    data = write(tmp_path / "human.csv", ROWS)
    learn("regress", data, "--encoder", "minilm", "--hidden", "a,b", code=2)
    assert "--hidden a,b is not a list of whole numbers above 0" in capfd.readouterr().err
