"""What a matching student learns from: pairs with human scores, and pairs that a teacher will score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import InputError, UnknownName
from farthing.files.read import records
from farthing.text.perturb import Perturbation, drop_words, negate, repeat_words, swap_neighbours

TextPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs with targets and the weights of their errors."""

    candidates: list[str]
    references: list[str]
    targets: np.ndarray
    weights: np.ndarray

    def __len__(self) -> int:
        return len(self.candidates)

    @classmethod
    def joined(cls, parts: Sequence[Judged]) -> Judged:
        """Several sets as one."""
        return cls(
            [text for part in parts for text in part.candidates],
            [text for part in parts for text in part.references],
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.weights for part in parts]),
        )


def human(
    file: Path,
    *,
    groups: str | None = None,
    only: Mapping[str, str] | None = None,
    without: Sequence[Path] = (),
    count: int | None = None,
    weight: float = 1.0,
    seed: int = 1,
) -> Judged:
    """Pairs that people judged; scores have mean 0 and deviation 1 within each group.

    :param groups: the column by which scores are comparable (a language pair, say)
    :param only: patterns that columns must fit, such as `{"lp": "*-en"}`
    :param without: files whose texts must not occur
    :param count: draw so many
    """
    rows = [row for _, row in records(str(file)) if _fits(row, only or {})]
    barred = {text for path in without for _, row in records(str(path)) for text in _texts(row)}
    rows = [row for row in rows if not barred.intersection(_texts(row))]
    if not rows:
        raise InputError("no row is left to learn from", path=str(file))
    if count is not None and count < len(rows):
        random = np.random.default_rng(seed)
        rows = [rows[place] for place in sorted(random.choice(len(rows), count, replace=False))]
    scores = np.array([row["score"] for row in rows], dtype=np.float64)
    names = [str(row.get(groups)) if groups else "" for row in rows]
    for name in set(names):
        places = [place for place, other in enumerate(names) if other == name]
        scores[places] = (scores[places] - scores[places].mean()) / max(scores[places].std(), 1e-9)
    references = [row["reference"] if isinstance(row["reference"], str) else row["reference"][0] for row in rows]
    return Judged([row["candidate"] for row in rows], references, scores, np.full(len(rows), weight))


def _fits(row: Mapping[str, Any], only: Mapping[str, str]) -> bool:
    return all(fnmatch(str(row.get(column)), pattern) for column, pattern in only.items())


def _texts(row: Mapping[str, Any]) -> set[str]:
    reference = row["reference"]
    return {row["candidate"], *([reference] if isinstance(reference, str) else reference)}


def systems(file: Path, random: np.random.Generator) -> Iterator[TextPair]:
    """Outputs of real systems against the reference, and now and then against each other's."""
    sets = [row for _, row in records(str(file))]
    while True:
        chosen = sets[random.integers(len(sets))]
        place = int(random.integers(len(chosen["reference"])))
        names = sorted(chosen["systems"])
        first, second = (_output(chosen["systems"][names[number]], place) for number in _two(len(names), random))
        yield first, second if random.random() < 0.25 else chosen["reference"][place]


def _output(system: Any, place: int) -> str:
    lines = system["output"] if isinstance(system, dict) else system
    return str(lines[place])


def _two(count: int, random: np.random.Generator) -> tuple[int, int]:
    first, second = random.choice(count, 2, replace=False)
    return int(first), int(second)


def groups(file: Path, random: np.random.Generator) -> Iterator[TextPair]:
    """Two captions of one picture."""
    rows = [row["captions"] for _, row in records(str(file))]
    while True:
        captions = rows[random.integers(len(rows))]
        first, second = _two(len(captions), random)
        yield captions[first], captions[second]


def lines(file: Path) -> list[str]:
    """The sentences of a corpus: the last column of a table without a header, or the lines of a text."""
    from farthing.files.read import lines as read_lines

    return [line.rsplit("\t", 1)[-1] for _, line in read_lines(str(file))]


def replace_words(text: str, random: np.random.Generator, pool: Sequence[str]) -> str | None:
    """Words of other texts in place of a fifth of the words."""
    words = text.split()
    if not words:
        return None
    for place in random.permutation(len(words))[: max(1, round(0.2 * len(words)))]:
        words[place] = pool[int(random.integers(len(pool)))]
    return " ".join(words)


def perturbed(file: Path, random: np.random.Generator) -> Iterator[TextPair]:
    """A sentence that lost, doubled, moved, negated or exchanged words, against itself."""
    texts = lines(file)
    pool = [word for text in texts[:2000] for word in text.split()]
    changes: list[Perturbation] = [drop_words, repeat_words, swap_neighbours, negate]
    while True:
        text = texts[random.integers(len(texts))]
        number = int(random.integers(len(changes) + 1))
        changed = changes[number](text, random) if number < len(changes) else replace_words(text, random, pool)
        if changed is not None and changed != text:
            yield changed, text


def unrelated(file: Path, random: np.random.Generator) -> Iterator[TextPair]:
    """Two sentences that have nothing to do with each other."""
    texts = lines(file)
    while True:
        first, second = _two(len(texts), random)
        yield texts[first], texts[second]


def equal(file: Path, random: np.random.Generator) -> Iterator[TextPair]:
    """A sentence against itself: what a teacher says of equal texts is the top of the scale."""
    texts = lines(file)
    while True:
        text = texts[random.integers(len(texts))]
        yield text, text


SOURCES: Mapping[str, Callable[[Path, np.random.Generator], Iterator[TextPair]]] = {
    "systems": systems,
    "captions": groups,
    "perturbed": perturbed,
    "unrelated": unrelated,
    "equal": equal,
}


def drawn(kind: str, file: Path, count: int, seed: int, most_words: int = 80) -> list[TextPair]:
    """So many distinct pairs of a source, none empty and none very long."""
    if kind not in SOURCES:
        raise UnknownName("source of pairs", kind, SOURCES)
    found: dict[TextPair, None] = {}
    for first, second in SOURCES[kind](file, np.random.default_rng(seed)):
        fits = 0 < len(first.split()) <= most_words and 0 < len(second.split()) <= most_words
        if fits and (first != second or kind == "equal"):
            found[(first, second)] = None
        if len(found) >= count:
            break
    return list(found)
