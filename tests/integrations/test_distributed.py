"""Without a job of torch.distributed there is nothing to gather; with one, parts of rows and errors are shared.

Two real processes are in test_torchmetrics.py; here the other processes are played by a list.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import farthing
from farthing.core.types import Pairs
from farthing.integrations.distributed import Processes, SharedEngine, processes
from farthing.integrations.loaded import LoadedMetrics


class Group:
    """Plays torch.distributed: what the processes found so far, in order."""

    def __init__(self) -> None:
        self.sent: list[object] = []

    def all_gather_object(self, answers: list[object], mine: object, group: object = None) -> None:
        self.sent.append(mine)
        answers[: len(self.sent)] = self.sent


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Group:
    found = Group()
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(distributed=found))
    return found


def test_without_a_job_there_are_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert processes() is None


def test_a_job_of_one_process_needs_no_sharing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = SimpleNamespace(
        is_available=lambda: True, is_initialized=lambda: True, get_world_size=lambda group: 1, get_rank=lambda group: 0
    )
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(distributed=alone))
    assert processes() is None


@pytest.mark.parametrize(("rank", "rows"), [(0, 2), (1, 2), (2, 1)])
def test_each_process_scores_its_part(rank: int, rows: int, group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = Pairs.of(["a b", "c", "d e", "f", "g"], ["a b", "c", "d e", "f", "g"])
    group.sent = [([], "")] * rank
    found = LoadedMetrics("chrf").scores(pairs, SharedEngine(Processes(rank, 3)))["chrf"]
    assert len(found.columns()["chrf"]) == rows


def test_an_error_is_raised_here_and_named_elsewhere(group: Group) -> None:
    with pytest.raises(farthing.UsageError, match="broken"):
        Processes(0, 2).gathered(lambda: (_ for _ in ()).throw(farthing.UsageError("broken")))
    with pytest.raises(farthing.UsageError, match="process 0 could not score its part: broken"):
        Processes(1, 2).gathered(list)
