"""Which licence a teacher has, as far as its folder says, and whether that allows commercial use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from farthing.core.errors import ModelError
from farthing.core.specs import Spec
from farthing.encoders.folder.locate import find_local
from farthing.scoring.identity import contents
from farthing.students.layout import StudentFolder

_FRONT = re.compile(r"\A---\s*\n(.*?)\n---", re.DOTALL)  # the facts at the top of a model's card
_LICENCE = re.compile(r"^licen[cs]e:\s*[\"']?([^\"'\n]+)", re.MULTILINE)
_NOT_FOR_MONEY = re.compile(r"(?i)\bnc\b|non[- ]?commercial|research[- ]only")


def licence_of(folder: Path) -> str | None:
    """Read the licence of a model's folder: from a student's facts, or from the top of its README.md."""
    try:
        told = StudentFolder.read(folder).facts.get("licence")
    except ModelError:
        told = None
    if isinstance(told, str):
        return told
    try:
        front = _FRONT.match((folder / "README.md").read_text(encoding="utf-8"))
    except OSError:
        return None
    found = _LICENCE.search(front[1]) if front else None
    return found[1].strip() if found else None


def teacher_licence(specs: Iterable[Spec]) -> str | None:
    """Name the licences of the models that some metrics use; None if no folder tells one."""
    names = dict.fromkeys(name for spec in specs for name in contents(spec))
    places = [Path(name) if Path(name).exists() else find_local(name) for name in names]  # an asset may be a file
    found = dict.fromkeys(filter(None, (licence_of(place) for place in places if place and place.is_dir())))
    return " + ".join(found) or None


def is_non_commercial(licence: str | None) -> bool:
    """Tell whether a licence is known to allow no commercial use.

    >>> is_non_commercial("cc-by-nc-sa-4.0"), is_non_commercial("apache-2.0"), is_non_commercial(None)
    (True, False, False)
    """
    return bool(licence and _NOT_FOR_MONEY.search(licence))
