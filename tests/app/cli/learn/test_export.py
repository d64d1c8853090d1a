"""`farthing learn export`: judgements are a file, human is a column."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest


def test_judgements_and_the_line_at_the_end(
    judgements: Path,
    learn: Callable[..., None],
    calls: Callable[..., SimpleNamespace],
    capfd: pytest.CaptureFixture[str],
) -> None:
    answer = SimpleNamespace(difference=1e-6, pearson=0.99999, speed=1234.0)
    done = calls("farthing.learn.cross.export.export.export", answer)
    learn(
        *("export", "student", "--precision", "fp16", "--judgements", judgements, "--human", "fluency"),
        *("--groups", "*-en", "--licence", "MIT", "-o", "out"),
    )
    [(arguments, options)] = done.given
    assert [str(one) for one in arguments] == ["student", "out"]
    assert options["human"].scores.tolist() == [0, -2, -4]
    assert (options["precision"], options["licence"]) == ("fp16", "MIT")
    assert "largest difference to torch 1e-06, Pearson 0.99999, 1234 pairs per second" in capfd.readouterr().err
    learn("export", "student")
    assert done.given[1][1]["human"] is None
    assert done.given[1][1]["licence"] is None
