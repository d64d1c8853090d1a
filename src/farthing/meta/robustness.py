"""Does a metric notice what changes the meaning? Checks made from the user's own references.

For every kind of change, and every reference that allows it, the metric scores a good text and the same text with
something wrong in it, both against the reference. It passes if it prefers the good one. The good text is

- `reference`: another reference of the same row, equally good in other words; the bad text is made from it;
- `harmless`: the reference with one word replaced by a synonym; the bad text has the change to be noticed;
- `identical`: the reference itself, the easiest case: any metric that notices a difference passes;
- `auto`: `reference` if at least half of the rows have two different references, else `harmless`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.core.types import Pairs
from farthing.meta.correlation import Undefined
from farthing.text.perturb import HARMFUL, Perturbation, synonym

Good: TypeAlias = Literal["auto", "reference", "identical", "harmless"]


@dataclass(frozen=True, slots=True)
class Check:
    """Minimal pairs of one kind: the good text and the bad one beside the reference they are judged against."""

    name: str
    good: tuple[str, ...]
    bad: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...] | None
    rows: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def pairs(self) -> Pairs:
        """Return both texts as one system's outputs: the good ones, then the bad ones."""
        twice = None if self.sources is None else (*self.sources, *self.sources)
        return Pairs.of((*self.good, *self.bad), [*self.references, *self.references], twice, system=self.name)


@dataclass(frozen=True, slots=True)
class Preference:
    """How often a metric prefers the good text; a tie counts half.

    :param margin: half the width of the 95 % interval of the rate
    """

    rate: float
    margin: float
    ties: float
    pairs: int


def make_checks(
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None = None,
    changes: Mapping[str, Perturbation] | Sequence[str] | None = None,
    good: Good = "auto",
    seed: int = 0,
) -> list[Check]:
    """Make one check per kind of change that applies to at least one row."""
    good = settled(good, references)
    wanted = _changes(changes)
    checks = [
        _check(name, change, references, sources, good, np.random.default_rng([seed, place]))
        for place, (name, change) in enumerate(wanted.items())
    ]
    kept = [check for check in checks if len(check)]
    if not kept:
        raise Undefined(f"no reference allows any of the changes: {', '.join(wanted)}")
    return kept


def settled(good: Good, references: Sequence[Sequence[str]]) -> Good:
    """Return the kind of good text that `auto` stands for with these references."""
    if good not in get_args(Good):
        raise UnknownName("kind of good text", good, get_args(Good))
    if good != "auto":
        return good
    several = sum(len(set(texts)) > 1 for texts in references)
    return "reference" if 2 * several >= len(references) else "harmless"


def preference(good: np.ndarray, bad: np.ndarray) -> Preference:
    """Return the rate at which good scores beat bad ones; higher scores are better.

    >>> preference(np.array([2.0, 2.0, 1.0, 3.0]), np.array([1.0, 2.0, 1.0, 4.0])).rate
    0.5
    """
    if len(good) != len(bad) or not len(good):
        raise UsageError("a preference needs as many good as bad scores, and at least one")
    outcomes = np.where(good > bad, 1.0, np.where(good == bad, 0.5, 0.0))
    margin = 1.959963984540054 * float(outcomes.std() / np.sqrt(len(outcomes)))
    return Preference(float(outcomes.mean()), margin, float(np.mean(good == bad)), len(outcomes))


def _changes(wanted: Mapping[str, Perturbation] | Sequence[str] | None) -> Mapping[str, Perturbation]:
    if wanted is None:
        return HARMFUL
    if isinstance(wanted, Mapping):
        return wanted
    for name in wanted:
        if name not in HARMFUL:
            raise UnknownName("change", name, HARMFUL)
    return {name: HARMFUL[name] for name in wanted}


def _check(
    name: str,
    change: Perturbation,
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
    good: Good,
    random: np.random.Generator,
) -> Check:
    found: list[tuple[str, str, str, int]] = []
    for row, texts in enumerate(references):
        right = _good_text(texts, good, random)
        # The harmful change is made to the reference itself, too, so that both changes have the same size.
        wrong = change(texts[0] if good == "harmless" else right, random) if right is not None else None
        if right is not None and wrong is not None:
            found.append((right, wrong, texts[0], row))
    columns = tuple(zip(*found, strict=True)) or ((), (), (), ())
    kept = None if sources is None else tuple(sources[row] for row in columns[3])
    return Check(name, columns[0], columns[1], columns[2], kept, columns[3])


def _good_text(texts: Sequence[str], good: Good, random: np.random.Generator) -> str | None:
    if not texts:
        return None
    first = " ".join(texts[0].split())  # a change leaves single spaces, so that only the change itself counts
    if good == "harmless":
        return synonym(first, random)
    if good == "identical":
        return first
    return next((" ".join(text.split()) for text in texts[1:] if text != texts[0]), None)
