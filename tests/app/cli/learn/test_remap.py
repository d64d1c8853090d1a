"""`farthing learn remap` as a user types it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.encoders.load import load_encoder
from farthing.encoders.remap import Remap

SOURCES = ["the cat sat on the mat", "a dog was watching the rain", "the bank's shares fell", "she studied birds"] * 3
TARGETS = ["the mat sat under the cat", "rain was watching the dog", "shares of the bank fell", "birds she studied"] * 3


def test_the_command(
    tiny_model: Callable[..., Path], tmp_path: Path, learn: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:
    for name, texts in (("a.txt", SOURCES), ("b.txt", TARGETS)):
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    files = [tmp_path / "a.txt", tmp_path / "b.txt", "--model", tiny_model("bert")]
    learn("remap", *files, "--method", "umd", "--sentences", 8, "-o", tmp_path / "map.safetensors")
    said = capfd.readouterr().err
    assert "umd learned from" in said
    assert "in 8 sentences" in said
    encoder = load_encoder(str(tiny_model("bert")))
    assert Remap.load(tmp_path / "map.safetensors", encoder, 3).method == "umd"
    learn("remap", *files, "--alignment", tmp_path / "none.txt", code=2)
    assert "none.txt" in capfd.readouterr().err
