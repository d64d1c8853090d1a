"""Folders of models: completely or not at all."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from farthing.core.errors import OutputError
from farthing.files.folders import CALL, check_new, claim_run, new_folder, write_json


def model(folder: Path, name: str = "old") -> Path:
    folder.mkdir()
    write_json(folder / "config.json", {"name": name})
    return folder


def test_a_folder_appears_when_all_of_it_is_written(tmp_path: Path) -> None:
    target = tmp_path / "model"
    with new_folder(target) as folder:
        write_json(folder / "config.json", {"name": "ä"})
        assert not target.exists()
    assert json.loads((target / "config.json").read_text(encoding="utf-8")) == {"name": "ä"}
    assert target.stat().st_mode & 0o777 == 0o755
    assert os.listdir(tmp_path) == ["model"]


def test_overwriting_replaces_everything(tmp_path: Path) -> None:
    target = model(tmp_path / "model")
    (target / "old.txt").write_text("old")
    with new_folder(target, overwrite=True) as folder:
        write_json(folder / "config.json", {"name": "new"})
    assert os.listdir(target) == ["config.json"]


class SafetensorError(Exception):
    """The name under which safetensors reports a full disk."""


@pytest.mark.parametrize(
    ("error", "raised"), [(OSError(28, "No space left"), OutputError), (SafetensorError("full"), OutputError)]
)
def test_a_failed_write_is_a_sentence_and_changes_nothing(
    tmp_path: Path, error: Exception, raised: type[Exception]
) -> None:
    target = model(tmp_path / "model")
    with pytest.raises(raised, match=r"model: cannot be written: .*; nothing was changed"):
        _fail(target, error)
    assert json.loads((target / "config.json").read_text()) == {"name": "old"}
    assert os.listdir(tmp_path) == ["model"]


def test_other_errors_pass_and_leave_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        _fail(tmp_path / "model", ZeroDivisionError())
    assert os.listdir(tmp_path) == []


def _fail(target: Path, error: Exception) -> None:
    with new_folder(target, overwrite=True) as folder:
        (folder / "half").write_text("half")
        raise error


def test_what_is_there_is_overwritten_only_if_it_is_a_model_and_allowed(tmp_path: Path) -> None:
    target = model(tmp_path / "model")
    with pytest.raises(OutputError, match="model: already exists; choose another name or pass --overwrite"):
        check_new(target)
    check_new(target, overwrite=True)
    (tmp_path / "texts").mkdir()
    check_new(tmp_path / "texts", overwrite=True)  # empty
    (tmp_path / "texts" / "a.txt").write_text("precious")
    with pytest.raises(OutputError, match="is not the folder of a model"):
        check_new(tmp_path / "texts", overwrite=True)
    with pytest.raises(OutputError, match="is not the folder of a model"):
        check_new(tmp_path / "texts" / "a.txt", overwrite=True)
    with pytest.raises(OutputError, match="no does not exist; make it first"):
        check_new(tmp_path / "no" / "model")


def test_a_run_is_resumed_by_the_same_call_only(tmp_path: Path) -> None:
    run = tmp_path / "a" / "run"
    claim_run(run, {"seed": 1, "data": "x"})
    claim_run(run, {"data": "x", "seed": 1})
    with pytest.raises(OutputError, match="run: holds a run with other settings or data"):
        claim_run(run, {"seed": 2, "data": "x"})
    assert json.loads((run / CALL).read_text()) == {"seed": 1, "data": "x"}
    shutil.rmtree(run)
    run.write_text("a file")
    with pytest.raises(OutputError, match="run: cannot be written"):
        claim_run(run, {})
