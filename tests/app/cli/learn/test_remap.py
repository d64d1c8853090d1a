"""`farthing learn remap` as a user types it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from farthing.encoders.load import load_encoder
from farthing.encoders.remap import Remap

SOURCES = ["the cat sat on the mat", "a dog was watching the rain", "the bank's shares fell", "she studied birds"] * 3
TARGETS = ["the mat sat under the cat", "rain was watching the dog", "shares of the bank fell", "birds she studied"] * 3


def test_the_command(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    for name, texts in (("a.txt", SOURCES), ("b.txt", TARGETS)):
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    code = "from farthing.app.cli.main import main; main()"
    base = [sys.executable, "-c", code, "learn", "remap", "a.txt", "b.txt", "--model", str(tiny_model("bert"))]
    done = subprocess.run(
        [*base, "--method", "umd", "--sentences", "8", "-o", "map.safetensors"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "umd learned from" in done.stderr
    assert "in 8 sentences" in done.stderr
    encoder = load_encoder(str(tiny_model("bert")))
    assert Remap.load(tmp_path / "map.safetensors", encoder, 3).method == "umd"
    broken = subprocess.run(
        [*base, "--alignment", "none.txt"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert broken.returncode == 2
    assert "none.txt" in broken.stderr
