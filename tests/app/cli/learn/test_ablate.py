"""`farthing learn ablate`: options in, a table out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from farthing.learn.study.ablate import Ablation


def test_judgements_and_the_table(
    judgements: Path,
    learn: Callable[..., None],
    calls: Callable[..., SimpleNamespace],
    capfd: pytest.CaptureFixture[str],
) -> None:
    runs = [Ablation("", 9, 0.5, 0.9), Ablation("news", 9, 0.4, 0.9)]
    done = calls("farthing.learn.study.ablate.ablate", runs)
    learn("ablate", "scored.parquet", "--judgements", judgements, "--judgements", judgements, "--size", 9, "--batch", 8)
    [((pairs, output, start, settings), options)] = done.given
    assert (str(pairs), str(output), start.name) == ("scored.parquet", "ablation", "2x128")
    assert (settings.batch, len(options["human"]), options["size"]) == (8, 2, 9)
    printed = capfd.readouterr().out
    assert "news" in printed
    assert "-20.00" in printed
