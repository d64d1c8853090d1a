"""Export a student of any kind that training leaves as a folder of torch."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from farthing.core.types import Need
from farthing.encoders.folder.locate import find_local
from farthing.learn.cross.export.check import Agreement
from farthing.learn.data.humans import Judged
from farthing.students.layout import StudentFolder


def export_student(
    student: str,
    target: Path,
    *,
    precision: Literal["fp32", "fp16", "int8"] = "fp32",
    pairs: Path | None = None,
    human: Judged | None = None,
    licence: str | None = None,
    overwrite: bool = False,
) -> Agreement:
    """Export a cross-encoder or an estimator; see the functions of both.

    :param pairs: pairs to check a cross-encoder on
    """
    folder = _folder(student)
    if folder is not None and folder.kind == "estimator":
        from farthing.learn.regress.export import export_estimator

        return export_estimator(student, target, precision=precision, human=human, licence=licence, overwrite=overwrite)
    from farthing.learn.cross.export.export import export

    return export(student, target, precision=precision, pairs=pairs, human=human, licence=licence, overwrite=overwrite)


def against_of(student: str) -> Need:
    """Return what a trained student compares candidates with."""
    folder = _folder(student)
    return "reference" if folder is None else folder.against


def _folder(student: str) -> StudentFolder | None:
    """Read the folder of a student that is on this machine."""
    place = Path(student) if Path(student).is_dir() else find_local(student)
    return None if place is None else StudentFolder.read(place)
