"""A real small language model under `transformers serve`, asked over the real protocol.

The folder of an instruct model is named by FARTHING_JUDGE_MODEL: one that transformers loads, with its tokenizer. If it
was read from a GGUF file, save a second model instead, with its weights and its config without `quantization_config`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import farthing
from farthing.core.types import Pairs

GOOD = Pairs(
    ["The cat sleeps on the sofa.", "He paid ten euros."], [["The cat is asleep on the sofa."], ["He paid ten euros."]]
)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, str]]:
    """The address and the model of a server that runs for these tests."""
    folder = os.environ.get("FARTHING_JUDGE_MODEL")
    if not folder:
        pytest.skip("no real judge is here: set FARTHING_JUDGE_MODEL to the folder of an instruct model")
    utilities = pytest.importorskip("transformers.utils.import_utils", reason="transformers is not installed")
    if not utilities.is_serve_available():
        pytest.skip("transformers serve is not installed: pip install 'transformers[serving]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", "--host", "127.0.0.1"]
    server = subprocess.Popen([*command, "--port", str(port), folder])
    try:
        _wait(f"http://127.0.0.1:{port}/v1/models", server)
        yield f"http://127.0.0.1:{port}/v1", folder
    finally:
        server.terminate()
        server.wait()


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
        else:
            return
    pytest.fail("transformers serve ended before it answered")


def test_a_real_model_judges_and_nothing_is_asked_twice(served: tuple[str, str], tmp_path: Path) -> None:
    url, model = served
    spec = f'judge(url="{url}", model="{model}", prompt=reference, concurrency=1, timeout=600, verdicts="{tmp_path}")'
    first = farthing.load(spec).score(GOOD)
    assert first.segments is not None
    assert all(0 <= score <= 100 for score in first.segments)
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert farthing.load(spec).score(GOOD).corpus == first.corpus
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept
