"""What a recipe's data files give: pairs that people judged, pairs that are drawn, pairs that set the scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.columns import SOURCE, Columns
from farthing.core.errors import InputError
from farthing.core.progress import Log
from farthing.learn.data.examples import Examples
from farthing.learn.data.judgements import read_judged
from farthing.learn.match.panel import Assignment
from farthing.learn.match.recipe import StudentRecipe
from farthing.learn.match.recipe_tables import Against, DrawnPairs
from farthing.learn.pairs.base import TextPair, TrainingPair
from farthing.learn.pairs.drawn import drawn, texts_of

UNRELATED = 1000  # pairs that set the lower end of the scale
TRANSLATIONS = 1000  # pairs that set the upper end of a scale without references
ASKED = 2000  # pairs that a teacher scores at a time
RELATED = 1000  # pairs that show how far scores and shared characters go together


def _sides(recipe: StudentRecipe) -> set[Against]:
    """Return what the outputs of a recipe's examples are compared with."""
    return {*(one.against for one in recipe.human), *(one.against for one in recipe.drawn)}


def compared_with(recipe: StudentRecipe) -> Against:
    """Return what the student compares with: sources if it learns from nothing else and is the only judge."""
    return "source" if recipe.source is None and _sides(recipe) == {"source"} else "reference"


def judge_of(recipe: StudentRecipe, against: Against) -> Against:
    """Name the judge that learns from pairs with such texts; one that learns alone is that of references."""
    return "reference" if compared_with(recipe) == "source" else against


class Material:
    """The data of one recipe.

    :param root: the folder that holds its files
    """

    def __init__(self, recipe: StudentRecipe, root: Path, log: Log) -> None:
        self.recipe, self.root, self.log = recipe, root, log

    def teaches(self, against: Against) -> bool:
        """Tell whether examples of the recipe compare outputs with such texts."""
        return against in _sides(self.recipe)

    def human(self) -> list[Assignment]:
        """Read all pairs with human scores, in the recipe's order."""
        judges = [judge_of(self.recipe, one.against) for one in self.recipe.human]
        return [Assignment(judge, self._human(number)) for number, judge in enumerate(judges)]

    def _human(self, number: int) -> Examples:
        one = self.recipe.human[number]
        pairs = read_judged(
            self.root / one.file,
            human=one.human or None,
            by=one.by or "none",
            only=one.only,
            indivisible=one.indivisible,
            without=[self.root / name for name in one.without],
            text=Columns(reference=SOURCE[:1]) if one.against == "source" else None,
            marks=one.marks,
            least=1,
            log=self.log,
        )
        return Examples.judged(
            pairs, count=one.count, weight=one.weight, seed=self.recipe.seed + number, clip=one.clip, within=one.within
        )

    def drawn(self, number: int) -> list[TrainingPair]:
        """Draw the pairs of one source."""
        one = self.recipe.drawn[number]
        without = [self.root / name for name in one.without]
        seed = self.recipe.seed + 10 + number
        return drawn(one.kind, self.root / one.file, one.count, seed, one.most_words, without, one.options)

    def unrelated(self, against: Against = "reference") -> list[TextPair]:
        """Draw pairs of texts that have nothing to do with each other: of one language, or a source and an output."""
        seed, parallel = self.recipe.seed + 100, self.recipe.parallel
        if parallel is None and (compared_with(self.recipe) == "source" or not self.recipe.unrelated):
            return self._strangers()
        if parallel is None:
            return texts_of(drawn("unrelated", self.root / self.recipe.unrelated, UNRELATED, seed))
        options = {"damage": "unrelated", "across": against == "source"}
        return texts_of(drawn("parallel", self.root / parallel, UNRELATED, seed, options=options))

    def _strangers(self) -> list[TextPair]:
        """Put outputs beside the references, or sources, of other segments."""
        parts = [part.examples for part in self.human()]
        outputs = [text for part in parts for text in part.candidates]
        others = [text for part in parts for text in part.references]
        order = np.random.default_rng(self.recipe.seed + 100).permutation(len(outputs))
        pairs = [(outputs[row], others[place]) for row, place in enumerate(order) if others[row] != others[place]]
        if not pairs:
            raise InputError(
                "all outputs are compared with the same text: a scale needs several", path=self.recipe.human[0].file
            )
        return pairs[:UNRELATED]

    def translations(self) -> list[TextPair]:
        """Draw pairs of a translation and its source."""
        file = self.root / str(self.recipe.parallel)
        return texts_of(drawn("parallel", file, TRANSLATIONS, self.recipe.seed + 101, options={"across": True}))

    def related(self, human: Sequence[Assignment], against: Against = "reference") -> list[TextPair]:
        """Draw pairs that people judged, or, if there are none, pairs of the first source that the teachers judged."""
        own = [part.examples for part in human if part.judge == against]
        pairs = [pair for part in own for pair in zip(part.candidates, part.references, strict=True)]
        pairs = pairs or texts_of(self.drawn(0))
        order = np.random.default_rng(self.recipe.seed).permutation(len(pairs))[:RELATED]
        return [pairs[place] for place in order]


def fixed_targets(pairs: Sequence[TrainingPair], one: DrawnPairs) -> Segments:
    """Return the targets that the recipe gives to drawn pairs; NaN for pairs that the teachers score."""
    scores = [one.scores.get(pair.generator, one.score) for pair in pairs]
    return np.array([np.nan if score is None else score for score in scores])


def examples_of(pairs: Sequence[TrainingPair], targets: Segments, one: DrawnPairs) -> Examples:
    """Put drawn pairs and their targets together; if only differences count, without segments that show none."""
    rows = _differing(pairs, targets) if one.within else list(range(len(pairs)))
    return Examples(
        [pairs[row].candidate for row in rows],
        [pairs[row].reference for row in rows],
        targets[rows],
        np.full(len(rows), one.weight),
        [pairs[row].document for row in rows] if one.within else None,
        teaches=one.teaches,
    )


def _differing(pairs: Sequence[TrainingPair], targets: Segments) -> list[int]:
    """Return the rows of the documents whose pairs have several targets."""
    found: dict[str, set[float]] = {}
    for pair, target in zip(pairs, targets.tolist(), strict=True):
        found.setdefault(pair.document, set()).add(target)
    return [row for row, pair in enumerate(pairs) if len(found[pair.document]) > 1]


def gathered(parts: Sequence[Assignment]) -> list[Assignment]:
    """Join the parts of each judge that have absolute targets; those of differences within segments stay apart."""
    names = dict.fromkeys(part.judge for part in parts)
    plain = {
        name: [part.examples for part in parts if part.judge == name and part.examples.segments is None]
        for name in names
    }
    joined = [Assignment(name, Examples.joined(own)) for name, own in plain.items() if own]
    return [*joined, *(part for part in parts if part.examples.segments is not None)]


def asked(teacher: Callable[[list[str], list[str]], Segments], pairs: Sequence[TextPair]) -> Segments:
    """Score many pairs by a teacher; those of one reference together, so that it is read once."""
    order = sorted(range(len(pairs)), key=lambda row: (pairs[row][1], row))
    scores = np.empty(len(pairs))
    for begin in range(0, len(order), ASKED):
        rows = order[begin : begin + ASKED]
        scores[rows] = teacher([pairs[row][0] for row in rows], [pairs[row][1] for row in rows])
    return scores
