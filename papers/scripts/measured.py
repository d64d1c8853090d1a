"""What the scripts on efficiency share: judged rows into English, CPU time, and agreement with people."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import farthing
from farthing.meta import Judgements, correlate, read_judgements


def rows_into_english(path: str, count: int) -> Judgements:
    """Return the first rows of every language pair into English."""
    data = read_judgements(path)
    english = data.only([group for group in data.group_names if group.endswith("-en")])
    seen: dict[str, int] = {}
    kept = []
    for row, group in enumerate(english.groups):
        seen[group] = seen.get(group, 0) + 1
        if seen[group] <= count:
            kept.append(row)
    return english.taking(kept)


def loaded(name: str, model: str, device: str, **options: object) -> farthing.Metric:
    """Load a metric over an encoder."""
    metric = farthing.load(name, model=model, device=device, **options)
    assert isinstance(metric, farthing.Metric)
    return metric


def timed(metric: farthing.Metric, pairs: farthing.Pairs) -> tuple[np.ndarray, float]:
    """Return the scores so that higher is better, and the CPU seconds they took."""
    began = time.process_time()
    segments = np.asarray(metric.score(pairs).segments)
    seconds = time.process_time() - began
    return (segments if metric.info.higher_is_better else -segments), seconds


def agreement(data: Judgements, scores: np.ndarray) -> float:
    """Return Pearson's correlation with people, the mean over the language pairs."""
    people, groups = data.judged(), np.array(data.groups)
    rows = [groups == group for group in data.group_names]
    return float(np.mean([correlate(people[row], scores[row], "pearson").value for row in rows]))


def short(model: str) -> str:
    """Return the last part of a folder's name."""
    return Path(model).name
