"""A campaign of labelling from the first row to the file that `score --judgements` reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.files.write import write_table
from farthing.judge.labelling import Labelling
from farthing.judge.powered import powered_result
from farthing.scoring.score import choose, score


def test_rows_are_chosen_labelled_and_used(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    words = np.array(["one", "two", "three", "four", "five"])
    references = [[" ".join(random.choice(words, 7))] for _ in range(150)]
    texts = [" ".join("?" if random.random() < 0.3 else w for w in row[0].split()) for row in references]
    pairs = [Pairs(texts, references, system="a")]
    found = score(choose("chrf"), Given(pairs))
    first = Labelling.of(found, pairs, None)
    chosen = first.next(40)
    columns = dict(first.columns(chosen))
    assert len(columns["row"]) == pytest.approx(40, abs=1)
    assert {*columns["score"]} == {None}
    columns["score"] = [10.0 - str(text).count("?") for text in columns["candidate"]]
    path = str(tmp_path / "few.jsonl")
    write_table(path, columns)
    [mean] = powered_result(found, pairs, path).means
    truth = float(np.mean([10 - text.count("?") for text in texts]))
    assert mean.estimate.mean == pytest.approx(truth, abs=4 * mean.estimate.error)
    second = Labelling.of(found, pairs, path)
    more = second.next(20)
    told = second.told(more, 0.3, "more.jsonl")
    assert told[0].startswith("label next (system and rows): a ")
    assert "95 % interval of the mean" in told[1]
    assert "labels" in told[2]
    assert told[3] == "written to more.jsonl: fill in the column score"
    assert "more labels than there are rows" in second.told(more, 1e-9, None)[2]
    with pytest.raises(UsageError, match="needs some labels"):
        first.told(chosen, 0.3, None)
    with pytest.raises(UsageError, match="one metric"):
        Labelling.of(score(choose("chrf,bleu"), Given(pairs)), pairs, None)
