"""The machine, without its name."""

from __future__ import annotations

import platform
from dataclasses import astuple

import pytest

from farthing.bench.machine import this_machine


def test_what_times_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_THREADS", "3")
    found = this_machine()
    assert (found.threads, found.python) == (3, platform.python_version())
    assert found.processor
    assert "sacrebleu" in found.libraries
    assert platform.node() not in map(str, astuple(found))
