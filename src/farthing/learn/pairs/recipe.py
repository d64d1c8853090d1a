"""The recipe of a set of training pairs: a small TOML file that says everything, and is stored with the result.

seed = 1
size = 20000                # pairs altogether

[filter]
max_words = 200

[sources.perturbation]
corpus = "corpus.txt"
weight = 2                  # the share of this source; 1 if it is not set

[sources.news]              # the same kind of source again, under a name of its own
source = "perturbation"
corpus = "news.txt"
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from farthing.core.errors import UnknownName, UsageError
from farthing.core.options import options_of
from farthing.core.schema import record
from farthing.core.specs import parse_spec
from farthing.files.toml import read_toml
from farthing.learn.pairs.sources import SOURCES, file_option

FILES = ("corpus", "file", "cache")  # options that name files, relative to the recipe
READ = ("corpus", "file", "model", "models", "pivots")  # options that name what a source reads
SourceOptions: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which pairs are kept.

    :param equal: keep pairs of two equal texts
    :param exclude: files whose texts must not occur, such as test sets
    """

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

    sources: Mapping[str, SourceOptions] = field(default_factory=dict)
    size: int = 10_000
    seed: int = 1
    filter: PairFilter = field(default_factory=PairFilter)

    def __post_init__(self) -> None:
        if not self.sources:
            raise UsageError(f"the recipe has no source (there are: {', '.join(SOURCES.names())})")
        for name in self.sources:
            if self.kind(name) not in SOURCES.names():
                raise UnknownName("source", self.kind(name), SOURCES.names())
        if self.size < 1:
            raise UsageError("the recipe's size must be at least 1")
        if any(weight < 0 for weight in self.weights.values()) or not sum(self.weights.values()):
            raise UsageError("the weights of the sources must not be negative, nor all zero")

    @property
    def weights(self) -> dict[str, float]:
        """The share of every source."""
        return {name: _weight(name, options) for name, options in self.sources.items()}

    def kind(self, name: str) -> str:
        """Return the source that a name stands for: the one that its option `source` says, or the name itself."""
        return str(self.sources[name].get("source", name))

    def options(self, name: str) -> dict[str, object]:
        """Return a source's own options."""
        return {key: value for key, value in self.sources[name].items() if key not in ("weight", "source")}

    def cached(self, name: str, cache: Path | None) -> dict[str, object]:
        """Return a source's own options, with a file that keeps generated texts if it can use one and names none."""
        own, known = self.options(name), SOURCES.get(self.kind(name))
        return {"cache": str(cache), **own} if cache and "cache" in options_of(known) else own

    def files(self) -> list[str]:
        """Return the names of everything that is read: corpora, models, and files of forbidden texts."""
        named = [value for name in self.sources for key, value in self.options(name).items() if key in READ]
        return [*_texts_in(named), *self.filter.exclude]

    def counts(self) -> dict[str, int]:
        """Return how many pairs each source shall give: its share, rounded so that the sum is right.

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
        """Return everything as text, for the file of pairs and for the card."""
        return json.dumps(asdict(self), ensure_ascii=False)


def _texts_in(value: object) -> list[str]:
    """Return the strings of lists in lists."""
    if isinstance(value, str):
        return [value]
    return [text for one in value for text in _texts_in(one)] if isinstance(value, list | tuple) else []


def _weight(name: str, options: SourceOptions) -> float:
    weight = options.get("weight", 1)
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise UsageError(f"the weight of the source {name} is not a number: {weight!r}")
    return float(weight)


def read_recipe(path: str | Path) -> Recipe:
    """Read a recipe; names of files in it are relative to it."""
    recipe, folder = record(Recipe, read_toml(path), str(path)), Path(path).parent
    sources = {name: _placed(options, folder) for name, options in recipe.sources.items()}
    exclude = tuple(str(folder / name) for name in recipe.filter.exclude)
    return replace(recipe, sources=sources, filter=replace(recipe.filter, exclude=exclude))


def _placed(options: SourceOptions, folder: Path) -> dict[str, object]:
    return {
        key: str(folder / value) if key in FILES and isinstance(value, str) else value
        for key, value in options.items()
    }  # fmt: skip


def given_recipe(
    path: Path | None,
    mix: str | None,
    corpus: str | None = None,
    column: str | None = None,
    options: Sequence[str] = (),
    size: int | None = None,
    seed: int | None = None,
) -> Recipe:
    """Take a recipe from its file, or make one from `mix`; `size` and `seed` override those of the file.

    :param mix: sources with weights, such as "perturbation=2, random"
    :param corpus: the input of every source of the mix
    :param column: the column with the text, by name or by number
    :param options: more options of sources, such as "denoising.model=FOLDER"
    """
    if (path is None) == (mix is None):
        raise UsageError("give either a recipe or --mix with --corpus")
    recipe = read_recipe(path) if path is not None else _mixed(mix or "", corpus, column, options)
    return replace(recipe, size=size or recipe.size, seed=recipe.seed if seed is None else seed)


def _mixed(mix: str, corpus: str | None, column: str | None, options: Sequence[str]) -> Recipe:
    sources: dict[str, dict[str, object]] = {}
    for item in mix.split(","):
        name, _, weight = item.strip().partition("=")
        try:
            sources[name] = {"weight": float(weight or 1)}
        except ValueError:
            raise UsageError(f"--mix {item!r}: the weight is not a number") from None
        if corpus is not None:
            sources[name][file_option(name)] = corpus
        if column is not None:
            sources[name]["column"] = int(column) if column.isdecimal() else column
    for item in options:
        key, _, value = item.partition("=")
        name, _, option = key.partition(".")
        if name not in sources or not option or not value:
            raise UsageError(f"--set {item!r} is not source.option=value of a source in --mix")
        sources[name][option] = parse_spec(f"x(y={value})").options["y"]
    return Recipe(sources)
