"""Set metrics on judged outputs: each system's outputs are one set, the references of its group are the corpus."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farthing.core.metric import SetMetric
from farthing.core.progress import Progress, no_bar, silent, watched
from farthing.core.registry import METRICS, load
from farthing.core.specs import Spec
from farthing.core.types import Scores, Sets
from farthing.meta.judgements import Grid, Judgements
from farthing.meta.scored import Scored
from farthing.metrics.sets.base import SEED
from farthing.scoring.sets import score_sets


def judges_sets(spec: Spec) -> bool:
    """Tell whether a metric judges whole sets."""
    return issubclass(METRICS.get(spec.name), SetMetric)


def score_judged_sets(judgements: Judgements, specs: Sequence[Spec], progress: Progress = silent) -> dict[Spec, Scored]:
    """Judge every system's outputs as a set; metrics that compare the same samples share their encoding.

    The scores are of whole systems, for studies of that level; there are none of single outputs.
    """
    metrics = {str(spec): metric for spec in specs if isinstance(metric := load(spec), SetMetric)}
    wholes: dict[str, dict[tuple[str, str], float]] = {name: {} for name in metrics}
    signatures: dict[str, list[str]] = {name: [] for name in metrics}
    for grid in judgements.grids():
        systems = _sets(judgements, grid)
        found = score_sets(metrics, systems, intervals=False, seed=SEED, bar=watched() or no_bar)
        for name, row in found.items():
            wholes[name] |= {(grid.group, scores.system): scores.corpus for scores in row}
            signatures[name] += _signatures(row)
        progress(int((grid.rows >= 0).sum()) * len(specs))
    return {
        spec: Scored(
            str(spec),
            np.full(len(judgements), np.nan),
            metrics[str(spec)].info.higher_is_better,
            "\n".join(dict.fromkeys(signatures[str(spec)])),
            whole=wholes[str(spec)],
        )
        for spec in specs
    }


def _sets(judgements: Judgements, grid: Grid) -> list[Sets]:
    """Return one set per system; all are compared with the same corpus, each reference of an item once."""
    texts = judgements.texts
    first = [column[column >= 0][0] for column in grid.rows.T]
    corpus = [text for row in first for text in texts.references[row]]
    outputs = ([texts.candidates[row] for row in line[line >= 0]] for line in grid.rows)
    return [Sets(candidates, corpus, system) for system, candidates in zip(grid.systems, outputs, strict=True)]


def _signatures(row: Sequence[Scores]) -> list[str]:
    return [str(scores.signature) for scores in row]
