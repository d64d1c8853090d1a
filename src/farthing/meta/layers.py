"""Which layer of an encoder agrees best with people? Compares BERTScore's F1 at every layer with human scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.errors import UsageError
from farthing.meta.coefficients import pearson
from farthing.meta.judgements import Judgements
from farthing.tables.grid import NumberTable

if TYPE_CHECKING:
    from farthing.metrics.bertscore.bertscore import BertScore


@dataclass(frozen=True, slots=True)
class LayerTable:
    """Pearson's r of F1 with human scores, layers x groups."""

    model: str
    layers: tuple[int, ...]
    groups: tuple[str, ...]
    values: np.ndarray

    @property
    def means(self) -> np.ndarray:
        """The mean over the groups, one per layer."""
        return np.asarray(self.values.mean(axis=1))

    @property
    def best(self) -> int:
        """The layer with the highest mean; of equal layers the lowest, which is the cheapest."""
        return self.layers[int(self.means.argmax())]

    def table(self, *, named: bool = False) -> NumberTable:
        """Return the table that the command prints.

        :param named: name the model in the head, as several tables need it
        """
        rows = [
            (str(layer), [*line, float(np.mean(line))])
            for layer, line in zip(self.layers, self.values.tolist(), strict=True)
        ]
        place = self.layers.index(self.best)
        note = f"{self.model}: layer {self.best} is best; use bertscore(model={self.model}, layer={self.best})"
        corner = f"layer of {self.model.rstrip('/').rpartition('/')[2]}" if named else "layer"
        return NumberTable(corner, [*self.groups, "mean"], rows, frozenset([(place, len(self.groups))]), [note])


def tune_layer(metric: BertScore, judgements: Judgements, column: str | None = None) -> LayerTable:
    """Score every pair at every layer, and correlate the scores of each group with its human scores.

    :param metric: a BERTScore with `layer="all"`
    """
    human = judgements.judged(column)
    scores = metric.score(judgements.texts)
    by_layer = np.asarray(scores.parts["layers_f1"])
    groups = judgements.group_names
    columns = [_correlations(group, judgements, human, by_layer) for group in groups]
    return LayerTable(metric.model_name, metric.layers, tuple(groups), np.stack(columns, axis=1))


def _correlations(group: str, judgements: Judgements, human: np.ndarray, by_layer: np.ndarray) -> np.ndarray:
    rows = np.flatnonzero((np.array(judgements.groups) == group) & ~np.isnan(human))
    if len(rows) < 2 or np.ptp(human[rows]) == 0:
        raise UsageError(f"{judgements.path}: the human scores of {group} are fewer than two or all equal")
    values = by_layer[:, rows]
    return np.asarray(np.nan_to_num(pearson(np.broadcast_to(human[rows], values.shape), values), nan=0.0))
