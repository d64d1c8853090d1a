"""Several values of an option."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.specs import parse_specs
from farthing.meta.judgements import Judgements
from farthing.meta.over import Over, spread_specs, with_best
from farthing.meta.question import Question
from farthing.meta.read.human import judgements_of
from farthing.meta.scored import Scored
from farthing.meta.study import study


def test_every_metric_with_the_option_has_one_variant_per_value() -> None:
    specs = parse_specs("markevaluate(part=petersen),fid,impar(k=7)")
    found = spread_specs(specs, Over.of("k=1,2"))
    assert [str(spec) for spec in found] == [
        "markevaluate(k=1, part=petersen)", "markevaluate(k=2, part=petersen)", "fid", "impar(k=7)",
    ]  # fmt: skip
    assert spread_specs(specs, None) == specs
    assert Over.of("idf=true,false").values == (True, False)


def test_mistakes_are_sentences() -> None:
    with pytest.raises(UsageError, match="--over k is not of the form option=value,value"):
        Over.of("k")
    with pytest.raises(UsageError, match="none of the metrics has an option 'k'"):
        spread_specs(parse_specs("bleu"), Over.of("k=1,2"))


@pytest.fixture
def four_outputs() -> Judgements:
    rows = [{"candidate": f"c{n}", "reference": f"r{n}", "score": n} for n in range(4)]
    return judgements_of(enumerate(rows, start=1), "human.jsonl")


def test_the_best_value_is_named_by_its_absolute_agreement(four_outputs: Judgements) -> None:
    values = {"impar(k=1)": [1, 3, 2, 4], "impar(k=2)": [4.0, 3.0, 2.0, 1.0], "impar(k=3)": [1, 4, 2, 3]}
    metrics = [Scored(name, np.array(scores, dtype=float)) for name, scores in values.items()]
    found = study(four_outputs, metrics, Question())
    noted = with_best(found, parse_specs("impar"), Over.of("k=1,2,3"))
    assert [note.message for note in noted.notes] == [
        "impar with k=2: -1.000; it was chosen on these data, so it is too good for others"
    ]
