"""A metric in other people's pipelines: the same scores whatever the batches, in every form of batch."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pytest

import farthing
from farthing.core.errors import UsageError
from farthing.scale.scorer import Scorer

MT = [f"the {word} sat on the mat" for word in ("cat", "dog", "bird", "fish", "cow")]
REF = ["the cat sat on a mat", "a dog sat there", "the bird sat", "no fish", "the cow sat on the mat"]
EXPECTED = farthing.score(MT, REF, metric="chrf").segments


@pytest.mark.parametrize("form", [dict, pandas.DataFrame, pyarrow.table])
def test_every_form_of_batch_gets_a_column(form: Callable[..., object]) -> None:
    found = Scorer("chrf")(form({"mt": MT, "ref": REF}))
    column = found["chrf"]
    assert list(np.asarray(column)) == list(EXPECTED)
    assert list(found["mt"].to_pylist() if hasattr(found["mt"], "to_pylist") else found["mt"]) == MT


def test_columns_have_the_names_that_are_asked_for() -> None:
    scorer = Scorer("chrf", candidate="out", reference="gold", column="quality")
    assert scorer({"out": MT, "gold": REF})["quality"].tolist() == EXPECTED.tolist()
    assert scorer.scores(pandas.Series(MT), pandas.Series(REF)).tolist() == EXPECTED.tolist()
    assert len(scorer({"out": [], "gold": []})["quality"]) == 0


def test_it_is_pickled_without_its_model() -> None:
    content = pickle.dumps(Scorer("frugalscore(size=nano)", column="q"))
    assert len(content) < 1000
    assert pickle.loads(content)({"mt": MT, "ref": REF})["q"].shape == (5,)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of what torch imports
def test_metrics_that_would_depend_on_the_batch_are_refused(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="chooses a model by the texts"):
        Scorer("frugalscore")
    spec = f"bertscore(model={tiny_model('bert')}, layer=2, idf=true)"
    with pytest.raises(UsageError, match="must see the whole corpus first"):
        Scorer(spec)
    scorer = pickle.loads(pickle.dumps(Scorer(spec, state=Scorer.learn(spec, MT, REF))))
    whole = farthing.score(MT, REF, metric=spec).segments
    parts = [scorer({"mt": MT[a:b], "ref": REF[a:b]})["bertscore"] for a, b in ((0, 2), (2, 5))]
    assert np.concatenate(parts) == pytest.approx(whole, abs=1e-6)


def test_the_recipe_for_datasets() -> None:
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_dict({"mt": MT, "ref": REF})
    found = data.map(Scorer("chrf"), batched=True, batch_size=2)
    assert found["chrf"][:] == EXPECTED.tolist()
