"""Read the style sheet and the script modules, one by one or joined for a page that is a single file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from farthing.core.errors import UsageError

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const)\b)", re.MULTILINE)


@cache
def web_asset(name: str) -> str:
    """Return the text of an asset, such as `style.css` or `list.js`."""
    path = files("farthing.report.web") / name
    if not path.is_file() or name not in web_assets():
        raise UsageError(f"{name} is no asset of the pages (there are: {', '.join(web_assets())})")
    return path.read_text(encoding="utf-8")


def web_assets() -> list[str]:
    """Return the names of all assets."""
    names = (path.name for path in files("farthing.report.web").iterdir())
    return sorted(name for name in names if name.endswith((".css", ".js")))


def joined_script(first: str) -> str:
    """Return a module and all that it imports as one script without imports.

    The modules stand in the order in which they need each other. Each keeps its own comment at the top.
    """
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", web_asset(name))) for name in dict.fromkeys(_needed(first)))


def _needed(name: str) -> Iterator[str]:
    """Yield what a module imports, then the module; a module may come again."""
    for other in _IMPORT.findall(web_asset(name)):
        yield from _needed(other)
    yield name
