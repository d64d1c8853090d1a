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
from typing import Literal

from farthing.core.errors import InputError
from farthing.core.schema import record
from farthing.files.toml import read_toml
from farthing.learn.match.recipe_tables import Distillation, DrawnPairs, HumanPairs, JudgeRecipe, SourceRecipe
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.vocabulary import TableBits, Vocabulary
from farthing.students.layout import EDITS

BASED_ON, LEAVES_OUT = "based_on", "leaves_out"  #: keys of a recipe that changes another one
AFTER = "after"  #: the key of a recipe that goes on where another one ended


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
    """Raise a sentence if pairs teach a part that the student does not have, or name a teacher that there is not."""
    has = {"all": True, "edits": EDITS in recipe.student.features, "tokens": recipe.student.aside}
    told = {"edits": '"edits" among the student\'s features', "tokens": "aside = true of the student"}
    for one in recipe.drawn:
        if one.teaches != "all" and not (one.within and has[one.teaches]):
            message = f'teaches = "{one.teaches}" needs within = true, and {told[one.teaches]}'
            raise InputError(message, path=str(path))
        if unknown := set(one.by) - {teacher.start for teacher in recipe.teachers}:
            raise InputError(f"by names {min(unknown)!r}, which is none of the [[teachers]]", path=str(path))


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
