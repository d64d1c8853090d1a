"""Measure a metric in many languages: how well it agrees with people, with a reference or without one.

`data` is a folder of human judgements, one file `NAME.jsonl.gz` per set. A question compares a metric with one such set
and has one answer per language or language pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import InputError
from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.learn.study.measure import segment_scores
from farthing.meta.correlation import correlate
from farthing.meta.pairwise import count_pairs
from farthing.meta.roc import area_under_curve
from farthing.meta.significance import Difference, bootstrap

Coefficient: TypeAlias = Literal["pearson", "spearman", "area", "kendall"]
RESAMPLES = 2000  # bootstrap samples of segments
XNLI = "xnli_parallel15"


@dataclass(frozen=True, slots=True)
class LanguageQuestion:
    """What is compared with people, and where.

    :param by: the column that says which group a row belongs to: `lp` (language pair) or `lang`
    :param coefficient: Pearson, Spearman, the area under the ROC curve, or Kendall's tau-b between the systems of one
        segment (mean over segments)
    :param sourced: True for metrics that compare a candidate with its source, False for those that need a reference
    :param split: the rows that are meant; all if there is only one split
    """

    file: str
    by: Literal["lp", "lang"]
    groups: tuple[str, ...]
    coefficient: Coefficient
    sourced: bool = False
    split: str = ""


_TO_ENGLISH = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
_STSB = ("de", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh")
_PAWSX = ("de", "en", "es", "fr", "ja", "ko", "zh")
_MQM21 = ("en-de", "en-ru", "zh-en")
_MLQE = ("en-de", "en-zh", "et-en", "ne-en", "ro-en", "ru-en", "si-en")
_INDIC = ("en-gu", "en-hi", "en-ta", "en-te")
QUESTIONS: Mapping[str, LanguageQuestion] = {
    "wmt16_to_russian": LanguageQuestion("wmt16_da_seg", "lp", ("en-ru",), "pearson"),
    "wmt16_to_english": LanguageQuestion("wmt16_da_seg", "lp", _TO_ENGLISH, "pearson"),
    "stsb": LanguageQuestion("stsb_multi", "lang", _STSB, "spearman", split="test"),
    "pawsx": LanguageQuestion("pawsx", "lang", _PAWSX, "area"),
    "mqm21": LanguageQuestion("wmt21_mqm_seg", "lp", _MQM21, "kendall", split="test"),
    "mqm20": LanguageQuestion("wmt20_mqm_seg", "lp", ("en-de", "zh-en"), "kendall"),
    "mlqe": LanguageQuestion("mlqe_pe_da", "lp", _MLQE, "pearson", sourced=True, split="test"),
    "indic": LanguageQuestion("qe_indic_da", "lp", _INDIC, "pearson", sourced=True, split="dev"),
    "mqm21_source": LanguageQuestion("wmt21_mqm_seg", "lp", _MQM21, "kendall", sourced=True, split="test"),
}


class JudgedRows(NamedTuple):
    """The rows of one group: pairs, people's scores, and which system translated which segment."""

    pairs: Pairs
    human: Segments
    systems: list[str]
    segments: list[str]

    def table(self, values: Segments) -> np.ndarray:
        """Lay one value per row out as systems x segments, with NaN for a missing one.

        A system that occurs twice in a segment (the same short sentence, spoken twice) opens a second one.
        """
        again: Counter[tuple[str, str]] = Counter()
        places: dict[tuple[str, int], int] = {}
        names = {name: number for number, name in enumerate(dict.fromkeys(self.systems))}
        cells = []
        for system, segment in zip(self.systems, self.segments, strict=True):
            column = places.setdefault((segment, again[system, segment]), len(places))
            again[system, segment] += 1
            cells.append((names[system], column))
        table = np.full((len(names), len(places)), np.nan)
        table[tuple(np.transpose(cells))] = values
        return table


class LanguageAnswer(NamedTuple):
    """How well a metric agrees with people by group, and how much better than a rival it is, if one was given.

    :param pooled: of Kendall only: the surplus of agreeing pairs over all segments, without ties on either side
    """

    values: dict[str, float]
    pooled: dict[str, float]
    gains: dict[str, Difference]


def needs_source(metric: Metric) -> bool:
    """Tell whether a metric compares candidates with their sources."""
    return "source" in metric.info.needs


def read_rows(data: Path, question: LanguageQuestion, limit: int | None = None) -> dict[str, JudgedRows]:
    """Read the rows of a question by group.

    A human translation is no system: rows of `ref.A` are left out, since it may be the reference itself.

    :param limit: about how many rows of a group to read; the systems of one segment stay together
    """
    by_group: dict[str, list[dict[str, object]]] = {group: [] for group in question.groups}
    for _, row in records(str(data / f"{question.file}.jsonl.gz")):
        meant = not question.split or row.get("split") == question.split
        if meant and row[question.by] in by_group and not str(row.get("system", "")).startswith("ref."):
            by_group[str(row[question.by])].append(row)
    missing = [group for group, rows in by_group.items() if not rows]
    if missing:
        raise InputError(f"there is no row of {', '.join(missing)}", path=f"{question.file}.jsonl.gz")
    return {group: _judged(question, _some(rows, limit)) for group, rows in by_group.items()}


def _segment(row: Mapping[str, object]) -> str:
    return " ".join(str(row.get(name, "")) for name in ("dataset", "doc", "segment_id"))


def _some(rows: list[dict[str, object]], limit: int | None) -> list[dict[str, object]]:
    """Keep evenly spread segments with about so many rows."""
    if limit is None or len(rows) <= limit:
        return rows
    segments = list(dict.fromkeys(map(_segment, rows)))
    wanted = max(1, limit * len(segments) // len(rows))
    kept = {segments[number * len(segments) // wanted] for number in range(wanted)}
    return [row for row in rows if _segment(row) in kept]


def _judged(question: LanguageQuestion, rows: list[dict[str, object]]) -> JudgedRows:
    candidates, against = ([str(row[name]) for row in rows] for name in ("candidate", _side(question)))
    pairs = Pairs.of(candidates, None, against) if question.sourced else Pairs.of(candidates, against)
    systems = [str(row.get("system", "")) for row in rows]
    human = np.array([row["score"] for row in rows], dtype=float)
    return JudgedRows(pairs, human, systems, list(map(_segment, rows)))


def _side(question: LanguageQuestion) -> str:
    return "source" if question.sourced else "reference"


def ask(
    data: Path, question: LanguageQuestion, metric: Metric, rival: Metric | None = None, limit: int | None = None
) -> LanguageAnswer:
    """Ask how well a metric agrees with people; by Kendall also how sure it is that a rival is worse.

    :param rival: a metric that is compared by a paired bootstrap over segments
    """
    values, pooled, gains = {}, {}, {}
    for group, rows in read_rows(data, question, limit).items():
        scores = _oriented(metric, rows)
        values[group] = with_people(rows, scores, question.coefficient)
        if question.coefficient != "kendall":
            continue
        human, table = rows.table(rows.human), rows.table(scores)
        pooled[group] = surplus(human, table)
        if rival is not None:
            other = rows.table(_oriented(rival, rows))
            gains[group] = bootstrap(human, table, other, "kendall_b", "item", resamples=RESAMPLES)
    return LanguageAnswer(values, pooled, gains)


def _oriented(metric: Metric, rows: JudgedRows) -> Segments:
    scores = segment_scores(metric, rows.pairs)
    return scores if metric.info.higher_is_better else -scores


def with_people(rows: JudgedRows, scores: Segments, kind: Coefficient) -> float:
    """Compare scores (higher is better) with people's."""
    if kind == "area":
        return area_under_curve(rows.human, scores).value
    if kind == "kendall":
        return correlate(rows.table(rows.human), rows.table(scores), "kendall_b", "item").value
    return correlate(rows.human, scores, kind).value


def surplus(human: np.ndarray, metric: np.ndarray) -> float:
    """Return (agreeing - other) / (agreeing + other) over all pairs of systems within segments that nobody ties.

    :param human: systems x segments, NaN for a missing score
    """
    counts = count_pairs(human.T, metric.T)
    agree, differ = int(counts.concordant.sum()), int(counts.discordant.sum())
    return (agree - differ) / max(1, agree + differ)


def same_in_english(
    corpora: Path, metric: Metric, teacher: Metric, languages: Iterable[str] = (), limit: int | None = None
) -> dict[str, float]:
    """Correlate with a teacher's score of the same pair in English: premises and hypotheses of XNLI's test split.

    It tells something about languages in which nobody judged anything: a metric that does not read one of them
    cannot score it as another metric scores its translation.

    :param languages: codes; by default all fifteen
    """
    every = (row for _, row in records(str(corpora / f"{XNLI}.jsonl.gz")))
    rows = [row for row in every if row["split"] == "test" and row["premise"] and row["hypothesis"]]
    rows = rows[:: max(1, len(rows) // limit)][:limit] if limit else rows
    wanted = list(languages) or list(rows[0]["premise"])

    def pairs(language: str) -> Pairs:
        return Pairs.of([row["hypothesis"][language] for row in rows], [row["premise"][language] for row in rows])

    told = segment_scores(teacher, pairs("en"))
    return {language: correlate(told, segment_scores(metric, pairs(language))).value for language in wanted}
