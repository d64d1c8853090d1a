"""Fingerprints: equal for equal texts, wherever they come from."""

from __future__ import annotations

from pathlib import Path

from farthing import Pairs
from farthing.files.fingerprint import fingerprint
from farthing.files.inputs import Given, Inputs


def write(path: Path, *rows: str) -> str:
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_files_and_memory_have_the_same_fingerprint(tmp_path: Path) -> None:
    a, r = write(tmp_path / "a.txt", *"abc"), write(tmp_path / "r.txt", *"xyz")
    pairs = Pairs.of(list("abc"), list("xyz"), system="s")
    assert fingerprint(Inputs([a], [r], names=["s"])) == fingerprint(Given([pairs]))


def test_every_text_its_place_and_the_names_count_for_the_fingerprint() -> None:
    base = Pairs.of(["ab", "c"], ["x", "y"], ["s", "t"], system="s")
    others = [
        Pairs.of(["a", "bc"], ["x", "y"], ["s", "t"], system="s"),
        Pairs.of(["c", "ab"], ["x", "y"], ["s", "t"], system="s"),
        Pairs.of(["ab", "c"], [["x", "y"], []], ["s", "t"], system="s"),
        Pairs.of(["ab", "c"], ["x", "y"], ["s", ""], system="s"),
        Pairs.of(["ab", "c"], ["x", "y"], None, system="s"),
        Pairs.of(["ab", "c"], ["x", "y"], ["s", "t"], system="t"),
    ]
    names = {fingerprint(Given([pairs])) for pairs in [base, *others]}
    assert len(names) == 7
    assert fingerprint(Given([base, others[-1]])) not in names
