"""A metric as a step of somebody else's pipeline: batches of rows in, the same batches with a column of scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from farthing.core.columns import Columns
from farthing.core.errors import UsageError
from farthing.core.metric import State
from farthing.core.registry import DEFAULT, load_pairs_metric
from farthing.core.texts import Texts, TextTable
from farthing.core.types import Pairs
from farthing.scoring.engine import Ready, score_stretch

if TYPE_CHECKING:
    from farthing.core.arrays import Segments

Batch = TypeVar("Batch", bound=TextTable)
_PROBE = Pairs(["a text"], [["a text"]], ["a text"])


class Scorer(Generic[Batch]):
    """Scores batches of rows; it may be pickled, and every process that gets it loads the metric once.

    The score of a row does not depend on the rest of its batch. So metrics that must see the whole corpus first, such
    as BERTScore with idf, need what they learned of it, `state`; and a metric that chooses its model by the texts needs
    to be told which one.

    :param metric: the spec of a metric that gives one score per row
    :param candidate: the column of the candidates, and so on; by default the usual names are looked for
    :param column: the column of the scores, which is added; by default the name of the metric
    :param state: what :meth:`learn` returned

    >>> Scorer("chrf")({"mt": ["a cat", "a dog"], "ref": ["a cat", "a log"]})["chrf"].round(1).tolist()
    [100.0, 27.1]
    """

    def __init__(
        self,
        metric: str = f"{DEFAULT}(size=small)",
        *,
        candidate: str | None = None,
        reference: str | Sequence[str] = (),
        source: str | None = None,
        column: str | None = None,
        state: State | None = None,
    ) -> None:
        references = (reference,) if isinstance(reference, str) else tuple(reference)
        self.columns = Columns(candidate, references, source)
        self.spec, self.state = metric, state
        self._ready = Ready.rebuilt(metric, state)
        self.column = column or self._ready.metric.info.name
        self._check()

    def _check(self) -> None:
        """Raise an error for a metric whose scores would depend on the batch."""
        from farthing.metrics.frugalscore import FrugalScore

        metric = self._ready.metric
        if isinstance(metric, FrugalScore):
            if metric.undecided:
                raise UsageError(
                    f"{self.spec} chooses a model by the texts, of which a batch is only a part: name one, such as "
                    "frugalscore(size=small)"
                )
        elif self.state is None and metric.prepare([[_PROBE]]) is not None:
            raise UsageError(f"{self.spec} must see the whole corpus first: Scorer(…, state=Scorer.learn(…))")
        if metric.needs_all_rows:
            raise UsageError(f"{self.spec} needs the scores of all rows to score one: use farthing.score")

    @staticmethod
    def learn(metric: str, candidates: Texts, references: Texts | TextTable, sources: Texts | None = None) -> State:
        """Return what a metric learns of a corpus, as values that JSON can hold."""
        pairs = Pairs.of(candidates, references, sources)
        return load_pairs_metric(metric).prepare([[pairs]]) or {}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the options, not the model."""
        options = {
            "candidate": self.columns.candidate,
            "reference": self.columns.reference,
            "source": self.columns.source,
            "column": self.column,
            "state": self.state,
        }
        return _scorer, (self.spec, options)

    def scores(
        self, candidates: Texts, references: Texts | TextTable | None = None, sources: Texts | None = None
    ) -> Segments:
        """Score columns of texts, such as pandas' series in a function for Spark."""
        return self._scored(Pairs.of(candidates, references, sources))

    def __call__(self, batch: Batch) -> Batch:
        """Return a batch with the column of scores: a dict of columns, a pandas frame, or an Arrow table."""
        return _with_column(batch, self.column, self._scored(Pairs.of(batch, columns=self.columns)))

    def _scored(self, pairs: Pairs) -> Segments:
        if not len(pairs):
            return np.empty(0)
        [[scores]] = score_stretch([self._ready.metric], [pairs])
        return np.asarray(scores.segments, dtype=np.float64)


def _scorer(spec: str, options: Mapping[str, object]) -> Scorer[TextTable]:
    return Scorer(spec, **options)  # type: ignore[arg-type]


def _with_column(batch: Batch, name: str, values: Segments) -> Batch:
    if hasattr(batch, "append_column"):  # Arrow
        import pyarrow

        return batch.append_column(name, pyarrow.array(values))  # type: ignore[no-any-return]
    if hasattr(batch, "assign"):  # pandas
        return batch.assign(**{name: values})  # type: ignore[no-any-return]
    return {**batch, name: values}  # type: ignore[return-value]
