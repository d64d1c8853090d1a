"""Does a metric prefer a true paraphrase to the reference with one thing wrong? Ten kinds of damage, 50 cases of each.

True paraphrases are pairs of sentences that people found to mean the same (STS: at least 4.5 of 5; MRPC: yes) and that
keep every number and name. They come from test and development splits, and share no sentence with what students learn
from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.errors import InputError
from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.learn.data.corpus import last_cells
from farthing.learn.pairs.base import TextPair
from farthing.learn.study.measure import segment_scores
from farthing.text.damage import DAMAGES
from farthing.text.perturb import bare_name, name_runs
from farthing.text.words import unicode_words

EACH = 50  # cases of every kind
ALL = "all"  #: the share over all kinds
FEWEST_WORDS, LONGEST_RATIO, LEAST_COMMON = 6, 1.33, 0.6  # of two texts that are taken for paraphrases
# file: the score from which texts mean the same, and the domains that people wrote, not machines
HELD_OUT: Mapping[str, tuple[float, frozenset[str]]] = {
    "human/stsb_en.jsonl.gz": (4.5, frozenset()),
    "human/sts12_16.jsonl.gz": (4.5, frozenset(("MSRpar", "images", "plagiarism"))),
    "human/mrpc.jsonl.gz": (1.0, frozenset()),
}
LEARNED = ("human/stsb_en.jsonl.gz", "human/sick.jsonl.gz", "human/mrpc.jsonl.gz", "human/sts12_16.jsonl.gz")
CAPTIONS, CORPUS = "corpora/multi30k_5captions_en.jsonl.gz", "corpora/corpus_en.tsv.gz"


class HardCase(NamedTuple):
    """A reference, a true paraphrase of it, and a damaged copy of it."""

    kind: str
    reference: str
    paraphrase: str
    damaged: str


def true_paraphrases(data: Path) -> list[TextPair]:
    """Read the paraphrases that students have not learned from, each with its reference.

    :param data: the folder of the files :data:`HELD_OUT`, :data:`LEARNED`, :data:`CAPTIONS` and :data:`CORPUS`
    """
    learned = set(map(letters, _learned(data)))
    found: dict[str, TextPair] = {}
    for name, (least, domains) in HELD_OUT.items():
        for _, row in records(str(data / name)):
            pair = str(row["candidate"]), str(row["reference"])
            wanted = row["split"] != "train" and row["score"] >= least and (not domains or row["domain"] in domains)
            if wanted and learned.isdisjoint(map(letters, pair)) and mean_the_same(*pair):
                found.setdefault(letters(pair[1]), pair)
    return list(found.values())


def _learned(data: Path) -> Iterator[str]:
    """Yield every text that a student may have learned from."""
    for name in LEARNED:
        rows = (row for _, row in records(str(data / name)) if row["split"] == "train")
        yield from (str(text) for row in rows for text in (row["candidate"], row["reference"]))
    yield from (text for _, row in records(str(data / CAPTIONS)) for text in row["captions"])
    yield from last_cells(str(data / CORPUS))


def letters(text: str) -> str:
    """Return the letters and digits of a text alone, in lower case, so that the same sentence is known again."""
    return "".join(character for character in text.lower() if character.isalnum())


def mean_the_same(first: str, second: str) -> bool:
    """Tell whether two texts that people call paraphrases also have the same numbers and names, and much in common."""
    words = [unicode_words(text) for text in (first, second)]
    sizes = sorted(map(len, words))
    common = (Counter(words[0]) & Counter(words[1])).total()
    numbers = [sorted(re.findall(r"\d+", text)) for text in (first, second)]
    return (
        letters(first) != letters(second)
        and sizes[0] >= FEWEST_WORDS
        and sizes[1] <= LONGEST_RATIO * sizes[0]
        and 2 * common >= LEAST_COMMON * sum(sizes)
        and numbers[0] == numbers[1]
        and _names(first) <= set(words[1])
        and _names(second) <= set(words[0])
    )


def _names(text: str) -> set[str]:
    pieces = text.split()
    return {word for run in name_runs(pieces) for word in unicode_words(bare_name(pieces, run))}


def hard_cases(pairs: Sequence[TextPair], each: int = EACH, seed: int = 1) -> list[HardCase]:
    """Damage references in every way, so many times each; those that were damaged least come first.

    :param pairs: paraphrases with their references
    """
    random = np.random.default_rng(seed)
    used: Counter[str] = Counter()
    cases: list[HardCase] = []
    for kind, damage in DAMAGES.items():
        own: list[HardCase] = []
        for paraphrase, reference in sorted(random.permutation(np.array(pairs)).tolist(), key=lambda one: used[one[1]]):
            damaged = damage(reference, random) if len(own) < each else None
            if damaged is not None and damaged != paraphrase:
                own.append(HardCase(kind, reference, paraphrase, damaged))
        if len(own) < each:
            raise InputError(f"only {len(own)} references can be damaged in their {kind}; {each} are needed")
        used.update(case.reference for case in own)
        cases += own
    return cases


def preferences(metric: Metric, cases: Sequence[HardCase]) -> dict[str, float]:
    """Return the share of cases in which the damaged text scores below the paraphrase: by kind, and of :data:`ALL`."""
    right = prefers(metric, cases)
    kinds = np.array([case.kind for case in cases])
    shares = {kind: float(right[kinds == kind].mean()) for kind in dict.fromkeys(kinds.tolist())}
    return {**shares, ALL: float(right.mean())}


def prefers(metric: Metric, cases: Sequence[HardCase]) -> np.ndarray:
    """Tell for every case whether the damaged text scores below the paraphrase."""
    texts = [*(case.paraphrase for case in cases), *(case.damaged for case in cases)]
    scores = segment_scores(metric, Pairs.of(texts, [case.reference for case in cases] * 2))
    paraphrases, damaged = np.split(scores if metric.about.higher_is_better else -scores, 2)
    right: np.ndarray = damaged < paraphrases
    return right
