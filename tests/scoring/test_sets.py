"""Set metrics in the flow: together, beside metrics of pairs, and from other packages."""

from __future__ import annotations

import numpy as np

import farthing
from farthing.core.metric import SetMetric
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Scores, Sets
from farthing.scoring.sets import score_sets


class Ratio(SetMetric):
    """How many samples were generated for each of the corpus."""

    about = MetricInfo("ratio", "for this test", "none", (0, None), level="set")

    def score_sets(self, sets: Sets) -> Scores:
        return Scores(len(sets.generated) / len(sets.corpus), None, Signature("ratio"), system=sets.system)


def test_every_metric_scores_every_system() -> None:
    random = np.random.default_rng(1)
    corpus = random.normal(size=(30, 3))
    systems = [Sets(random.normal(size=(count, 3)), corpus, str(count)) for count in (15, 60)]
    metrics = {"impar": farthing.load("impar"), "ratio": Ratio(), "impar(k=1)": farthing.load("impar(k=1)")}
    found = score_sets(metrics, systems, intervals=False, seed=1)  # type: ignore[arg-type]
    assert [scores.corpus for scores in found["ratio"]] == [0.5, 2.0]
    for spec in ("impar", "impar(k=1)"):
        alone = [farthing.load(spec).score_sets(sets).corpus for sets in systems]  # type: ignore[union-attr]
        assert [scores.corpus for scores in found[spec]] == alone
