"""Folders of test sets: which files are what."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.files.suite import SuiteFolder, read_suite


def make(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text\n")
    return root


def test_sets_and_language_pairs(tmp_path: Path) -> None:
    root = make(
        tmp_path,
        "wmt20/en-de/src", "wmt20/en-de/ref.a", "wmt20/en-de/ref.b", "wmt20/en-de/hyp.one", "wmt20/en-de/hyp.two.txt",
        "wmt20/de-en/source.de", "wmt20/de-en/reference.txt", "wmt20/de-en/hyp.v1.2.jsonl.gz", "README.md",
    )  # fmt: skip
    first, second = read_suite(root)
    assert (first.name, first.pair, list(first.systems)) == ("wmt20", "de-en", ["v1.2"])
    assert second == SuiteFolder(
        "wmt20",
        "en-de",
        {"one": str(root / "wmt20/en-de/hyp.one"), "two": str(root / "wmt20/en-de/hyp.two.txt")},
        [str(root / "wmt20/en-de/ref.a"), str(root / "wmt20/en-de/ref.b")],
        str(root / "wmt20/en-de/src"),
    )


@pytest.mark.parametrize(
    ("folder", "wanted"),
    [("", ("suite", "")), ("en-de", ("suite", "en-de")), ("news", ("news", "")), ("a/b/fr-en", ("a/b", "fr-en")),
     ("set/zho_Hans-eng_Latn", ("set", "zho_Hans-eng_Latn"))],
)  # fmt: skip
def test_the_names_of_folders(tmp_path: Path, folder: str, wanted: tuple[str, str]) -> None:
    root = make(tmp_path / "suite", *(str(Path(folder) / name) for name in ("ref0.txt", "ref1.txt", "hyp.txt")))
    [found] = read_suite(root)
    assert (found.name, found.pair) == wanted
    assert (list(found.systems), len(found.references), found.source) == (["hyp"], 2, None)


def test_folders_without_a_set_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no test set"):
        read_suite(make(tmp_path / "a", "set/ref", "set/src"))
    with pytest.raises(InputError, match="has 2 files of sources"):
        read_suite(make(tmp_path / "b", "src.a", "src.b", "hyp.one"))
    with pytest.raises(InputError, match="holds a run"):
        read_suite(make(tmp_path / "c", "manifest.json"))
