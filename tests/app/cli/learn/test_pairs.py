"""`farthing learn pairs` as a user types it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.learn.data.store import read_pairs


def test_pairs_by_recipe_and_by_options(
    tmp_path: Path, learn: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:
    corpus, output = tmp_path / "corpus.txt", tmp_path / "pairs.parquet"
    corpus.write_text("".join(f"sentence number {n} of this corpus\n" for n in range(40)))
    learn("pairs", "--corpus", corpus, "--mix", "random,perturbation=3", "--size", 40, "--seed", 2, "-o", output)
    assert f"40 pairs in {output}" in capfd.readouterr().err
    first = read_pairs(output)
    assert [list(first.columns["source"]).count(name) for name in ("random", "perturbation")] == [10, 30]
    (tmp_path / "r.toml").write_text('[sources.random]\ncorpus = "corpus.txt"\n')
    learn("pairs", tmp_path / "r.toml", "--size", 30, "-o", output)
    assert "note: random had only 20 usable pairs of the 30 that were wanted" in capfd.readouterr().err
    assert len(read_pairs(output)) == 20
    learn("pairs", "--corpus", corpus, "--mix", "perturbation", "--set", "perturbation.most_changes=0", code=2)
    assert "most_changes must be at least 1" in capfd.readouterr().err
