"""The recipe of a matching student: one TOML file from named inputs to a finished folder.

kind = "match"                     # or "static"
seed = 1

[student]
start = "e5-small"                 # a folder below --models, or any model's name
layers = 8
hidden = 16                        # units of the head

[training]
epochs = 1
rate = 3e-5

[[human]]                          # pairs with human scores, a file below --data
file = "human/wmt15_da_seg.jsonl.gz"
groups = "lp"

[[drawn]]                          # pairs that the teachers score
kind = "systems"
file = "human/wmt18_toen_systems.jsonl.gz"
count = 8000

[[teachers]]                       # learns from the human scores, as the student does
start = "mpnet-base"
layers = 8

[distillation]                     # first learn a finished student's token vectors
teacher = "small"
corpus = "corpora/corpus_en.tsv.gz"
sentences = 10000
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from farthing.core.errors import InputError, UnknownName
from farthing.files.read import check_file
from farthing.learn.match.settings import MatchSettings

Table = TypeVar("Table")


@dataclass(frozen=True, slots=True)
class Start:
    """Where a judge begins: a model's folder, the layers that are kept, and its head's hidden units.

    :param finished: it is a finished student, whose scores are taken as they are (a teacher only)
    :param continues: begin where the teacher of this number (from 1) ended, its head included (a student only)
    :param width: numbers a token vector, of tables (static) or of a table beside a transformer (skip)
    :param window: how many tokens to each side move a token's vector (static)
    """

    start: str = ""
    layers: int | None = None
    hidden: int = 16
    width: int | None = None
    window: int = 3
    skip: bool = False
    finished: bool = False
    continues: int | None = None
    training: MatchSettings = field(default_factory=MatchSettings)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Pairs that the teachers score."""

    kind: str
    file: str
    count: int
    weight: float = 1.0
    most_words: int = 80
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Human:
    """Pairs with human scores."""

    file: str
    groups: str | None = None
    only: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    count: int | None = None
    weight: float = 1.0
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class Distillation:
    """Token distillation before training: the student learns a finished student's token vectors.

    :param sentences: so many of the corpus, and as many of the drawn pairs
    """

    teacher: str
    corpus: str
    sentences: int = 10_000
    epochs: int = 1
    rate: float = 5e-4


@dataclass(frozen=True, slots=True)
class StudentRecipe:
    """Everything that makes a student."""

    kind: str
    student: Start
    human: tuple[Human, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    teachers: tuple[Start, ...] = ()
    distillation: Distillation | None = None
    unrelated: str = "corpora/corpus_en.tsv.gz"
    seed: int = 1
    about: Mapping[str, Any] = field(default_factory=dict)


def read_student_recipe(path: str | Path) -> StudentRecipe:
    """A recipe from its file; a wrong key gets a sentence that names it."""
    check_file(str(path))
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"broken TOML: {error}", path=str(path)) from error
    if content.get("kind") not in ("match", "static"):
        raise InputError(f"kind = {content.get('kind')!r} is neither 'match' nor 'static'", path=str(path))
    student = {**content.pop("student", {}), "training": content.pop("training", {})}
    content["student"] = _start(student, path)
    content["teachers"] = tuple(_start(one, path) for one in content.pop("teachers", ()))
    content["human"] = tuple(_table(Human, one, path) for one in content.pop("human", ()))
    content["drawn"] = tuple(_table(Drawn, one, path) for one in content.pop("drawn", ()))
    if not content["human"] and not (content["drawn"] and all(one.finished for one in content["teachers"])):
        raise InputError(
            "there is no [[human]] table: a student needs human scores, or pairs and a finished teacher", path=str(path)
        )
    if (distillation := content.pop("distillation", None)) is not None:
        content["distillation"] = _table(Distillation, distillation, path)
    return _table(StudentRecipe, content, path)


def _start(content: Mapping[str, Any], path: str | Path) -> Start:
    plan = _table(MatchSettings, content.get("training", {}), path)
    return _table(Start, {**content, "training": plan}, path)


def _table(shape: type[Table], content: Mapping[str, Any], path: str | Path) -> Table:
    known = {one.name for one in fields(shape)}  # type: ignore[arg-type]
    for key in content:
        if key not in known:
            raise UnknownName(f"key of {path}", key, known)
    try:
        return shape(**{key: tuple(value) if isinstance(value, list) else value for key, value in content.items()})
    except TypeError as error:
        raise InputError(f"a table is incomplete: {error}", path=str(path)) from error
