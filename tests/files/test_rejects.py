"""Broken rows: the first one stops, or all are skipped in step with the other files and kept with their reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.app.cli import main
from farthing.core.errors import InputError
from farthing.files.inputs import Inputs
from farthing.files.rejects import Rejects, skipping

GOOD = {"mt": "a b", "ref": "a c"}
FILES: dict[str, bytes] = {
    "a.jsonl": b'{"mt": "one", "ref": "r"}\n{"mt": \n{"mt": "three", "ref": "r"}\n[1]\n{"mt": 5, "ref": "r"}\n\n'
    b'{"mt": "seven", "ref": "r"}\n' + b"[" * 100_000 + b'\n{"mt": "\xff", "ref": "r"}\n',
    "a.tsv": b"mt\tref\none\tr\ntwo\nthree\tr\n\xff\tr\nx\ty\tz\nseven\tr\n",
    "a.csv": b'mt,ref\none,r\ntwo\nthree,r\n"x"y,r\n\xff,r\nseven,r\n',
}
BROKEN = {"a.jsonl": [2, 4, 5, 8, 9], "a.tsv": [3, 5, 6], "a.csv": [3, 5, 6]}


def read(inputs: Inputs) -> tuple[list[str], Rejects]:
    rejects = Rejects(frozenset({"reference"}))
    with skipping(rejects):
        next(inputs.stretches(1))  # a reading that is given up does not count
        texts = [text for systems in inputs.stretches(2) for text in systems[0].candidates]
        assert [text for systems in inputs.stretches() for text in systems[0].candidates] == texts
        rejects.write(Path(inputs.paths()[0]).with_name("rejects.jsonl"))
    return texts, rejects


@pytest.mark.parametrize("name", list(FILES))
def test_broken_rows_are_skipped_and_told(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    with pytest.raises(InputError, match=f"{name}:{BROKEN[name][0]}: "):
        list(Inputs([str(path)]).stretches())
    texts, rejects = read(Inputs([str(path)]))
    assert texts == ["one", "three", "seven"]
    told = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [entry["line"] for entry in told] == BROKEN[name]
    assert all(entry["file"] == str(path) and entry["reason"] for entry in told)
    assert rejects.count == len(told)
    assert str(rejects).startswith(f"{len(told)} rows were skipped (the first is {path}:{BROKEN[name][0]}: ")


def test_files_stay_in_step(tmp_path: Path) -> None:
    """A row that is broken in one file is skipped in all of them."""
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\n\xffthree\nfour\n")
    (tmp_path / "b.txt").write_bytes(b"ONE\nTWO\nTHREE\nFOUR\n")
    (tmp_path / "ref.txt").write_bytes(b"r1\n\xfe\nr3\nr4\n")
    inputs = Inputs([str(tmp_path / "a.txt"), str(tmp_path / "b.txt")], [str(tmp_path / "ref.txt")])
    rejects = Rejects()
    with skipping(rejects):
        [[first, second]] = inputs.stretches()
    assert (first.candidates, second.candidates) == (["one", "four"], ["ONE", "FOUR"])
    assert [list(row) for row in first.references] == [["r1"], ["r4"]]
    assert rejects.count == 2


def test_a_row_without_what_the_metrics_need_is_skipped(tmp_path: Path) -> None:
    rows = [{"mt": "a", "ref1": "r", "ref2": "s"}, {"mt": "b"}, {"mt": "c", "ref1": "r"}]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts, rejects = read(Inputs([str(path)]))
    assert texts == ["a", "c"]
    assert rejects.first is not None
    assert (rejects.first.line, rejects.first.reason) == (2, "has no reference")
    assert str(rejects).startswith("1 row was skipped (")


def test_a_table_of_several_systems(tmp_path: Path) -> None:
    lines = [json.dumps({**GOOD, "system": system, "id": str(n)}) for n in range(3) for system in "ab"]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*lines[:2], "{broken", *lines[2:]]) + "\n")
    rejects = Rejects()
    with skipping(rejects):
        inputs = Inputs([str(path)])
        [systems] = inputs.stretches()
    assert [len(pairs) for pairs in systems] == [3, 3]
    assert rejects.count == 1


def test_the_command_keeps_rejects_beside_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.tsv").write_bytes(FILES["a.tsv"])
    call = ["score", "a.tsv", "-m", "chrf", "--on-error", "skip"]
    beside = {"s.csv": "s.rejects.jsonl", "run/": "run/rejects.jsonl"}
    for output, file in beside.items():
        main._run([*call, "-o", output])
        assert len((tmp_path / file).read_text().splitlines()) == 3
    capsys.readouterr()
    printed = main._run([*call, "-f", "json"])
    sentence = "3 rows were skipped (the first is a.tsv:3: 1 columns, but the header has 2)"
    assert capsys.readouterr().err == f"farthing: {sentence}; they are in rejects.jsonl\n"
    [result] = json.loads(printed or "")["results"]
    assert {"kind": "skipped", "message": sentence, "rows": []} in result["notes"]
    (tmp_path / "a.tsv").write_text("mt\tref\none\tr\n")
    main._run(call)
    assert not (tmp_path / "rejects.jsonl").exists()  # those of another input are not left behind


def test_a_broken_header_is_a_sentence_even_if_rows_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"mt,r\ref\none,r\n")
    for rejects in (None, Rejects()):
        with skipping(rejects), pytest.raises(InputError, match=r"a.csv:1: broken CSV: .*check its header"):
            list(Inputs([str(tmp_path / "a.csv")]).stretches())
