"""One process or several."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from farthing.core.errors import MissingExtra, OutputError
from farthing.learn.train.processes import check_training_extra, is_first_process, make_accelerator, wait_for


def test_the_launchers_rank_says_who_is_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    assert is_first_process()
    monkeypatch.setenv("RANK", "0")
    assert is_first_process()
    monkeypatch.setenv("RANK", "2")
    assert not is_first_process()


@pytest.mark.parametrize("library", ["accelerate", "torch", "transformers"])
def test_a_missing_library_names_the_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=r"training needs the extra 'learn': pip install 'farthing\[learn\]'"):
        check_training_extra()


def test_one_process_is_the_main_one() -> None:
    accelerator = make_accelerator(unused=False)
    assert (accelerator.num_processes, accelerator.is_main_process) == (1, True)


def test_waiting_for_a_file_ends_when_it_is_there(tmp_path: Path) -> None:
    timer = threading.Timer(0.1, (tmp_path / "made").touch)
    timer.start()
    wait_for(tmp_path / "made", seconds=60)
    timer.join()
    with pytest.raises(OutputError, match="the first process did not write it"):
        wait_for(tmp_path / "never", seconds=0)
