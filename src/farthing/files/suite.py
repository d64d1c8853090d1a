"""A folder of test sets: one subfolder per set and language pair, with sources, references and outputs of systems.

SET/PAIR/src            or src.txt, source.en …
SET/PAIR/ref            or ref.txt, or several: ref.a, ref.b …
SET/PAIR/hyp.SYSTEM     one file per system, of any format
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from farthing.core.errors import InputError
from farthing.files.lines import PACKED
from farthing.files.read import SUFFIXES
from farthing.files.run_folder import MANIFEST

_SOURCE = re.compile(r"(src|source)s?([._-].*)?\Z", re.IGNORECASE)
_REFERENCE = re.compile(r"(ref|reference)s?\d*([._-].*)?\Z", re.IGNORECASE)
_OUTPUT = re.compile(r"(hyp|hypothesis|output|system|sys)([._-](?P<system>.+))?\Z", re.IGNORECASE)
_PAIR = re.compile(r"[a-z]{2,3}(_\w+)?-[a-z]{2,3}(_\w+)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SuiteFolder:
    """The files of one test set in one language pair.

    :param pair: the language pair; empty if the folder does not name one
    :param systems: the outputs by the name of the system
    """

    name: str
    pair: str
    systems: dict[str, str]
    references: list[str]
    source: str | None


def read_suite(folder: str | Path) -> list[SuiteFolder]:
    """Find the test sets in a folder and in those below it."""
    root = Path(folder)
    if (root / MANIFEST).is_file():
        raise InputError("holds a run, which is scored already", path=str(root), remedy="name a folder of test sets")
    places = [root, *sorted(path for path in root.rglob("*") if path.is_dir())]
    found = [one for place in places if (one := _suite_folder(root, place)) is not None]
    if not found:
        remedy = "expected SET/PAIR/ref and SET/PAIR/hyp.SYSTEM, such as wmt20/en-de/hyp.mine"
        raise InputError("holds no test set", path=str(root), remedy=remedy)
    return found


def _suite_folder(root: Path, place: Path) -> SuiteFolder | None:
    """Read one folder; None if it holds no outputs."""
    files = {path.name: path for path in sorted(place.iterdir()) if path.is_file()}
    outputs = {_system(match): files[name] for name in files if (match := _OUTPUT.match(_stem(name)))}
    if not outputs:
        return None
    names = [*place.relative_to(root).parts] or [place.resolve().name]
    pair = names.pop() if _PAIR.match(names[-1]) else ""
    sources = [str(files[name]) for name in files if _SOURCE.match(name)]
    if len(sources) > 1:
        raise InputError(f"has {len(sources)} files of sources", path=str(place), remedy="keep one src file")
    references = [str(files[name]) for name in files if _REFERENCE.match(name)]
    systems = {name: str(path) for name, path in outputs.items()}
    return SuiteFolder("/".join(names) or root.resolve().name, pair, systems, references, next(iter(sources), None))


def _system(match: re.Match[str]) -> str:
    return match["system"] or match[0]


def _stem(name: str) -> str:
    """Remove the endings that tell a file's format.

    >>> _stem("hyp.mine-v1.2.jsonl.gz")
    'hyp.mine-v1.2'
    """
    while (suffix := Path(name).suffix.lower()) in (*PACKED, *SUFFIXES):
        name = name[: -len(suffix)]
    return name
