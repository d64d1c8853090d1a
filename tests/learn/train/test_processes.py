"""One process or several."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import farthing
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


def test_torchrun_trains_one_student_with_two_processes(tmp_path: Path, tiny_model: Callable[..., Path]) -> None:
    """The command of the docs; that the weights are right is in test_loop.py."""
    rows = [{"mt": f"the cat sat {row}", "ref": f"a dog ran {row}", "score": float(row % 5)} for row in range(40)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = ["--master-addr", "127.0.0.1", "--master-port", str(free.getsockname()[1])]
    launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", *place]
    given = [
        "pairs.jsonl",
        "--student",
        str(tiny_model("bert")),
        "--epochs",
        "1",
        "--batch",
        "4",
        "--checks",
        "1",
        "-q",
    ]
    environment = {**os.environ, "ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*launcher, "-m", "farthing", "learn", "distil", *given, "-q", "-o", "student"],
        cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).count("parameters, held-out Pearson") == 1  # only the first process speaks
    history = json.loads((tmp_path / "student" / "history.json").read_text())
    assert history["steps"][-1]["step"] == 5  # 38 pairs in ten batches, of which each process takes half
    scores = farthing.score(["the cat"], ["a dog"], metric=f"frugalscore(model={tmp_path / 'student'})")
    assert np.isfinite(scores.corpus)
