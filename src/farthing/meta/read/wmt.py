"""Folders in which WMT publishes outputs and judgements.

- the layout of mt-metrics-eval: `system-outputs/<lp>/<system>.txt` (one file per system), `references/<lp>.<ref>.txt`,
  `sources/<lp>.txt`, `human-scores/<lp>.<name>.seg.score` and `.sys.score` (system, tab, score or None);
- the parallel files of the direct assessments of WMT15-17: `<name>.human.<lp>`, `<name>.mt-system.<lp>`,
  `<name>.reference.<lp>`, `<name>.source.<lp>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from farthing.core.errors import InputError
from farthing.files.lines import lines
from farthing.meta.judgements import Judgements
from farthing.meta.read.human import SYSTEM_SCORE, HumanColumns, judgements_of

Named: TypeAlias = tuple[list[str], dict[str, object]]  #: the names of the human scores, and one output with them


def read_folder(path: str, columns: HumanColumns | None = None) -> Judgements:
    """Read one of the two folder layouts; `columns.text.reference` and `columns.scores` choose among files."""
    folder, wanted = Path(path), columns or HumanColumns()
    if (folder / "system-outputs").is_dir():
        found = list(_evaluation_sets(folder, wanted))
    else:
        found = list(_parallel_files(folder))
    if not found:
        raise InputError(
            "not a known layout of WMT",
            path=path,
            remedy="it needs system-outputs/<lp>/ or *.mt-system.<lp> files",
        )
    scored = tuple(dict.fromkeys(name for names, _ in found for name in names))
    records = enumerate((record for _, record in found), start=1)
    return judgements_of(records, path, replace(wanted, text=HumanColumns().text, scores=scored))


def _evaluation_sets(folder: Path, wanted: HumanColumns) -> Iterator[Named]:
    for outputs in sorted((folder / "system-outputs").iterdir()):
        pair = outputs.name
        references = _references(folder, pair, wanted)
        source = folder / "sources" / f"{pair}.txt"
        sources = _texts(source) if source.is_file() else None
        scores, whole = _human_files(folder, pair, wanted)
        for file in sorted(outputs.glob("*.txt")):
            for place, text in enumerate(_texts(file)):
                record: dict[str, object] = {
                    "lp": pair,
                    "system": file.stem,
                    "segment_id": place + 1,
                    "candidate": text,
                }
                if references:
                    record["reference"] = [_at(column, place, file) for column in references]
                if sources:
                    record["source"] = _at(sources, place, file)
                for name, by_system in scores.items():
                    given = by_system.get(file.stem, [])
                    record[name] = given[place] if place < len(given) else None
                if whole:
                    record[SYSTEM_SCORE] = whole.get(file.stem)
                yield list(scores), record


def _references(folder: Path, pair: str, wanted: HumanColumns) -> list[list[str]]:
    files = sorted((folder / "references").glob(f"{pair}.*.txt"))
    named = {file.name.removeprefix(f"{pair}.").removesuffix(".txt"): file for file in files}
    for name in wanted.text.reference:
        if name not in named:
            raise InputError(
                f"no reference {name!r} for {pair}", path=str(folder), remedy=f"there are: {', '.join(named)}"
            )
    chosen = [named[name] for name in wanted.text.reference] or files[:1]
    return [_texts(file) for file in chosen]


def _human_files(
    folder: Path, pair: str, wanted: HumanColumns
) -> tuple[dict[str, dict[str, list[str]]], dict[str, str]]:
    """Return, by name, the scores of every system's segments; and the scores of the systems as wholes."""
    scores: dict[str, dict[str, list[str]]] = {}
    whole: dict[str, str] = {}
    for file in sorted((folder / "human-scores").glob(f"{pair}.*.score")):
        name, level = file.name.removeprefix(f"{pair}.").removesuffix(".score").rsplit(".", 1)
        if wanted.scores and name not in wanted.scores:
            continue
        by_system: dict[str, list[str]] = {}
        for number, line in lines(str(file)):
            cells = line.split()
            if len(cells) != 2:
                raise InputError("expected a system and a score", path=str(file), line=number)
            by_system.setdefault(cells[0], []).append(cells[1])
        if level == "seg":
            scores[name] = by_system
        elif level == "sys" and not whole:
            whole = {system: values[0] for system, values in by_system.items()}
    return scores, whole


def _parallel_files(folder: Path) -> Iterator[Named]:
    for outputs in sorted(folder.glob("*.mt-system.*")):
        stem, pair = outputs.name.split(".mt-system.")
        roles = {"candidate": "mt-system", "reference": "reference", "source": "source", "score": "human"}
        files = {key: folder / f"{stem}.{role}.{pair}" for key, role in roles.items()}
        columns = {key: _texts(file) for key, file in files.items() if file.is_file()}
        for place in range(len(columns["candidate"])):
            record = {key: _at(column, place, files[key]) for key, column in columns.items()}
            yield ["score"] if "score" in columns else [], {"lp": pair, "segment_id": place + 1, **record}


def _texts(file: Path) -> list[str]:
    return [text for _, text in lines(str(file))]


def _at(column: list[str], place: int, file: Path) -> str:
    if place >= len(column):
        raise InputError(
            f"only {len(column)} lines, others have more", path=str(file), remedy="give one line per segment"
        )
    return column[place]
