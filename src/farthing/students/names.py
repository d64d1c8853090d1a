"""The names of students: Farthing's own sizes, with or without a version (`small@1`), and the published models."""

from __future__ import annotations

from itertools import product
from typing import Literal, TypeAlias, get_args

from farthing.core.errors import FarthingError, UnknownName
from farthing.encoders.folder.locate import INSTALLED_BY, find_student, missing_student, versioned_name

Size: TypeAlias = Literal["nano", "tiny", "small", "multi", "source"]  #: those that come with the package

_SIZES = ("tiny", "small", "medium")
_TEACHERS = ("bert-base_bert-score", "roberta_bert-score", "deberta_bert-score", "bert-base_mover-score")
PUBLISHED = tuple(map("moussaKam/frugalscore_{0[1]}_{0[0]}".format, product(_TEACHERS, _SIZES)))


def is_size(name: str) -> bool:
    """Tell whether a name is that of one of Farthing's own students, with or without a version.

    >>> is_size("small"), is_size("base@2"), is_size("minilm")
    (True, True, False)
    """
    return name.partition("@")[0] in (*get_args(Size), *INSTALLED_BY)


def size_told(name: str) -> str:
    """Return the size that a signature names, without its version if that is the one that the size has here."""
    size = name.partition("@")[0]
    folder = find_student(size)
    return size if folder and name == versioned_name(size, folder) else name


def missing_size(name: str) -> FarthingError:
    """Make the sentence for a size that is not on this machine: how to get it, or which sizes there are."""
    version = name.partition("@")[2]
    if is_size(name) and (not version or version.isdecimal()):
        return missing_student(name)
    return UnknownName("size", name, [*get_args(Size), *INSTALLED_BY])


def full_name(model: str) -> str:
    """Return the whole name of a published model, whose owner may be left out; other names stay as they are."""
    if not model.startswith("frugalscore_"):
        return model
    full = f"moussaKam/{model}"
    if full not in PUBLISHED:
        raise UnknownName("published FrugalScore", model, [name.partition("/")[2] for name in PUBLISHED])
    return full
