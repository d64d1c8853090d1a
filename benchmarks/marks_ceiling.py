"""How well can the words that experts mark be told at all? By what experts marked in the other outputs of the segment.

    python benchmarks/marks_ceiling.py SHARED --lp zh-en --split test

A dozen systems translated every segment, and often several experts judged their outputs. This asks how well the marks
in the other outputs predict those in one of them: a word is as likely wrong as the same word is in the other outputs,
between the same neighbours if it occurs so, else beside one of them, else anywhere, else as an average word of them.
No metric sees that much: it would have to know what an expert thinks of the same segment.

The other outputs are all of them, those that other experts judged (what experts agree on), or those that the same
expert judged (who is strict and who is not). Areas under the ROC curve per word, as in marks_quality.py: over all
words together, and as the mean over experts, weighted by words.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from farthing.meta.roc import area_under_curve
from marks_quality import QUESTIONS, read_rows

WORD = re.compile(r"\w+|[^\w\s]")
PRIOR = 2.0  # words' worth of trust in what the wider context says
OTHERS = ("all other outputs", "outputs that other experts judged", "outputs that the same expert judged")
Context = tuple[str | None, ...]  # a neighbour that does not count is None
Counts = Mapping[Context, tuple[float, float]]


class MarkedOutput(NamedTuple):
    """The words of an output, which of them are marked, and who marked them."""

    words: list[str]
    wrong: np.ndarray
    rater: str


def marked_output(row: Mapping[str, Any], severities: Sequence[str]) -> MarkedOutput:
    """Cut an output into words; a word is wrong if it shares a character with an error of these severities."""
    spans = [span for span in row["spans"] if span["severity"] in severities]
    found = list(WORD.finditer(row["candidate"]))
    wrong = [any(one["start"] < word.end() and word.start() < one["end"] for one in spans) for word in found]
    return MarkedOutput([word.group().lower() for word in found], np.array(wrong, dtype=float), row["rater"])


def contexts(words: Sequence[str]) -> Iterator[list[Context]]:
    """Name each word alone, beside each of its neighbours, and between both, from the widest to the narrowest."""
    around = ["", *words, ""]
    for before, word, after in zip(around, words, around[2:], strict=False):
        yield [(None, word, None), (None, word, after), (before, word, None), (before, word, after)]


def counted(outputs: Sequence[MarkedOutput]) -> Counts:
    """Count in every context how many words are wrong, and how many there are."""
    counts: dict[Context, tuple[float, float]] = {}
    for output in outputs:
        for names, wrong in zip(contexts(output.words), output.wrong.tolist(), strict=True):
            for name in names:
                before = counts.get(name, (0.0, 0.0))
                counts[name] = before[0] + wrong, before[1] + 1
    return counts


def predicted(output: MarkedOutput, others: Sequence[MarkedOutput]) -> list[float]:
    """Tell for each word of an output how likely it is wrong, by the marks in others."""
    counts, usual = counted(others), float(np.mean([one.wrong.mean() for one in others])) if others else 0.0
    return [_narrowed(names, counts, usual) for names in contexts(output.words)]


def _narrowed(names: Sequence[Context], counts: Counts, usual: float) -> float:
    """Start from the usual share and let every narrower context that occurs correct it."""
    share = usual
    for name in names:
        wrong, all_of_them = counts.get(name, (0.0, 0.0))
        share = (wrong + PRIOR * share) / (all_of_them + PRIOR)
    return share


def others_of(output: MarkedOutput, segment: Sequence[MarkedOutput], whose: str) -> list[MarkedOutput]:
    """Choose the other outputs of a segment."""
    others = [one for one in segment if one is not output]
    if whose == OTHERS[0]:
        return others
    return [one for one in others if (one.rater == output.rater) == (whose == OTHERS[2])]


def areas(segments: Sequence[Sequence[MarkedOutput]], whose: str) -> str:
    """Tell the areas over all words and within experts."""
    outputs = [
        (output, predicted(output, others_of(output, segment, whose))) for segment in segments for output in segment
    ]
    wrong = np.concatenate([output.wrong for output, _ in outputs]) > 0
    scores = np.concatenate([found for _, found in outputs])
    raters = np.repeat([output.rater for output, _ in outputs], [len(output.words) for output, _ in outputs])
    known = [rater for rater in sorted({*raters.tolist()}) if 0 < wrong[raters == rater].mean() < 1]
    within = [area_under_curve(wrong[raters == rater], scores[raters == rater]).value for rater in known]
    sizes = [int((raters == rater).sum()) for rater in known]
    return f"AUC {area_under_curve(wrong, scores).value:.4f}, within experts {np.average(within, weights=sizes):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--lp", default="zh-en")
    parser.add_argument("--split", default="test")
    given = parser.parse_args()
    rows = read_rows(given.shared / "data" / "human" / "mqm_spans.jsonl.gz", given.lp, given.split, None)
    print(f"{given.lp}, {given.split}: {len(rows)} outputs, {len({row['rater'] for row in rows})} experts")
    for name, severities in QUESTIONS.items():
        segments: dict[str, list[MarkedOutput]] = defaultdict(list)
        for row in rows:
            segments[row["segment_id"]].append(marked_output(row, severities))
        for whose in OTHERS:
            print(f"  {name:12}  marks in {whose}: {areas(list(segments.values()), whose)}", flush=True)


if __name__ == "__main__":
    main()
