"""Measure a metric for the card of a student: agreement with people, paraphrases, damage, and pairs that are hard.

`data` is a folder of human judgements, one file `NAME.jsonl.gz` per set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import InputError
from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.learn.pairs.sentences import replace_words
from farthing.meta.roc import area_under_curve
from farthing.students.card import ABOVE, Failure, Quality
from farthing.students.head import BEND
from farthing.text.perturb import drop_words, repeat_words, swap_neighbours

BENT = BEND * np.log(2)  # points by which a student's scale puts every other text below the equal one, however good
DAMAGED = 2000  # references that are damaged
SHOWN = 10  # failures in a card
WMT16 = "wmt16_da_seg"
# name of the task: file, dimension of the human scores, the rows that are meant
TASKS: Mapping[str, tuple[str, str, dict[str, str]]] = {
    "STS-B": ("stsb_en", "", {"split": "test"}),
    "newsroom": ("sum_newsroom", "relevance", {}),
    "dialsummeval": ("sum_dialsummeval", "relevance", {}),
    "sfhot": ("d2t_sfhot", "informativeness", {}),
    "sfres": ("d2t_sfres", "informativeness", {}),
}
SUMMARIES = ("newsroom", "dialsummeval")  # of these people judged several dimensions
# What people would mark low (or high) and why; the sentences are our own.
HARD = (
    ("The bank did not approve the loan.", "The bank approved the loan.", "a negation", False),
    ("The flight to Oslo leaves at 6:45.", "The flight to Oslo leaves at 6:15.", "another time", False),
    ("The dog chased the cat across the yard.", "The cat chased the dog across the yard.", "roles exchanged", False),
    ("House prices rose sharply in March.", "House prices fell sharply in March.", "an opposite", False),
    ("Maria lent Anna the money.", "Anna lent Maria the money.", "names exchanged", False),
    ("He may have stolen the painting.", "He stole the painting.", "a suspicion is not a fact", False),
    ("The old man kicked the bucket last winter.", "The old man died last winter.", "an idiom", True),
    ("The repair cost an arm and a leg.", "The repair was very expensive.", "an idiom", True),
    ("The UN convened on Monday.", "The United Nations met on Monday.", "a short form and a synonym", True),
    ("The village is five thousand metres away.", "The village is 5 km away.", "another unit", True),
    ("Her boss gave her a promotion.", "She was promoted by her boss.", "another construction", True),
    ("Nobody failed the exam.", "Everyone passed the exam.", "two negations", True),
)


@dataclass(frozen=True, slots=True)
class HumanSet:
    """Pairs with people's scores, and the group (language pair) of each, if there are groups."""

    pairs: Pairs
    human: Segments
    groups: list[str]

    @classmethod
    def read(cls, data: Path, name: str, dimension: str = "", **wanted: str) -> HumanSet:
        """Read the rows of a file whose columns have the wanted values; repeated judgements stay apart."""
        rows = [row for _, row in records(str(data / f"{name}.jsonl.gz"))]
        rows = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
        if not rows:
            raise InputError("there is no row that is wanted", path=f"{name}.jsonl.gz")
        human = [row["scores"][dimension] if dimension else row["score"] for row in rows]
        pairs = Pairs.of([row["candidate"] for row in rows], [row["reference"] for row in rows])
        return cls(pairs, np.array(human, dtype=float), [str(row.get("lp", "")) for row in rows])

    def to_english(self) -> HumanSet:
        """Return the rows of language pairs that end in English."""
        rows = [row for row, group in enumerate(self.groups) if group.endswith("-en")]
        pairs = Pairs([self.pairs.candidates[row] for row in rows], [self.pairs.references[row] for row in rows])
        return HumanSet(pairs, self.human[rows], [self.groups[row] for row in rows])


def segment_scores(metric: Metric, pairs: Pairs) -> Segments:
    """Score pairs, one number per pair."""
    return cast(Segments, metric.score(pairs).segments)


def wmt16(data: Path, metric: Metric) -> dict[str, float]:
    """Correlate with the judgements of WMT16 to-English: segment Pearson per language pair, then the mean."""
    rows = HumanSet.read(data, WMT16).to_english()
    scores, groups = segment_scores(metric, rows.pairs), np.array(rows.groups)
    return _with_mean(
        {pair: _pearson(scores[groups == pair], rows.human[groups == pair]) for pair in sorted({*groups})}
    )


def typical(data: Path, metric: Metric) -> list[float]:
    """Return the mean and the quartiles of the scores of WMT16's systems."""
    scores = segment_scores(metric, HumanSet.read(data, WMT16).to_english().pairs)
    return [float(scores.mean()), *map(float, np.quantile(scores, [0.25, 0.75]))]


def tasks(data: Path, metric: Metric) -> dict[str, float]:
    """Correlate with the judgements of other tasks: segment Pearson per task, then the mean."""
    sets = {task: HumanSet.read(data, name, dimension, **some) for task, (name, dimension, some) in TASKS.items()}
    return _with_mean({task: _pearson(segment_scores(metric, rows.pairs), rows.human) for task, rows in sets.items()})


def summaries(data: Path, metric: Metric) -> dict[str, float]:
    """Correlate with the mean of all dimensions that people judged of summaries: segment Pearson, then the mean."""
    sets = {task: HumanSet.read(data, TASKS[task][0]) for task in SUMMARIES}
    return _with_mean({task: _pearson(segment_scores(metric, rows.pairs), rows.human) for task, rows in sets.items()})


def paws(data: Path, metric: Metric) -> float:
    """Return the share of pairs of a paraphrase and a non-paraphrase that the metric puts in the right order."""
    rows = HumanSet.read(data, "pawsx", lang="en")
    return area_under_curve(rows.human, segment_scores(metric, rows.pairs)).value


def teacher_agreement(data: Path, metric: Metric, teacher: Metric) -> float:
    """Correlate with the scores of a teacher on WMT16 to-English."""
    pairs = HumanSet.read(data, WMT16).to_english().pairs
    return _pearson(segment_scores(metric, pairs), segment_scores(teacher, pairs))


def damage(data: Path, metric: Metric, count: int = DAMAGED) -> dict[str, float]:
    """Return the shares of damaged texts that score below the equal text (by more than the scale's bend).

    Under :data:`~farthing.students.card.ABOVE` it says how many score above the equal text.
    """
    references = (row[0] for row in HumanSet.read(data, WMT16).to_english().pairs.references)
    texts = list(dict.fromkeys(references))[:count]
    pool, random = [word for text in texts for word in text.split()], np.random.default_rng(1)
    changes: dict[str, Callable[[str], str | None]] = {
        "drop": lambda text: drop_words(text, random),
        "swap": lambda text: swap_neighbours(text, random),
        "repeat": lambda text: repeat_words(text, random),
        "replace": lambda text: replace_words(text, random, pool),
    }
    found = {name: _lowered(metric, texts, change) for name, change in changes.items()}
    shares = {name: share for name, (share, _) in found.items()}
    return {**shares, ABOVE: sum(above for _, above in found.values())}


def _lowered(metric: Metric, texts: Iterable[str], change: Callable[[str], str | None]) -> tuple[float, int]:
    """Return the share of changed texts below the equal text, and how many are above it."""
    pairs = [(changed, text) for text in texts if (changed := change(text)) is not None and changed != text]
    originals = [text for _, text in pairs]
    scores = segment_scores(metric, Pairs.of([changed for changed, _ in pairs], originals))
    equal = segment_scores(metric, Pairs.of(originals, originals))
    return float((scores < equal - BENT).mean()), int((scores > equal).sum())


def failures(metric: Metric, count: int = SHOWN) -> list[Failure]:
    """Return the pairs of :data:`HARD` that a student judges worst, on its scale of 0 to 100."""
    scores = segment_scores(metric, Pairs.of([row[0] for row in HARD], [row[1] for row in HARD]))
    judged = [
        Failure(candidate=candidate, reference=reference, why=why, same=same, score=float(score))
        for (candidate, reference, why, same), score in zip(HARD, scores, strict=True)
    ]
    return sorted(judged, key=lambda one: one["score"] if one["same"] else 100 - one["score"])[:count]


def measure_quality(
    data: Path, metric: Metric, teachers: Mapping[str, Metric], questions: Sequence[str] = ()
) -> Quality:
    """Measure everything that a card tells of a metric.

    :param teachers: metrics, by name, whose agreement with this one is told
    :param questions: the fields of :class:`Quality` to fill, by default all
    """
    asked: dict[str, Callable[[], object]] = {
        "wmt16": lambda: wmt16(data, metric),
        "typical": lambda: typical(data, metric),
        "tasks": lambda: tasks(data, metric),
        "summaries": lambda: summaries(data, metric),
        "paws": lambda: paws(data, metric),
        "damage": lambda: damage(data, metric),
        "agreement": lambda: {name: teacher_agreement(data, metric, teacher) for name, teacher in teachers.items()},
    }
    return cast(Quality, {name: ask() for name, ask in asked.items() if not questions or name in questions})


def _pearson(scores: Segments, human: Segments) -> float:
    return float(np.corrcoef(scores, human)[0, 1])


def _with_mean(values: Mapping[str, float]) -> dict[str, float]:
    return {**values, "mean": float(np.mean(list(values.values())))}
