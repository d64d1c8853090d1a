"""The static student against itself, pair by pair in plain Python and numpy, and batches that must not matter.

What the student computes for many texts at a time is written here for one pair: the tokenizer itself, the tables token
by token, similarities text by text, n-grams in counters.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from farthing.core.types import Pairs
from farthing.encoders.folder.locate import EMBEDDED
from farthing.students.grams import CHARACTERS, WORDS
from farthing.students.match import MatchStudent

STUDENT = MatchStudent(EMBEDDED / "nano")
WORD = st.sampled_from(
    ["The", "the", "cat", "sat", "down,", "on", "a", "mat.", "42", "Zürich", "naïve", "don't", "[x]", "UNESCO", "ran"]
)
TEXT = st.lists(WORD, max_size=30).map(" ".join)


class Plain:
    """The student for one pair at a time."""

    def __init__(self) -> None:
        self.tables = {name: array.astype(np.float64) for name, array in tables().items()}
        self.head = {name: array.astype(np.float64) for name, array in load_file(FOLDER / "head.safetensors").items()}
        self.tokenizer = Tokenizer.from_file(str(EMBEDDED / "small" / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def tokens(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """The unit vectors and the shares of weight of a text's tokens, without the special ones."""
        ids, table = self.tokenizer.encode(text).ids, self.tables
        half, vectors, weights = len(table["mix"]) // 2, [], []
        for place in range(1, len(ids) - 1):
            hidden = table["bias"]
            for step, mix in enumerate(table["mix"]):
                if 0 <= (other := place + step - half) < len(ids):
                    hidden = hidden + table["near"][ids[other]] * table["near_scale"][ids[other]] @ mix
            hidden = np.maximum(hidden, 0)
            vector = table["vectors"][ids[place]] * table["vectors_scale"][ids[place]] + hidden @ table["out"]
            vectors.append(vector / np.linalg.norm(vector))
            weights.append(math.log1p(math.exp(table["weights"][ids[place]] + hidden @ table["heavy"])))
        return np.array(vectors), np.array(weights) / sum(weights)

    def score(self, candidate: str, reference: str) -> float:
        """The score of two texts that have tokens and differ."""
        features = np.array([*self.aligned(candidate, reference), *surface(candidate, reference)]) / self.head["scale"]
        bias, hidden = self.head["hidden_bias"], self.head["hidden"]
        bend = np.tanh(hidden @ features + bias) - np.tanh(bias)
        value = self.head["top"] + self.head["linear"].ravel() @ features + self.head["out"].ravel() @ bend
        straight = 100 * (value - self.head["floor"]) / (self.head["top"] - self.head["floor"])
        return float(min(100 - np.logaddexp(0, 100 - straight), 99.99))  # equal texts alone have more

    def aligned(self, candidate: str, reference: str) -> list[float]:
        """What differs by the nearest tokens."""
        (ours, own), (theirs, other) = self.tokens(candidate), self.tokens(reference)
        forth, back = (1 - (ours @ theirs.T).max(axis=axis) for axis in (1, 0))
        precision, recall = own @ forth, other @ back
        harmonic = 1 - 2 * (1 - precision) * (1 - recall) / (2 - precision - recall)
        spread = [math.sqrt(share @ gap**2 + 1e-8) - 1e-4 for share, gap in ((own, forth), (other, back))]
        mean, other_mean = own @ ours, other @ theirs
        pooled = mean @ other_mean / np.linalg.norm(mean) / np.linalg.norm(other_mean)
        return [precision, recall, harmonic, *spread, 1 - pooled]


FOLDER = EMBEDDED / "nano"
WORDS_AND_MARKS = re.compile(r"[a-z0-9\u0080-\uffff]+|[^\sa-z0-9\u0080-\uffff]")


def tables() -> dict[str, np.ndarray]:
    return load_file(FOLDER / "tokens.safetensors")


def surface(candidate: str, reference: str) -> list[float]:
    """What differs on the surface, by counters of n-grams."""
    letters = [list("".join(text.split())) for text in (candidate, reference)]
    words = [
        re.findall(r"[a-z0-9\u0080-\uffff]+|[^\sa-z0-9\u0080-\uffff]", text.lower()) for text in (candidate, reference)
    ]
    by_letters = [missing for n in range(1, CHARACTERS + 1) for missing in shares(*letters, n)]
    by_words = [missing for n in range(1, WORDS + 1) for missing in shares(*words, n)]
    ratios = [math.log((len(own) + 1) / (len(other) + 1)) for own, other in (letters, words)]
    lengths = [value for ratio in ratios for value in (ratio, abs(ratio))]
    return [*by_letters, *by_words, weighted(by_letters, 4), weighted(by_words, 1), *lengths]


def shares(first: Sequence[str], second: Sequence[str], n: int) -> tuple[float, float]:
    """What share of each text's n-grams the other one lacks."""
    own, other = (Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for text in (first, second))
    common = (own & other).total()
    if not own and not other:
        return 0.0, 0.0
    return 1 - common / max(own.total(), 1), 1 - common / max(other.total(), 1)


def weighted(columns: Sequence[float], recall_weight: float) -> float:
    precision, recall = 1 - np.mean(columns[::2]), 1 - np.mean(columns[1::2])
    total = recall_weight * precision + recall
    return float(1 - (1 + recall_weight) * precision * recall / total) if total > 0 else 1.0


PAIRS = [
    ("The cat sat down on the mat.", "A cat was sitting on the mat."),
    ("He paid $5.00 in Zürich, didn't he?", "In Zürich he paid five dollars."),
    ("Rain", "It rained all day long, and nobody went out."),
    ("The THE the [brackets] are odd \u201cquoted\u201d", "the brackets are odd, and quoted"),
    ("All of this was said twice. All of this was said twice.", "All of this was said twice."),
    ("Unbelievably antidisestablishmentarian xqzt", "Unbelievable antidisestablishmentarianism"),
]


def test_scores_are_those_of_a_plain_program() -> None:
    """Among a hundred other pairs, so that words come from memory and batches are full; float32 leaves a difference."""
    plain = Plain()
    others = [(f"sentence number {row} of many", f"this is sentence {row}") for row in range(100)]
    candidates, references = zip(*PAIRS, *others, strict=True)
    [found] = STUDENT.score_systems([Pairs(candidates, [[reference] for reference in references])])
    expected = [plain.score(*pair) for pair in [*PAIRS, *others[::20]]]
    rows = [*range(len(PAIRS)), *range(len(PAIRS), len(candidates), 20)]
    assert found.segments[rows] == pytest.approx(expected, abs=5e-5)


def bits(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Scores, precision and recall, as they are in memory."""
    [scored] = STUDENT.score_systems([Pairs(candidates, [[reference] for reference in references])])
    return np.array([scored.segments, *scored.parts.values()]).view(np.uint64)


@settings(max_examples=25)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=25), st.randoms(use_true_random=False))
def test_order_duplicates_and_other_pairs_change_no_bit(pairs: list[tuple[str, str]], chance: random.Random) -> None:
    alone = np.concatenate([bits([one], [two]) for one, two in pairs], axis=1)
    rows = [chance.randrange(len(pairs)) for _ in range(3 * len(pairs))]
    others = [(f"the cat number {row} sat " * (row % 7), "a mat " * (row % 9)) for row in range(chance.choice([0, 90]))]
    candidates, references = zip(*[pairs[row] for row in rows], *others, strict=True)
    assert np.array_equal(bits(candidates, references)[:, : len(rows)], alone[:, rows])


def test_any_size_of_batches_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    words = WORDS_AND_MARKS.findall("a cat sat on the very old mat , while two unbelievably large dogs ran away .")
    texts = [" ".join(chance.choice(words, size=chance.integers(0, 40))) for _ in range(400)]
    expected = bits(texts[:200], texts[200:])
    for read, run, cells in ((1, 1, 1), (64, 4000, 100), (10**6, 50, 10**6)):
        monkeypatch.setattr("farthing.students.head._BATCH", read)
        monkeypatch.setattr("farthing.encoders.backends.static_tables.RUN", run)
        monkeypatch.setattr("farthing.students.grams._CELLS", cells)
        assert np.array_equal(bits(texts[:200], texts[200:]), expected)
