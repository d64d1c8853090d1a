"""Texts by language, from files of any of the usual layouts.

A file of records (jsonl …) may tell the languages by a column `lang`, by a pair such as `lp` = "en-de" (the source is
in the first one, all else in the second), or by a table of texts: {"premise": {"de": …, "en": …}}. A record may also be
a whole test set, with lists of texts and `systems` by name. A .tsv file has no header; its first column is a language
or a split, unless there is only one. What tells no language counts under the name of its file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from farthing.files.lines import lines
from farthing.files.read import format_of, records

LanguageText: TypeAlias = tuple[str, str]  #: a language, or the name of a file, and a text
COLUMNS = (
    "text", "sentence", "source", "candidate", "reference", "references", "premise", "hypothesis", "captions",
    "systems",
)  # fmt: skip
TRAINING = ("train", "training")
SPLITS = frozenset([*TRAINING, "dev", "val", "valid", "validation", "test"])


def texts_by_language(paths: Iterable[Path], whole: Iterable[Path] = ()) -> dict[str, set[str]]:
    """Read the distinct texts of every language.

    :param paths: files of which only rows are read that belong to training, or to no split
    :param whole: files of which all rows are read
    """
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for path, everything in [*((path, False) for path in paths), *((path, True) for path in whole)]:
        read = _rows if format_of(str(path)) == "tsv" else _records
        for language, text in read(path, everything):
            if text.strip():
                texts[language].add(text)
    return dict(texts)


def _is_read(split: object, everything: bool) -> bool:
    return everything or split is None or str(split) in TRAINING


def _records(path: Path, everything: bool) -> Iterator[LanguageText]:
    name = path.name.partition(".")[0]
    for _, record in records(str(path)):
        if _is_read(record.get("split"), everything):
            first, _, second = str(record.get("lp") or "").partition("-")
            usual = second or str(record.get("lang") or name)
            for column in COLUMNS:
                yield from _texts(record.get(column), first if second and column == "source" else usual, column)


def _texts(value: object, language: str, column: str) -> Iterator[LanguageText]:
    """Find the texts in a value: one, a list, a table by language, or the outputs of systems."""
    if isinstance(value, str):
        yield language, value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, language, column)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _texts(one, language if column == "systems" else str(key), column)


def _rows(path: Path, everything: bool) -> Iterator[LanguageText]:
    name = path.name.partition(".")[0]
    for _, line in lines(str(path)):
        *labels, first = line.split("\t", 1)
        texts = first.split("\t")
        label = labels[0].partition("_")[0] if labels else name
        if label not in SPLITS or _is_read(label, everything):
            yield from zip(_languages(name, label, len(texts)), texts, strict=True)


def _languages(name: str, label: str, count: int) -> list[str]:
    """Name the languages of a row's texts: those that end the file's name, or the row's label and the file itself.

    >>> _languages("captions_en_de", "train", 2), _languages("tatoeba", "deu", 2)
    (['en', 'de'], ['deu', 'tatoeba'])
    """
    ending = name.split("_")[-count:]
    if len(ending) == count and all(len(one) == 2 for one in ending):
        return ending
    return [name if label in SPLITS else label, *[name] * (count - 1)]
