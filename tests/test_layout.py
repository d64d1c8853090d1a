"""The shape of the project: imports point one way, and every metric has its four places."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from farthing.core import registry

PROJECT = Path(__file__).resolve().parents[1]
SOURCE = PROJECT / "src" / "farthing"
# A room may import itself and the rooms before it. `front` and `compat` are doors, between report and app.
ORDER = [
    "core", "tables", "files", "text", "encoders", "language", "align", "neighbours", "students", "metrics", "scoring",
    "meta", "learn", "report", "app",
]  # fmt: skip
DOORS = {"front", "compat"}


def imports(path: Path) -> list[tuple[str, int]]:
    """The rooms of farthing that a module imports at its top level, with line numbers."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "farthing" else [f"farthing.{alias.name}" for alias in node.names]
        found += [(name.split(".")[1], node.lineno) for name in names if name.startswith("farthing.")]
    return found


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_backwards(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0]
    allowed = set(ORDER) | DOORS if room in DOORS | {"app"} else set(ORDER[: ORDER.index(room) + 1])
    wrong = [(name, line) for name, line in imports(path) if name not in allowed]
    assert not wrong, f"{path.relative_to(SOURCE)} imports {wrong}"


@pytest.mark.parametrize("name", sorted(registry.METRICS.builtin))
def test_every_metric_has_its_page_and_tests(name: str) -> None:
    module = registry.METRICS.builtin[name].partition(":")[0].split(".")[1:]
    assert (PROJECT / "docs" / "metrics" / f"{name}.md").exists()
    assert (PROJECT / "tests" / Path(*module[:-1]) / f"test_{module[-1]}.py").exists()
