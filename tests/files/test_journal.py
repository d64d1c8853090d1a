"""The journal: shards that are complete or absent, and a manifest that names exactly those."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from farthing.core.errors import InputError, OutputError
from farthing.files.journal import FORMAT, MANIFEST, SHARDS, Journal

ABOUT = {"metrics": {"chrf": {"version": "1"}}, "systems": ["a"], "input": "abc"}


def rows(*values: int) -> pyarrow.Table:
    return pyarrow.table({"row": list(values)})


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_shards_come_back_in_order(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    for shard in (rows(1, 2), rows(3)):
        journal.add(shard)
    journal.finish()
    again = Journal.read(tmp_path / "run")
    assert (len(again), again.complete, again.about) == (2, True, ABOUT)
    assert [again.shard(number).column("row").to_pylist() for number in range(2)] == [[1, 2], [3]]
    manifest = json.loads((tmp_path / "run" / MANIFEST).read_text())
    assert [shard["rows"] for shard in manifest["shards"]] == [2, 1]
    assert manifest["format"] == FORMAT


def test_a_resumed_run_has_the_bytes_of_one_that_was_never_interrupted(tmp_path: Path) -> None:
    straight, resumed = Journal.open(tmp_path / "a", ABOUT), Journal.open(tmp_path / "b", ABOUT)
    resumed.add(rows(1, 2))
    (tmp_path / "b" / SHARDS / "000001.parquet").write_bytes(b"half of a shard that the manifest does not name")
    resumed = Journal.open(tmp_path / "b", dict(reversed(ABOUT.items())))
    assert (len(resumed), resumed.complete) == (1, False)
    resumed.add(rows(3))
    for shard in (rows(1, 2), rows(3)):
        straight.add(shard)
    straight.finish()
    resumed.finish()
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_another_run_is_refused_and_the_difference_named(tmp_path: Path) -> None:
    Journal.open(tmp_path / "run", ABOUT).add(rows(1))
    before = content(tmp_path)
    with pytest.raises(OutputError, match=r"holds another run \(its input, its seed differ\); .* pass --overwrite"):
        Journal.open(tmp_path / "run", {**ABOUT, "input": "xyz", "seed": 1})
    assert content(tmp_path) == before


def test_overwriting_removes_the_shards_of_the_earlier_run(tmp_path: Path) -> None:
    old = Journal.open(tmp_path / "run", ABOUT)
    old.add(rows(1))
    old.add(rows(2))
    new = Journal.open(tmp_path / "run", {**ABOUT, "input": "xyz"}, overwrite=True)
    assert (len(new), list(content(tmp_path / "run"))) == (0, [MANIFEST])


def test_a_changed_or_missing_shard_is_refused(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    journal.add(rows(1))
    path = tmp_path / "run" / SHARDS / "000000.parquet"
    pyarrow.parquet.write_table(rows(7), path)
    with pytest.raises(InputError, match=r"000000.parquet: was changed after it was written"):
        Journal.read(tmp_path / "run").shard(0)
    path.unlink()
    with pytest.raises(InputError, match=r"000000.parquet: cannot be read"):
        Journal.read(tmp_path / "run").shard(0)


def test_folders_that_are_no_runs_are_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("precious")
    for overwrite in (False, True):
        with pytest.raises(OutputError, match="already exists and is not a run; name another folder"):
            Journal.open(tmp_path, ABOUT, overwrite=overwrite)
        with pytest.raises(OutputError, match="already exists and is not a run"):
            Journal.open(tmp_path / "precious.txt", ABOUT, overwrite=overwrite)
    assert os.listdir(tmp_path) == ["precious.txt"]
    with pytest.raises(InputError, match=rf"is not a run: it has no {MANIFEST}"):
        Journal.read(tmp_path)
    with pytest.raises(OutputError, match="cannot be created"):
        Journal.open(tmp_path / "precious.txt" / "run", ABOUT)


@pytest.mark.parametrize(
    ("manifest", "sentence"),
    [("{", "cannot be read as the manifest"), ("{}", "cannot be read as"), ('{"format": 9}', "has format 9 of a run")],
)
def test_a_broken_manifest_is_a_sentence(tmp_path: Path, manifest: str, sentence: str) -> None:
    (tmp_path / MANIFEST).write_text(manifest)
    with pytest.raises(InputError, match=rf"{MANIFEST}: {sentence}"):
        Journal.read(tmp_path)


@pytest.mark.parametrize("failing", [0, 1])
def test_a_write_that_fails_leaves_the_manifest_as_it_was(
    tmp_path: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the first flush (that of the shard) or at the second (that of the manifest)."""
    journal = Journal.open(tmp_path / "run", ABOUT)
    journal.add(rows(1))
    before = (tmp_path / "run" / MANIFEST).read_bytes()
    real, flushed = os.fsync, []

    def full(descriptor: int) -> None:
        flushed.append(descriptor)
        if len(flushed) > failing:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        journal.add(rows(2))
    monkeypatch.undo()
    assert (tmp_path / "run" / MANIFEST).read_bytes() == before
    assert not list((tmp_path / "run").rglob(".*"))
    resumed = Journal.open(tmp_path / "run", ABOUT)
    assert len(resumed) == 1
    resumed.add(rows(2))
    assert Journal.read(tmp_path / "run").shard(1).column("row").to_pylist() == [2]


def test_what_a_killed_process_left_behind_is_removed(tmp_path: Path) -> None:
    """Killed before the manifest was written, or in the middle of a shard."""
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / ".manifest.json.ab12").write_text("{")
    journal = Journal.open(folder, {"x": 1})
    (folder / "shards" / ".000000.parquet.cd34").write_text("half")
    (folder / ".results.json.ef56").write_text("half")
    again = Journal.open(folder, {"x": 1})
    assert (len(journal), len(again)) == (0, 0)
    assert sorted(path.name for path in folder.rglob("*")) == ["manifest.json", "shards"]
