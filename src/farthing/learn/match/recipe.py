"""The recipe of a matching student: one TOML file from named inputs to a finished folder.

kind = "match"                     # or "static"
seed = 1

[about]                            # facts for the finished folder
reads = ["en"]                     # the languages that the student reads; texts in others get a note or are refused

[student]
start = "e5-small"                 # a folder below --models, or any model's name
depth = 8                          # keep the first eight layers

[vocabulary]                       # prune the student's vocabulary first: keep what these texts need
files = ["human/mlqe_pe_da.jsonl.gz"]       # rows of the split "train", or of none
whole = ["corpora/xnli_parallel15.jsonl.gz"]  # all rows

[training]
epochs = 1

[[human]]                          # pairs with human scores, a file below --data
file = "human/wmt15_da_seg.jsonl.gz"
by = "lp"                          # scores are comparable within a language pair

[[drawn]]                          # pairs that the teachers score
kind = "systems"
file = "human/wmt18_toen_systems.jsonl.gz"
count = 8000

[[drawn]]                          # segments of a paraphrase and damaged texts; only their differences are learned
kind = "contrasts"
file = "human/mrpc.jsonl.gz"
count = 8000
scores = { paraphrase = 1.0 }
within = true

[source]                           # a second judge over the same encoder, which compares with sources: see SourceRecipe
shared = 3                         # with layers of its own above the third

[[teachers]]                       # learns from the human scores, as the student does
start = "mpnet-base"

[distillation]                     # first learn the token vectors of a finished student
teacher = "small"
corpus = "corpora/corpus_en.tsv.gz"

A recipe may change another one that lies beside it: tables and values of its own replace those of the other.
It may go on learning where another one ended: the same student, with training and pairs of its own.

based_on = "multi.toml"
leaves_out = ["judges/*"]          # without the [[human]] and [[drawn]] tables of these files
after = "multi-first.toml"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, TypeAlias

from farthing.core.errors import InputError
from farthing.core.schema import record
from farthing.files.toml import read_toml
from farthing.learn.adapters.methods import AdapterMethod
from farthing.learn.data.examples import Teaches
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.vocabulary import TableBits, Vocabulary
from farthing.students.layout import EDITS, SURFACE

BASED_ON, LEAVES_OUT = "based_on", "leaves_out"  #: keys of a recipe that changes another one
AFTER = "after"  #: the key of a recipe that goes on where another one ended
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


@dataclass(frozen=True, slots=True)
class StudentRecipe:
    """Everything that makes a student.

    :param training: how the student is trained; teachers have tables of their own
    :param source: a second judge over the student's encoder
    :param vocabulary: prunes the vocabulary of the model that the student starts from
    :param table_bits: per number of the table of word vectors; 2 are rounded before the student learns
    :param unrelated: the corpus whose sentences, two by two, set the lower end of the scale; if it is empty, or there
        are only sources to compare with, outputs beside the texts of other segments do
    :param parallel: texts in several languages, which set the ends of the scale instead
    :param about: facts for the finished folder
    :param after: what the student learns first
    """

    kind: Literal["match", "static"]
    student: JudgeRecipe
    training: MatchSettings = field(default_factory=MatchSettings)
    human: tuple[HumanPairs, ...] = ()
    drawn: tuple[DrawnPairs, ...] = ()
    teachers: tuple[JudgeRecipe, ...] = ()
    distillation: Distillation | None = None
    source: SourceRecipe | None = None
    vocabulary: Vocabulary | None = None
    table_bits: TableBits = 8
    unrelated: str = "corpora/corpus_en.tsv.gz"
    parallel: str | None = None
    seed: int = 1
    about: Mapping[str, object] = field(default_factory=dict)
    after: StudentRecipe | None = None


def read_student_recipe(path: str | Path) -> StudentRecipe:
    """Read a recipe; a wrong key or value gets a sentence that names it."""
    path = Path(path)
    content = _whole(path)
    first = content.pop(AFTER, None)
    recipe = record(StudentRecipe, content, str(path))
    if not recipe.human and not (recipe.drawn and all(one.finished for one in recipe.teachers)):
        raise InputError(
            "there is no [[human]] table: a student needs human scores, or pairs and a finished teacher", path=str(path)
        )
    _check_teaching(recipe, path)
    recipe = replace(recipe, student=replace(recipe.student, training=recipe.training))
    return recipe if first is None else replace(recipe, after=_earlier(recipe, path, str(first)))


def _check_teaching(recipe: StudentRecipe, path: Path) -> None:
    """Raise a sentence if pairs teach a part that the student does not have."""
    has = {"all": True, "edits": EDITS in recipe.student.features, "tokens": recipe.student.aside}
    told = {"edits": '"edits" among the student\'s features', "tokens": "aside = true of the student"}
    for one in recipe.drawn:
        if one.teaches != "all" and not (one.within and has[one.teaches]):
            message = f'teaches = "{one.teaches}" needs within = true, and {told[one.teaches]}'
            raise InputError(message, path=str(path))


def _earlier(recipe: StudentRecipe, path: Path, name: str) -> StudentRecipe:
    """Read the recipe that the student follows first, which must be one of a student of the same shape."""
    if path.name == name:
        raise InputError("a recipe cannot come after itself", path=str(path))
    first = read_student_recipe(path.with_name(name))
    if _shape(first) != _shape(recipe):
        raise InputError(f"it makes a student of another shape than {name}, which it goes on from", path=str(path))
    return first


def _shape(recipe: StudentRecipe) -> tuple[object, ...]:
    """Return all that decides which weights a student has."""
    student = replace(recipe.student, training=MatchSettings(), continues=None)
    return recipe.kind, student, recipe.source, recipe.vocabulary


def _whole(path: Path) -> dict[str, object]:
    """Read the tables of a recipe, on top of those of the recipe beside it that it may be based on."""
    own = read_toml(path)
    if (base := own.pop(BASED_ON, None)) is None:
        return own
    left_out = own.pop(LEAVES_OUT, [])
    if not isinstance(base, str) or not isinstance(left_out, list):
        raise InputError(
            f"{BASED_ON!r} must be the name of a recipe, {LEAVES_OUT!r} a list of patterns", path=str(path)
        )
    content = {**_whole(path.with_name(base)), **own}
    for table in ("human", "drawn"):
        rows = content.get(table)
        if isinstance(rows, list):
            content[table] = [row for row in rows if not any(fnmatchcase(row["file"], one) for one in left_out)]
    return content
