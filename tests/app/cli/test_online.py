"""The switch --online: taken by every command, obeyed for that run, and never set by itself."""

from __future__ import annotations

import os

import pytest

from farthing.app.cli import main
from farthing.core.errors import ModelError


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    for name in ("FARTHING_ONLINE", "FARTHING_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "")  # so that what a test sets is undone
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))


@pytest.mark.parametrize("place", [0, 1, 3])
def test_the_switch_may_stand_anywhere(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def fetch(name: str) -> None:
        asked.append(name)
        raise ModelError("fetched")

    monkeypatch.setattr("farthing.encoders.folder.locate.pull", fetch)
    arguments = ["models", "info", "org/name"]
    with pytest.raises(ModelError, match="fetched"):
        main._run([*arguments[:place], "--online", *arguments[place:]])
    assert asked == ["org/name"]
    assert os.environ["FARTHING_ONLINE"] == "1"


def test_without_it_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farthing.encoders.folder.locate.pull", lambda name: pytest.fail("the network was used"))
    with pytest.raises(ModelError, match="run `farthing models pull org/name` first, pass --online"):
        main._run(["models", "info", "org/name"])


def test_what_follows_two_dashes_is_no_switch() -> None:
    assert main._with_network(["score", "--", "--online"]) == ["score", "--", "--online"]
    assert not os.environ["FARTHING_ONLINE"]
