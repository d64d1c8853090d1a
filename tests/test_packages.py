"""The packages beside Farthing: built from a copy with a stand-in for the weights, and used as pip would leave them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import farthing
from farthing.encoders.folder.locate import EMBEDDED, INSTALLED_BY, STUDENTS
from farthing.students.layout import add_facts

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "packages" / "base"
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package without weights."""
    ignored = shutil.ignore_patterns("base.*", "dist", "*.onnx", "*.safetensors")
    folder = Path(shutil.copytree(PACKAGE, tmp_path / "package", ignore=ignored))
    shutil.rmtree(folder / "src" / "farthing_base" / "base", ignore_errors=True)
    return folder


@pytest.fixture
def filled(copy: Path) -> Path:
    """The package with the parts of tiny instead of its own weights."""
    student = Path(shutil.copytree(EMBEDDED / "tiny", copy / "src" / "farthing_base" / "base"))
    shutil.copyfile(EMBEDDED / "small" / "tokenizer.json", student / "tokenizer.json")
    add_facts(student, size="base", version=int(described()["version"].partition(".")[0]))
    (student / "encoder.fp32.onnx").write_bytes(b"large")
    return copy


def described() -> dict[str, str]:
    project: dict[str, str] = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def build(folder: Path, target: Path) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("hatchling", reason="hatchling, which builds wheels, is not installed")
    command = [sys.executable, "-c", BUILD, str(target)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def farthing_with(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in an environment that has one more package."""
    paths = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "farthing", *arguments],
        cwd=PROJECT / "examples" / "translation", env={**os.environ, "PYTHONPATH": paths}, capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip


def test_the_names_are_those_that_farthing_asks_for() -> None:
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == INSTALLED_BY["base"]
    assert project["entry-points"][STUDENTS] == {"base": "farthing_base"}
    assert (PACKAGE / "src" / "farthing_base" / "__init__.py").is_file()
    own = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [one for extra in own["project"]["optional-dependencies"].values() for one in extra]
    assert not any("farthing-base" in one for one in [*own["project"]["dependencies"], *asked])  # never by default


def test_a_wheel_is_found_and_scores(filled: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    built = build(filled, tmp_path)
    assert built.returncode == 0, built.stderr
    with zipfile.ZipFile(tmp_path / built.stdout.split()[-1]) as wheel:
        names = {name for name in wheel.namelist() if name.startswith("farthing_base/")}
        wheel.extractall(site)
    student = {"config.json", "encoder.onnx", "head.safetensors", "tokenizer.json", "tokenizer_config.json"}
    student |= {"card.md", "card.json"}
    assert names == {"farthing_base/__init__.py", *(f"farthing_base/base/{name}" for name in student)}
    texts = ("fluent.en", "-r", "reference.en")
    found = farthing_with(site, "score", *texts, "-m", "frugalscore(size=base)", "-f", "json")
    assert found.returncode == 0, found.stderr
    assert f"model:base@{described()['version'].partition('.')[0]}|" in found.stdout
    lines = [(PROJECT / "examples" / "translation" / name).read_text().splitlines() for name in texts[::2]]
    wanted = farthing.score(*lines, metric="frugalscore(size=tiny)")  # whose parts it has
    assert f'"corpus": {wanted.corpus}' in found.stdout
    assert str(site / "farthing_base" / "base") in farthing_with(site, "models", "list").stdout
    assert farthing_with(site, "score", *texts, "-m", "bertscore(model=base)").returncode == 0


def test_without_it_a_sentence_says_what_to_install() -> None:
    done = farthing_with(Path(), "score", "fluent.en", "-r", "reference.en", "-m", "frugalscore(size=base)")
    if done.returncode == 0:
        pytest.skip("farthing-base is installed")
    assert done.stderr == "farthing: the student base comes in a package of its own: pip install farthing-base\n"


def test_a_package_without_its_student_is_not_built(copy: Path, tmp_path: Path) -> None:
    done = build(copy, tmp_path)
    assert done.returncode != 0
    assert "has no config.json, encoder.onnx, head.safetensors, tokenizer.json, card.md" in done.stderr + done.stdout
    assert not list(tmp_path.glob("*.whl"))


def test_weights_of_another_version_are_not_built(filled: Path, tmp_path: Path) -> None:
    add_facts(filled / "src" / "farthing_base" / "base", version=99)
    done = build(filled, tmp_path)
    assert done.returncode != 0
    assert "the weights have version 99, but the package is" in done.stderr + done.stdout
