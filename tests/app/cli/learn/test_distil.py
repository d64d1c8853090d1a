"""`farthing learn distil`: what the options become, and what is printed."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest


def test_options_and_the_line_at_the_end(
    learn: Callable[..., None], calls: Callable[..., SimpleNamespace], capfd: pytest.CaptureFixture[str]
) -> None:
    history = SimpleNamespace(last={"pearson": 0.9, "spearman": 0.8}, is_main=True)
    done = calls("farthing.learn.cross.distil.distil", SimpleNamespace(history=history, facts={"parameters": 4400}))
    learn(
        *("distil", "scored.parquet", "--student", "4x256", "--depth", 2, "--epochs", 0.5, "--rate", 1e-3),
        *("--warmup", 0.2, "--checks", 4, "--patience", 3, "--held-out", 0.1, "--standardise", "-o", "out"),
        *("--against", "source", "--scored-by", "GPT-X", "--licence", "MIT"),
    )
    [((pairs, output, start, settings), options)] = done.given
    assert (str(pairs), str(output), start.name) == ("scored.parquet", "out", "4x256")
    assert (settings.epochs, settings.rate, settings.checks, settings.patience) == (0.5, 1e-3, 4, 3)
    assert settings.standardise
    assert options["held"] == 0.1
    assert options["columns"].reference == ("source",)
    assert options["facts"] == {"teacher": "GPT-X", "licence": "MIT", "against": "source"}
    assert "out: 4,400 parameters, held-out Pearson 0.9000, Spearman 0.8000" in capfd.readouterr().err


@pytest.mark.parametrize("gone", ["--mode", "--layers"])
def test_options_that_were_renamed_are_unknown(
    gone: str, learn: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:
    learn("distil", "scored.parquet", gone, "2", code=2)
    assert f"unknown option of farthing learn distil '{gone}'" in capfd.readouterr().err
