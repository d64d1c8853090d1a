"""Write the reference pages while the site is built: commands and metrics describe themselves.

mkdocs calls :func:`on_files`. The pages exist only in the site, so they cannot be out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import farthing
from farthing.app.cli.pages import CommandPage, OptionPage, command_pages
from farthing.core.options import Option
from farthing.core.registry import METRICS, metric_names, metric_options
from farthing.core.specs import format_value


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to those of the folder."""
    pages = {"commands": commands_page(), "metrics": metrics_page(), "python": python_page()}
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def commands_page() -> str:
    """Return the reference of all commands and options."""
    intro = "Every command with all of its options, as `farthing COMMAND --help` prints them."
    return "\n".join(["# Commands", "", intro, "", *(line for page in command_pages() for line in _command(page))])


def _command(page: CommandPage) -> Iterator[str]:
    level = "##" if page.name.count(" ") == 1 else "###"
    yield from (f"{level} {page.name}", "", page.summary, "")
    if page.text:
        yield from (page.text, "")
    if page.examples:
        yield from ("```bash", *page.examples, "```", "")
    yield from _table(("option", "meaning"), ((_flags(option), _meaning(option)) for option in page.options))


def _flags(option: OptionPage) -> str:
    names = ", ".join(f"`{flag}`" for flag in option.flags) or f"`{option.value.upper()}`"
    return f"{names} `{option.value.upper()}`" if option.flags and option.value and not option.choices else names


def _meaning(option: OptionPage) -> str:
    notes = [
        f"One of {', '.join(f'`{choice}`' for choice in option.choices)}." if option.choices else "",
        "May be given several times." if option.several and option.flags and "again" not in option.help else "",
        f"Default: `{option.default}`." if option.default else "",
        "Required." if option.required and option.flags else "",
    ]
    return " ".join([_cell(option.help), *filter(None, notes)])


def metrics_page() -> str:
    """Return all metrics with all of their options."""
    intro = "Every metric with all of its options, as `farthing metrics NAME` prints them."
    lines = (line for name in metric_names() for line in _metric(name))
    return "\n".join(["# Options of the metrics", "", intro, "", *lines])


def _metric(name: str) -> Iterator[str]:
    about = METRICS.get(name).about
    yield from (f"## {name}", "", f"{about.summary}", "")
    options = metric_options(name).values()
    yield from _table(("option", "type", "default", "meaning"), map(_option, options))


def _option(option: Option) -> tuple[str, ...]:
    return f"`{option.name}`", _cell(option.type_name), _default(option), _cell(option.help)


def _default(option: Option) -> str:
    return "required" if option.default is ... else f"`{format_value(option.default)}`"


def python_page() -> str:
    """Return the reference of the public names, from their docstrings."""
    intro = "Every public name with its parameters. [The overview](../api.md) explains them by task."
    names = [name for name in farthing.__all__ if not name.startswith("__")]
    blocks = (f"::: {_home(name)}" for name in names)
    return "\n\n".join(["# Classes and functions", intro, *blocks])


def _home(name: str) -> str:
    target = getattr(farthing, name)
    return f"{target.__module__}.{target.__qualname__}"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if lines:
        columns = tuple(head)
        yield from (f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}", *lines, "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
