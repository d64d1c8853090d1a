"""Make the page of a paper from its captions and the stored results; no number on it is typed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalogue import HERE, Item, Paper, Result, ResultTable, paper_names

PICTURES = HERE.parent / "docs" / "images" / "papers"

NAMES = """Folders in commands: HUMAN holds files of human judgements, CORPORA texts, MODELS encoders, BUILD what is
made of them on the way, PAPERS is the folder `papers` of the repository, IMAGES that of the pictures, and YOURS is for
data of your own."""


RIGHT_IN = "right in "  # begins the last column of an experiment with several seeds


def page(paper: Paper) -> str:
    """Return the page in Markdown."""
    overview = ["| caption | shows | here |", "|---|---|---|", *(_overview(paper, one) for one in paper.items.values())]
    sections = [line for item in paper.items.values() for line in _section(paper, item)]
    how = f"`make paper NAME={paper.name}` runs what has no result yet, `ITEM=table1` one caption again. {NAMES}"
    return "\n".join([f"# {paper.title}", "", paper.intro.strip(), "", how, "", *overview, "", *sections]) + "\n"


def _overview(paper: Paper, item: Item) -> str:
    return f"| [{item.title}](#{item.title.lower().replace(' ', '-')}) | {item.shows} | {state(paper, item)} |"


def state(paper: Paper, item: Item) -> str:
    """Say in a few words what there is of an item."""
    if item.illustration:
        return "an illustration"
    if paper.result(item) is not None:
        return (
            f"runs, with [{paper.items[item.same].title}](#{_anchor(paper.items[item.same])})" if item.same else "runs"
        )
    heavy = paper.experiment(item).heavy
    return f"ready to run: {heavy}" if heavy else "ready to run"


def _anchor(item: Item) -> str:
    return item.title.lower().replace(" ", "-")


def _section(paper: Paper, item: Item) -> Iterator[str]:
    yield from (f"## {item.title}", "", item.shows, "")
    if item.illustration:
        yield from ("This is an illustration: there is nothing to run.", "")
    if item.data:
        yield from (f"**Data.** {item.data.strip()}", "")
    if item.same:
        other = paper.items[item.same]
        yield from (f"**Runs** as part of [{other.title}](#{_anchor(other)}).", "")
    elif item.run:
        result = paper.result(item)
        yield from _commands(result.commands if result else [*item.first, *item.run])
        yield from _result(result)
    if item.yours:
        yield from (f"**On your copy.** {item.yours.strip()}", "")
    if item.picture and (PICTURES / item.picture).is_file():
        yield from (f"![{item.title}](../images/papers/{item.picture})", "")
    if item.published:
        head, *rows = item.published
        yield from ("**Published:**", "", *_table(ResultTable([str(cell) for cell in head], rows)), "")
    if item.differs:
        yield from (f"**What differs.** {item.differs.strip()}", "")


def _commands(commands: Sequence[str]) -> Iterator[str]:
    yield from ("```bash", *commands, "```", "")


def _result(result: Result | None) -> Iterator[str]:
    if result is None:
        yield from ("There is no stored result yet.", "")
        return
    yield from (f"**Here** (farthing {result.version}):", "")
    for table in result.tables:
        yield from (*_table(table), "", *findings(table))
    if result.text:
        yield from ("```text", result.text, "```", "")


def findings(table: ResultTable) -> Iterator[str]:
    """Say which findings of an experiment with several seeds repeat; nothing for other tables.

    >>> rows = [["fid, should fall", -1.2, 5], ["x, should stay", -1, 0]]
    >>> next(findings(ResultTable(["collapse", "change", "right in 5"], rows)))
    'What should happen did in all 5 runs: fid falls. In none: x stays.'
    """
    if not table.head[-1].startswith(RIGHT_IN):
        return
    runs = int(table.head[-1].removeprefix(RIGHT_IN))
    always, never, sometimes = f"What should happen did in all {runs} runs", "In none", "In some of them"
    told: dict[str, list[str]] = {always: [], never: [], sometimes: []}
    for name, *_, count in table.rows:
        score, _, course = str(name).partition(", should ")
        told[always if count == runs else sometimes if count else never].append(f"{score} {course}s")
    yield from (" ".join(f"{kind}: {', '.join(names)}." for kind, names in told.items() if names), "")


def _table(table: ResultTable) -> Iterator[str]:
    yield f"| {' | '.join(map(_text, table.head))} |"
    yield f"|---{'|--:' * (len(table.head) - 1)}|"
    yield from (f"| {' | '.join([_name(row[0]), *map(_text, row[1:])])} |" for row in table.rows)


def _name(cell: str | float | None) -> str:
    """Return the first cell of a row, which may be a number such as that of a layer."""
    return f"{cell:g}" if isinstance(cell, float | int) else _text(cell)


def _text(cell: str | float | None) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell.replace("|", "\\|").replace("\n", " ")
    return f"{cell:.0f}" if float(cell).is_integer() and abs(cell) >= 2 else f"{cell:.3f}"


def stored_tables(name: str, item: str) -> str:
    """Return the tables of the stored result of a caption, for a page that is not the paper's own.

    :param name: the paper's name
    :param item: the caption's name, such as table11
    """
    paper = Paper.read(name)
    result = paper.result(paper.items[item])
    if result is None:
        return f"There is no stored result yet: `make paper NAME={name} ITEM={item}` makes it."
    return "\n".join(line for table in result.tables for line in (*_table(table), ""))


def pages() -> dict[str, str]:
    """Return all pages by the names of their papers, and the page that lists the papers."""
    papers = [Paper.read(name) for name in paper_names()]
    rows = [f"| [{one.title}]({one.name}.md) | {len(one.items)} | {_done(one)} |" for one in papers]
    intro = "Every table and figure of the four papers, with the command that runs it here and the result it gave."
    index = ["# The papers", "", intro, "", "| paper | captions | with a stored result |", "|---|--:|--:|", *rows, ""]
    return {"index": "\n".join(index), **{one.name: page(one) for one in papers}}


def _done(paper: Paper) -> int:
    return sum(paper.result(item) is not None for item in paper.items.values() if not item.illustration)
