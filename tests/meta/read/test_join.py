"""Human scores in a table of their own, joined to outputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.meta.read.human import judgements_of
from farthing.meta.read.join import join_scores


def test_scores_from_a_table_of_their_own(tmp_path: Path, outputs: list[tuple[int, dict[str, object]]]) -> None:
    table = tmp_path / "da.tsv"
    table.write_text("lp\tsystem\tsegment\tz\nde-en\tA\t1\t0.5\nde-en\tA\t1\t1.5\ncs-en\tB\t2\t-1\n")
    found = join_scores(judgements_of(outputs), str(table))
    scores = dict(zip(zip(found.groups, found.texts.candidates, strict=True), found.judged("z").tolist(), strict=True))
    assert (scores["de-en", "A1"], scores["cs-en", "B2"]) == (1.0, -1.0)
    assert np.isnan(scores["cs-en", "A1"])
    assert "6 outputs have no score" in str(found.notes[0])


def test_scores_of_whole_systems(tmp_path: Path, outputs: list[tuple[int, dict[str, object]]]) -> None:
    table = tmp_path / "sys.tsv"
    table.write_text("year\tlp\tsystem\tscore\nWMT\tde-en\tA\t0.5\nWMT\tcs-en\tB\t0.1\n")
    found = join_scores(judgements_of(outputs), str(table))
    assert found.system_scores["score"]["de-en", "A"] == 0.5
    assert np.isnan(found.system_scores["score"]["cs-en", "A"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lp\tscore\nde-en\t1\n", "no column of systems"),
        ("system\tlp\tfame\nA\tde-en\t1\n", "no column of scores"),
        ("system\tlp\tscore\nX\tde-en\t1\n", "no row fits"),
    ],
)
def test_tables_that_cannot_be_joined(
    tmp_path: Path, text: str, words: str, outputs: list[tuple[int, dict[str, object]]]
) -> None:
    (tmp_path / "t.tsv").write_text(text)
    with pytest.raises(InputError, match=words):
        join_scores(judgements_of(outputs), str(tmp_path / "t.tsv"))
