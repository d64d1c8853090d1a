"""The journal: shards that are complete or absent, and a manifest that names exactly those."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from farthing.core.errors import InputError, OutputError
from farthing.files.journal import FORMAT, Journal, write_shard
from farthing.files.run_folder import MANIFEST, SHARDS

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
    journal.finish()
    [path] = (tmp_path / "run" / SHARDS).iterdir()
    pyarrow.parquet.write_table(rows(7), path)
    with pytest.raises(InputError, match=r"000000-[0-9a-f]{12}.parquet: was changed after it was written"):
        Journal.read(tmp_path / "run").shard(0)
    path.unlink()
    with pytest.raises(InputError, match=r"000000-[0-9a-f]{12}.parquet: cannot be read"):
        Journal.read(tmp_path / "run").shard(0)


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("damage", ["flip", "truncate", "remove", "rename"])
def test_a_damaged_shard_is_found_and_written_again(
    tmp_path: Path, damage: str, complete: bool, caplog: pytest.LogCaptureFixture
) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    for shard in (rows(1, 2), rows(3)):
        journal.add(shard)
    if complete:
        journal.finish()
    before = content(tmp_path / "run")
    path = min((tmp_path / "run" / SHARDS).iterdir())
    whole = path.read_bytes()
    if damage == "flip":
        path.write_bytes(bytes([*whole[:40], whole[40] ^ 8, *whole[41:]]))
    elif damage == "truncate":
        path.write_bytes(whole[:-7])
    elif damage == "rename":  # the name of another shard, as after a rename that was lost
        path.rename(path.with_name("000007-0123456789ab.parquet"))
    else:
        path.unlink()
    again = Journal.open(tmp_path / "run", ABOUT)
    assert (len(again), again.complete, 0 in again, 1 in again) == (1, False, False, True)
    assert bool(caplog.messages) == (damage != "remove")
    assert again.numbered(1).column("row").to_pylist() == [3]
    write_shard(tmp_path / "run", 0, rows(1, 2))
    if complete:
        again.finish()
    assert content(tmp_path / "run") == before


def test_shards_may_be_written_in_any_order(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    for number in (2, 0):
        write_shard(tmp_path / "run", number, rows(number))
    partial = Journal.read(tmp_path / "run")
    assert (len(partial), [number in partial for number in range(3)]) == (2, [True, False, True])
    assert [partial.shard(place).column("row").to_pylist() for place in range(2)] == [[0], [2]]
    write_shard(tmp_path / "run", 1, rows(1))
    journal.finish()
    whole = Journal.read(tmp_path / "run")
    assert [whole.shard(place).column("row").to_pylist() for place in range(3)] == [[0], [1], [2]]


def test_what_metrics_learned_is_kept_with_its_digest(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    assert journal.states() is None
    journal.prepare({"bertscore": {"counts": {"the": 0.1}}})
    resumed = Journal.open(tmp_path / "run", ABOUT)
    assert resumed.states() == {"bertscore": {"counts": {"the": 0.1}}}
    (tmp_path / "run" / "prepared.json").write_text('{"bertscore": {"counts": {"the": 0.2}}}')
    damaged = Journal.open(tmp_path / "run", ABOUT)
    assert damaged.states() is None
    damaged.prepare({"bertscore": {"counts": {"the": 0.1}}})  # counted again: the same
    assert Journal.open(tmp_path / "run", ABOUT).states() == {"bertscore": {"counts": {"the": 0.1}}}
    with pytest.raises(OutputError, match="began with other counts"):
        damaged.prepare({"bertscore": {"counts": {"the": 0.3}}})


def test_two_processes_do_not_write_to_one_run(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    code = (
        "import sys; from pathlib import Path; from farthing.files.journal import Journal\n"
        f"try: Journal.open(Path({str(tmp_path / 'run')!r}), {ABOUT!r})\n"
        "except Exception as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout
    assert "another process is writing to it" in told
    journal.finish()
    assert not subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout


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


def test_a_write_that_fails_leaves_the_run_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when the shard is flushed."""
    journal = Journal.open(tmp_path / "run", ABOUT)
    journal.add(rows(1))
    before = content(tmp_path / "run")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        journal.add(rows(2))
    monkeypatch.undo()
    assert content(tmp_path / "run") == before
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
    (folder / "shards" / ".000000-12ab.parquet.cd34").write_text("half")
    (folder / ".results.json.ef56").write_text("half")
    again = Journal.open(folder, {"x": 1})
    assert (len(journal), len(again)) == (0, 0)
    assert sorted(path.name for path in folder.rglob("*")) == ["manifest.json", "shards"]


def test_a_disk_that_loses_what_it_was_given_is_found_out(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    for number in range(3):
        write_shard(tmp_path / "run", number, rows(number))
    journal.expected = 3
    last = max((tmp_path / "run" / SHARDS).iterdir())
    last.write_bytes(last.read_bytes()[:-1])
    with pytest.raises(OutputError, match="the disk has lost what was written to it"):
        journal.finish()
    assert not Journal.read(tmp_path / "run").complete
    again = Journal.open(tmp_path / "run", ABOUT)
    write_shard(tmp_path / "run", 2, rows(2))
    again.finish()
    assert len(Journal.read(tmp_path / "run")) == 3


def test_broken_results_are_a_sentence(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "run", ABOUT)
    assert journal.results() == {}
    (tmp_path / "run" / "results.json").write_text('{"results": [')
    with pytest.raises(InputError, match=r"results.json: cannot be read: .*the same command writes it"):
        journal.results()
