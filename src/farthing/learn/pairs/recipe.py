"""The recipe of a set of training pairs: a small TOML file that says everything, and is stored with the result.

seed = 1
size = 20000                # pairs altogether

[filter]
max_words = 200

[sources.perturbation]
corpus = "corpus.txt"
weight = 2                  # the share of this source; 1 where it is not set

[sources.news]              # the same kind of source again, under a name of its own
source = "perturbation"
corpus = "news.txt"
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from farthing.core.errors import InputError, UnknownName, UsageError
from farthing.core.specs import parse_spec
from farthing.files.read import check_file
from farthing.learn.pairs import SOURCES

_FILES = ("corpus", "file", "cache")  # options that name files, relative to the recipe


@dataclass(frozen=True, slots=True)
class Filter:
    """Which pairs are kept."""

    min_words: int = 1
    max_words: int = 400
    equal: bool = False
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.min_words <= self.max_words:
            raise UsageError("filter: min_words must lie between 0 and max_words")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Sizes, seeds, filters and sources.

    :param sources: for each source its options; "weight" is its share
    """

    sources: Mapping[str, Mapping[str, Any]]
    size: int = 10_000
    seed: int = 1
    filter: Filter = field(default_factory=Filter)

    def __post_init__(self) -> None:
        if not self.sources:
            raise UsageError(f"the recipe has no source (there are: {', '.join(SOURCES)})")
        for name in self.sources:
            if self.kind(name) not in SOURCES:
                raise UnknownName("source of pairs", self.kind(name), SOURCES)
        if self.size < 1:
            raise UsageError("the recipe's size must be at least 1")
        if any(weight < 0 for weight in self.weights.values()) or not sum(self.weights.values()):
            raise UsageError("the weights of the sources must not be negative, nor all zero")

    @property
    def weights(self) -> dict[str, float]:
        """The share of every source."""
        return {name: float(options.get("weight", 1)) for name, options in self.sources.items()}

    def kind(self, name: str) -> str:
        """Which source a name stands for: the one it says, or else the one of that name."""
        return str(self.sources[name].get("source", name))

    def options(self, name: str) -> dict[str, Any]:
        """A source's own options."""
        return {key: value for key, value in self.sources[name].items() if key not in ("weight", "source")}

    def counts(self) -> dict[str, int]:
        """How many pairs each source shall give: its share, rounded so that the sum is right.

        >>> Recipe({"random": {}, "outputs": {"weight": 2}}, size=10).counts()
        {'random': 3, 'outputs': 7}
        """
        total, given, seen = sum(self.weights.values()), 0, 0.0
        counts = {}
        for name, weight in self.weights.items():
            seen += weight
            counts[name] = round(self.size * seen / total) - given
            given += counts[name]
        return counts

    def to_json(self) -> str:
        """Everything, for the file of pairs and for the card."""
        return json.dumps(asdict(self), ensure_ascii=False)


def read_recipe(path: str | Path) -> Recipe:
    """A recipe from its file; names of files in it are relative to it."""
    check_file(str(path))
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"broken TOML: {error}", path=str(path)) from error
    sources = content.pop("sources", {})
    if not isinstance(sources, dict) or not all(isinstance(options, dict) for options in sources.values()):
        raise InputError("sources is no table of tables", path=str(path), remedy="write [sources.perturbation] …")
    folder = Path(path).parent
    given = _known("filter", content.pop("filter", {}), Filter, path)
    given["exclude"] = tuple(str(folder / name) for name in given.get("exclude", ()))
    chosen = Filter(**given)
    rest = _known("recipe", content, Recipe, path)
    return Recipe({name: _placed(options, folder) for name, options in sources.items()}, filter=chosen, **rest)


def _known(what: str, table: Any, shape: type[Any], path: str | Path) -> dict[str, Any]:
    """The table where it has only keys and types that the dataclass has."""
    if not isinstance(table, dict):
        raise InputError(f"{what} is no table", path=str(path))
    kinds = {one.name: str(one.type) for one in fields(shape) if one.name not in ("sources", "filter")}
    for key, value in table.items():
        if key not in kinds:
            raise UnknownName(f"key of the {what}", key, kinds)
        wanted = {"int": int, "bool": bool}.get(kinds[key])
        if wanted and type(value) is not wanted:
            raise InputError(f"{key} = {value!r} is not {kinds[key]}", path=str(path))
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def _placed(options: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    return {
        key: str(folder / value) if key in _FILES and isinstance(value, str) else value
        for key, value in options.items()
    }


def given_recipe(
    path: Path | None,
    mix: str | None,
    corpus: str | None,
    column: str | None,
    options: list[str],
    size: int | None,
    seed: int | None,
) -> Recipe:
    """A recipe from its file, or from the command line alone; size and seed of the command line win."""
    if (path is None) == (mix is None):
        raise UsageError("give either a recipe or --mix with --corpus")
    found = read_recipe(path) if path is not None else _mixed(mix or "", corpus, column, options)
    return replace(found, size=size or found.size, seed=found.seed if seed is None else seed)


def _mixed(mix: str, corpus: str | None, column: str | None, options: list[str]) -> Recipe:
    sources: dict[str, dict[str, Any]] = {}
    for item in mix.split(","):
        name, _, weight = item.strip().partition("=")
        try:
            sources[name] = {"weight": float(weight or 1)}
        except ValueError:
            raise UsageError(f"--mix {item!r}: the weight is not a number") from None
        if corpus is not None:
            sources[name]["file" if name == "outputs" else "corpus"] = corpus
        if column is not None:
            sources[name]["column"] = int(column) if column.isdecimal() else column
    for item in options:
        key, _, value = item.partition("=")
        name, _, option = key.partition(".")
        if name not in sources or not option or not value:
            raise UsageError(f"--set {item!r} is not source.option=value of a source in --mix")
        sources[name][option] = parse_spec(f"x(y={value})").options["y"]
    return Recipe(sources)
