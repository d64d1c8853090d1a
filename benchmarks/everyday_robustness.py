"""Does the default metric know what it does not know?

    python benchmarks/everyday_robustness.py SHARED --size small --count 2000

Three questions: do unrelated texts in more than twenty scripts and in emoji ever score above 60 without a note or a
refusal; does an empty output ever score above another bad output; how many sentences of Tatoeba are recognised as
English or not. The exit code is 1 if an answer is not good enough.
"""

from __future__ import annotations

import argparse
import gzip
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import farthing
from farthing.text.languages import foreign

# The first and the last code point of a stretch of letters in every script.
SCRIPTS = {
    "Amharic": (0x1200, 0x1248), "Arabic": (0x0621, 0x064A), "Armenian": (0x0561, 0x0586), "Bengali": (0x0985, 0x09B9),
    "Cherokee": (0x13A0, 0x13F4), "Chinese": (0x4E00, 0x6E00), "Cyrillic": (0x0430, 0x044F), "Hindi": (0x0905, 0x0939),
    "Georgian": (0x10D0, 0x10F0), "Greek": (0x03B1, 0x03C9), "Gujarati": (0x0A85, 0x0AB9), "Hebrew": (0x05D0, 0x05EA),
    "Japanese": (0x3042, 0x3093), "Kannada": (0x0C85, 0x0CB9), "Khmer": (0x1780, 0x17B3), "Korean": (0xAC00, 0xD7A3),
    "Lao": (0x0E81, 0x0EB0), "Malayalam": (0x0D05, 0x0D39), "Myanmar": (0x1000, 0x102A), "Sinhala": (0x0D85, 0x0DC6),
    "Tamil": (0x0B85, 0x0BB9), "Telugu": (0x0C05, 0x0C39), "Thai": (0x0E01, 0x0E2E), "Tibetan": (0x0F40, 0x0F6C),
    "emoji": (0x1F600, 0x1F64F),
}  # fmt: skip
ABOVE = 60.0
BAD = ("unrelated", "one word", "repeated word", "shuffled", "other language", "one mark")


def words(name: str, count: int, random: np.random.Generator) -> list[str]:
    """Made-up words of a script."""
    first, last = SCRIPTS[name]
    letters = [chr(code) for code in range(first, last + 1) if unicodedata.category(chr(code))[0] in "LS"]
    return ["".join(random.choice(letters, int(random.integers(2, 8)))) for _ in range(count)]


def unrelated(name: str, count: int, random: np.random.Generator) -> farthing.Pairs:
    """Pairs of texts of a script that share nothing on purpose."""
    texts = [" ".join(words(name, int(random.integers(1, 12)), random)) for _ in range(2 * count)]
    return farthing.Pairs.of(texts[:count], texts[count:])


def silent_nonsense(metric: farthing.Metric, count: int, seed: int = 1) -> list[tuple[str, str, float]]:
    """Unrelated pairs that score above 60 although nothing says that they were not read.

    Each script is a run of its own, then one of the rows among English ones.
    """
    random = np.random.default_rng(seed)
    found = []
    for name in SCRIPTS:
        pairs = unrelated(name, -(-count // len(SCRIPTS)), random)
        mixed = farthing.Pairs.of(
            [*pairs.candidates, *["The weather was fine all day."] * (2 * len(pairs))],
            [*(row[0] for row in pairs.references), *["It was a fine day, and it did not rain."] * (2 * len(pairs))],
        )
        for run in (pairs, mixed):
            found += [(name, text, score) for text, score in _unnoticed(metric, run, len(pairs))]
    return found


def _unnoticed(metric: farthing.Metric, run: farthing.Pairs, count: int) -> Iterator[tuple[str, float]]:
    try:
        scores = metric.score(run)
    except farthing.UsageError:
        return
    noted = {row for note in scores.notes if note.kind == "unread" for row in note.rows}
    assert scores.segments is not None
    for row in range(count):
        if scores.segments[row] > ABOVE and row not in noted:
            yield run.candidates[row], float(scores.segments[row])


def parallel(shared: Path) -> Iterator[tuple[str, str]]:
    """Sentences of other languages and their English translations."""
    with gzip.open(shared / "data" / "corpora" / "tatoeba_parallel.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            _, text, english = line.rstrip("\n").split("\t")[:3]
            yield text, english


def bad_outputs(pairs: list[tuple[str, str]], random: np.random.Generator) -> dict[str, list[str]]:
    """One bad output of each kind for the English side of every pair."""
    split = [english.split() for _, english in pairs]
    found = [
        [pairs[place - 1][1] for place in range(len(pairs))],
        [one[int(random.integers(len(one)))] for one in split],
        [" ".join(one[:1] * max(2, len(one))) for one in split],
        [" ".join(random.permutation(one)) for one in split],
        [text for text, _ in pairs],
        ["." for _ in pairs],
    ]
    return dict(zip(BAD, found, strict=True))


def below_empty(metric: farthing.Metric, pairs: list[tuple[str, str]], seed: int = 1) -> list[tuple[str, str, float]]:
    """Bad outputs that score below the empty one, with the kind and by how much."""
    references = [english for _, english in pairs]
    bad = bad_outputs(pairs, np.random.default_rng(seed))
    systems = [[""] * len(pairs), *bad.values()]
    scored = metric.score_systems([farthing.Pairs.of(system, references) for system in systems])
    empty, *others = (np.asarray(one.segments) for one in scored)
    return [
        (kind, bad[kind][row], float(scores[row] - empty[row]))
        for kind, scores in zip(bad, others, strict=True)
        for row in np.flatnonzero(scores < empty)
    ]


def recognised(shared: Path, least: int = 20) -> float:
    """The share of Tatoeba's sentences of so many characters that are recognised as English or not."""
    sides = list(zip(*parallel(shared), strict=True))
    other, english = ([text for text in dict.fromkeys(side) if len(text) >= least] for side in sides)
    right = sum(map(bool, foreign(other, {"en"}))) + foreign(english, {"en"}).count("")
    return right / (len(other) + len(english))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--size", choices=["small", "tiny", "nano"], default="small")
    parser.add_argument("--count", type=int, default=2000)
    given = parser.parse_args()
    metric = farthing.load(f"frugalscore(size={given.size})")
    assert isinstance(metric, farthing.Metric)
    nonsense = silent_nonsense(metric, given.count)
    print(
        f"{given.size}: {len(nonsense)} of {given.count} unrelated pairs above {ABOVE:g} without a note", nonsense[:3]
    )
    every = list(parallel(given.shared))
    random = np.random.default_rng(1)
    pairs = [every[row] for row in random.choice(len(every), given.count, replace=False)]
    below = below_empty(metric, pairs)
    print(f"{given.size}: {len(below)} of {given.count * len(BAD)} bad outputs below the empty one", below[:3])
    share = recognised(given.shared)
    print(f"{share:.4f} of Tatoeba's sentences of 20 and more characters recognised as English or not")
    return int(bool(nonsense or below or share < 0.98))


if __name__ == "__main__":
    raise SystemExit(main())
