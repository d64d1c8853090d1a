"""Which folders may become that of a run, and what is removed from one."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import OutputError
from farthing.files.run_folder import BILL, MANIFEST, PARTS, RESULTS, SHARDS, check_free, remove_leftovers


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder with everything that a run may hold, and something else."""
    folder = tmp_path / "run"
    (folder / SHARDS).mkdir(parents=True)
    (folder / PARTS / "chrf").mkdir(parents=True)
    for name in (MANIFEST, RESULTS, BILL, f"{SHARDS}/000000-ab.parquet", f"{PARTS}/chrf/{MANIFEST}", "notes.txt"):
        (folder / name).write_text("{}")
    return folder


def test_a_run_is_replaced_only_if_asked_and_other_files_stay(run: Path) -> None:
    check_free(run, overwrite=False)
    assert (run / PARTS / "chrf" / MANIFEST).is_file()
    check_free(run, overwrite=True)
    assert sorted(path.name for path in run.rglob("*")) == ["notes.txt", SHARDS]


def test_other_folders_and_files_are_refused(tmp_path: Path) -> None:
    check_free(tmp_path / "absent", overwrite=False)
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    check_free(tmp_path / "folder", overwrite=False)  # empty
    (tmp_path / "folder" / f".{MANIFEST}.x1").write_text("")  # of a process that was killed in its first moment
    check_free(tmp_path / "folder", overwrite=False)
    (tmp_path / "folder" / "letter.txt").write_text("")
    for name in ("file", "folder"):
        for overwrite in (False, True):
            with pytest.raises(OutputError, match=f"{name}: already exists and is not a run; name another folder"):
                check_free(tmp_path / name, overwrite)


def test_what_a_killed_process_left_is_removed(run: Path) -> None:
    for name in (f".{MANIFEST}.a", f".{BILL}.b", f"{SHARDS}/.000001-cd.parquet.c", ".hidden"):
        (run / name).write_text("")
    remove_leftovers(run)
    left = {path.name for path in run.rglob(".*")}
    assert left == {".hidden"}
    assert (run / MANIFEST).is_file()
