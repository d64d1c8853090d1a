"""`farthing learn annotate` as a user types it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sacrebleu.metrics import CHRF

from farthing.learn.data.store import PairTable, read_pairs, write_pairs


def test_a_weighted_teacher(
    tmp_path: Path, learn: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    source, target = tmp_path / "pairs.parquet", tmp_path / "scored.parquet"
    texts = ["the cat sat on a mat", "the dog lay on a rug", "no rain fell today"]
    write_pairs(source, PairTable({"candidate": texts, "reference": texts[1:] + texts[:1]}))
    learn("annotate", source, "--teacher", "2*chrf + 2*chrf(word_order=2)", "-o", target)
    table = read_pairs(target, scored=True)
    wanted = [
        (CHRF().sentence_score(one, [two]).score + CHRF(word_order=2).sentence_score(one, [two]).score) / 2
        for one, two in zip(table.candidates, table.references, strict=True)
    ]
    assert table.scores == pytest.approx(wanted)
    assert f"3 pairs in {target}: mean {table.scores.mean():.4f}" in capfd.readouterr().err
    learn("annotate", source, "--teacher", "chrf", "--source", "src", code=2)
    assert "no column 'src' (there are: candidate, reference)" in capfd.readouterr().err
