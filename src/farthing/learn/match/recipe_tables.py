"""The tables of a matching student's recipe: the judges, the pairs that they learn from, and token distillation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from farthing.learn.adapters.methods import AdapterMethod
from farthing.learn.data.examples import Teaches
from farthing.learn.match.settings import MatchSettings
from farthing.students.layout import SURFACE

Against: TypeAlias = Literal["reference", "source"]  #: what an output is compared with


@dataclass(frozen=True, slots=True)
class JudgeRecipe:
    """How a judge, which is a student or a teacher, is made.

    :param start: the model to start from
    :param depth: keep only its first so many layers
    :param dropped: leave out these layers, counted from 0
    :param adapter: train only an adapter of this method inside the transformer, such as pfeiffer
    :param hidden: hidden units of the head
    :param features: groups of features of the texts' surface that the head reads
    :param overlooks: patterns of names of surface features that it does not read nevertheless, such as "* words"
    :param marks: units that tell which words are wrong, learned from [[human]] tables with marks
    :param aside: a second head while it learns, for pairs with teaches = "tokens"; it is no part of the student
    :param width: dimensions of a token vector, of tables (static) or of a table beside a transformer (skip)
    :param window: how many tokens to each side change a token's vector (static)
    :param skip: add a table of token vectors to the transformer's
    :param finished: it is a finished student, whose scores are taken as they are (teachers only)
    :param continues: start from the teacher of this number (from 1), its head included (students only)
    """

    start: str = ""
    depth: int | None = None
    dropped: tuple[int, ...] = ()
    adapter: AdapterMethod | None = None
    hidden: int = 16
    features: tuple[str, ...] = (SURFACE,)
    overlooks: tuple[str, ...] = ()
    marks: int = 0
    aside: bool = False
    width: int | None = None
    window: int = 3
    skip: bool = False
    finished: bool = False
    continues: int | None = None
    training: MatchSettings = field(default_factory=MatchSettings)


@dataclass(frozen=True, slots=True)
class SourceRecipe:
    """A second judge, which compares outputs with their sources. It learns together with the student, over its encoder.

    :param folder: the name of its folder, beside the student's one
    :param shared: it has layers of its own above so many of the student's lowest ones, which must stay as they are
        (`frozen` of the training); without it, it shares all layers
    :param depth: its own layers are those of the start, cut after so many
    :param dropped: leave out these layers of the start, counted from 0
    :param about: facts for the finished folder
    """

    folder: str = "source"
    shared: int | None = None
    depth: int | None = None
    dropped: tuple[int, ...] = ()
    hidden: int = 16
    features: tuple[str, ...] = (SURFACE,)
    overlooks: tuple[str, ...] = ()
    marks: int = 0
    about: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DrawnPairs:
    """Pairs that the teachers score.

    :param kind: a source of pairs, see `farthing.learn.pairs.sources`
    :param options: its further options
    :param against: what the candidates are compared with, and so which judge learns from them
    :param score: the score of all of them, in deviations from a mean output; without it the teachers score them
    :param scores: scores by what made a candidate, such as a kind of damage; the others are scored as told above
    :param within: learn only the differences between the pairs of one document, if the source makes several of it
    :param by: the teachers who score them, by their `start`; without it all of them do
    :param teaches: what learns from them, if not everything; needs `within`. "edits": only the cap of texts
        with one wrong number, name or word, when all else has been learned. "tokens": the tokens, by the head aside
    :param weight: of their errors in training
    :param without: files whose texts must not occur
    """

    kind: str
    file: str
    count: int
    options: Mapping[str, object] = field(default_factory=dict)
    against: Against = "reference"
    score: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    within: bool = False
    by: tuple[str, ...] = ()
    teaches: Teaches = "all"
    weight: float = 1.0
    most_words: int = 80
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HumanPairs:
    """Pairs with human scores.

    :param by: the column of the groups within which scores are comparable, such as a language pair
    :param human: the columns of scores; the mean of several, each standardised
    :param against: what the candidates are compared with, and so which judge learns from them
    :param within: learn only the differences between the outputs of one segment
    :param clip: scores are at most so many deviations from the mean
    :param marks: the column that tells which words of a candidate are wrong: a post-edit, or a list of spans
    :param only: patterns that columns must fit
    :param indivisible: columns of whole numbers; rows in which one is divisible by the given number are left out
    :param without: files whose texts must not occur; of the file itself, the rows that `only` leaves out
    :param count: draw so many, of segments if only differences within them count
    :param repeat: how often every pair is seen in an epoch
    """

    file: str
    by: str | None = None
    human: tuple[str, ...] = ()
    against: Against = "reference"
    within: bool = False
    clip: float | None = None
    marks: str | None = None
    only: Mapping[str, str] = field(default_factory=dict)
    indivisible: Mapping[str, int] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    count: int | None = None
    weight: float = 1.0
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class Distillation:
    """Token distillation before training: the student learns the token vectors of a finished student.

    :param sentences: so many of the corpus, and as many of the drawn pairs
    """

    teacher: str
    corpus: str
    sentences: int = 10_000
    epochs: int = 1
    rate: float = 5e-4
