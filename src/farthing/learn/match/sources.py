"""Pairs that a teacher scores: outputs of real systems, captions, summaries, damaged sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import UnknownName
from farthing.files.read import records
from farthing.learn.match.data import first_reference, texts_in
from farthing.text.perturb import Perturbation, drop_words, negate, repeat_words, swap_neighbours

TextPair = tuple[str, str]
TRIES = 100  # draws for every pair that is wanted


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


def given(file: Path, random: np.random.Generator) -> Iterator[TextPair]:
    """The pairs of a file, as they are: candidates with their first references."""
    rows = [row for _, row in records(str(file))]
    for place in random.permutation(len(rows)):
        yield rows[place]["candidate"], first_reference(rows[place])


def paraphrases(file: Path, random: np.random.Generator) -> Iterator[TextPair]:
    """The last two columns of a table without a header: one sentence and the same in other words."""
    from farthing.files.read import lines as read_lines

    rows = [line.split("\t") for _, line in read_lines(str(file))]
    for place in random.permutation(len(rows)):
        yield rows[place][-2], rows[place][-1]


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
    "given": given,
    "paraphrases": paraphrases,
    "perturbed": perturbed,
    "unrelated": unrelated,
    "equal": equal,
}


def drawn(
    kind: str, file: Path, count: int, seed: int, most_words: int = 80, without: Sequence[Path] = ()
) -> list[TextPair]:
    """So many distinct pairs of a source (or as many as a hundred draws for each find), none empty, none very long.

    :param without: files whose texts must not occur
    """
    if kind not in SOURCES:
        raise UnknownName("source of pairs", kind, SOURCES)
    barred = texts_in(without)
    found: dict[TextPair, None] = {}
    draws = SOURCES[kind](file, np.random.default_rng(seed))
    for first, second in islice(draws, TRIES * count):  # a source may have fewer pairs, and most never end
        fits = 0 < len(first.split()) <= most_words and 0 < len(second.split()) <= most_words
        if fits and (first != second or kind == "equal") and not barred.intersection((first, second)):
            found[(first, second)] = None
        if len(found) >= count:
            break
    return list(found)
