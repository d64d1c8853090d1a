"""The shape of the house: rooms, names, sizes, and a test file for every module with logic."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

import pytest

from farthing.core import registry

PROJECT = Path(__file__).resolve().parents[1]
SOURCE = PROJECT / "src" / "farthing"
# A room may import itself and the rooms before it.
ROOMS = [
    "core", "tables", "files", "text", "encoders", "language", "align", "neighbours", "students", "metrics", "scoring",
    "judge", "meta", "learn", "bench", "report", "scale", "front", "compat", "integrations", "service", "app",
]  # fmt: skip
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
MODULES = {".".join(("farthing", *path.relative_to(SOURCE).with_suffix("").parts)): path for path in TREES}
MODULES = {name.removesuffix(".__init__"): path for name, path in MODULES.items()}


def room(path: Path) -> str:
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def shown(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Every module of farthing that a module imports: at its top, late, or for types only."""
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("farthing"))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("farthing"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


@pytest.mark.parametrize("path", [path for path in TREES if path.parent != SOURCE], ids=shown)
def test_imports_point_backwards(path: Path) -> None:
    allowed = ROOMS[: ROOMS.index(room(path)) + 1]
    wrong = [name for name in imports(path) if "." in name and name.split(".")[1] not in allowed]
    assert not wrong


def test_there_is_no_import_cycle() -> None:
    """Late imports and those for types count, too."""
    graph = {name: {other for other in imports(path) if other != name} for name, path in MODULES.items()}
    graph = {
        name: {other for other in others if other in MODULES and other != "farthing"} for name, others in graph.items()
    }
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def public_names(tree: ast.Module) -> Iterator[str]:
    """Functions, classes and aliases of types that a module defines; constants in capitals may share a name."""
    for node in tree.body:
        names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        if names and "overload" in map(ast.unparse, node.decorator_list):  # a further signature of the same function
            continue
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        yield from (name for name in names if not name.startswith("_") and not name.isupper())


def test_a_public_name_has_one_meaning() -> None:
    homes = defaultdict(list)
    for path, tree in TREES.items():
        if not shown(path).startswith(("app/cli", "compat")):
            for name in public_names(tree):
                homes[name].append(shown(path))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def functions() -> list[tuple[int, str, str]]:
    return [
        ((node.end_lineno or 0) - node.lineno + 1, shown(path), node.name)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_files_and_functions_are_short() -> None:
    assert [shown(path) for path in TREES if len(path.read_text(encoding="utf-8").splitlines()) > 300] == []
    assert [one for one in functions() if one[0] > 50] == []
    assert median(size for size, _, _ in functions()) <= 8


def test_any_is_rare() -> None:
    words = [node.id for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.Name)]
    names = [alias.name for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
             for alias in node.names]  # fmt: skip
    assert [*words, *names].count("Any") < 150


def has_logic(tree: ast.Module) -> bool:
    """True for a module that defines a function, or a class with one."""
    return any(isinstance(node, ast.FunctionDef) for node in ast.walk(tree))


def is_package(path: Path) -> bool:
    return path.name == "__init__.py"


@pytest.mark.parametrize(
    "path", [path for path, tree in TREES.items() if has_logic(tree) and not is_package(path)], ids=shown
)
def test_every_module_with_logic_has_its_test_file(path: Path) -> None:
    place = path.relative_to(SOURCE)
    assert (PROJECT / "tests" / place.parent / f"test_{place.name}").exists()


@pytest.mark.parametrize("name", sorted(registry.METRICS.builtin))
def test_every_metric_has_its_page(name: str) -> None:
    assert (PROJECT / "docs" / "metrics" / f"{name}.md").exists()
