"""The captions of a paper: what each table or figure shows, the command that runs it here, and the stored result."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"


@dataclass(frozen=True)
class ResultTable:
    """A table of texts and numbers, the first row of which is the head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]


@dataclass(frozen=True)
class Result:
    """What a command printed when it was last run.

    :param commands: the commands as they were run, with names in the place of folders
    :param tables: what they printed as tables
    :param text: what they printed otherwise
    """

    commands: Sequence[str]
    tables: Sequence[ResultTable] = ()
    text: str = ""
    version: str = ""

    @classmethod
    def read(cls, path: Path) -> Self:
        content = json.loads(path.read_text(encoding="utf-8"))
        tables = [ResultTable(one["head"], one["rows"]) for one in content["tables"]]
        return cls(content["commands"], tables, content["text"], content["farthing"])

    def write(self, path: Path) -> None:
        tables = [{"head": list(one.head), "rows": [list(row) for row in one.rows]} for one in self.tables]
        content = {"farthing": self.version, "commands": list(self.commands), "tables": tables, "text": self.text}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Item:
    """One caption.

    :param name: such as table11
    :param shows: what the table or figure shows, in a sentence
    :param data: what it was run on in the paper and here
    :param run: the commands, with names in braces for folders and metrics; none for an illustration
    :param first: commands that prepare data
    :param same: the caption whose experiment this one is part of
    :param yours: where data or weights go that cannot be shared, and what is run on them
    :param differs: what differs from the paper, and why
    :param published: the paper's own numbers, as far as they can be compared
    """

    name: str
    shows: str
    data: str = ""
    run: Sequence[str] = ()
    first: Sequence[str] = ()
    same: str = ""
    yours: str = ""
    differs: str = ""
    published: Sequence[Sequence[str | float]] = ()
    heavy: str = ""
    picture: str = ""

    @property
    def illustration(self) -> bool:
        """True for a figure that explains something and has no experiment behind it."""
        return not self.run and not self.same

    @property
    def title(self) -> str:
        """The name as the paper has it.

        >>> Item("table11", "").title
        'Table 11'
        """
        kind = "table" if self.name.startswith("table") else "figure"
        return f"{kind.capitalize()} {self.name.removeprefix(kind)}"


@dataclass(frozen=True)
class Paper:
    """A paper, its captions in their order, and the lists of metrics that its commands name."""

    name: str
    title: str
    intro: str
    items: Mapping[str, Item]
    metrics: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, name: str) -> Self:
        """Read a paper's file; its name is that of the file."""
        with (HERE / f"{name}.toml").open("rb") as file:
            content = tomllib.load(file)
        items = {one["name"]: Item(**one) for one in content["item"]}
        return cls(name, content["title"], content["intro"], items, content.get("metrics", {}))

    def experiment(self, item: Item) -> Item:
        """Return the caption whose commands an item shares, or the item itself."""
        return self.items[item.same] if item.same else item

    def result(self, item: Item) -> Result | None:
        """Return the stored result of an item, if there is one."""
        path = RESULTS / self.name / f"{self.experiment(item).name}.json"
        return Result.read(path) if path.is_file() else None


def paper_names() -> list[str]:
    """List the papers that there are."""
    return sorted(path.stem for path in HERE.glob("*.toml"))
