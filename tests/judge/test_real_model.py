"""A real small language model under `transformers serve`, asked over the real protocol.

The model is the assembled qwen2.5-coder-0.5b, which is dequantised into a folder beside it, or the folder of another
instruct model that FARTHING_JUDGE_MODEL names. On one core a question takes some seconds.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import farthing
from farthing.core.types import Pairs
from farthing.files.folders import new_folder
from farthing.judge.metric import JudgeMetric
from farthing.judge.reply import JudgeError

MODEL = "qwen2.5-coder-0.5b"
PAIRS = Pairs(
    ["The cat sleeps on the sofa.", "Stock prices fell on Monday."],
    [["The cat is asleep on the sofa."], ["The cat is asleep on the sofa."]],
)
PATIENCE = 600  # seconds for a start or an answer on a busy machine

Judge = Callable[..., JudgeMetric]


@pytest.fixture(scope="module")
def folder() -> Path:
    """A model that transformers loads as it is."""
    if named := os.environ.get("FARTHING_JUDGE_MODEL"):
        return Path(named)
    packed = Path(os.environ.get("DEV_MODELS", Path.home() / ".cache" / "dev-models")) / MODEL
    if not any(packed.glob("*.gguf")):
        pytest.skip(
            f"no real judge is here: assemble {MODEL}, or set FARTHING_JUDGE_MODEL to an instruct model's folder"
        )
    pytest.importorskip("gguf", reason="the packed model cannot be read: gguf is not installed")
    plain = packed.with_name(f"{MODEL}-plain")
    if not (plain / "config.json").exists():
        dequantise(packed, plain)
    return plain


def dequantise(packed: Path, target: Path) -> None:
    """Write the weights of a GGUF file as a plain folder; 16 bits are more than they have."""
    import torch

    from farthing.language.model import load_language_model

    model, tokenizer = load_language_model(packed, "causal", 1)
    told = {name: value for name, value in model.config.to_dict().items() if name != "quantization_config"}
    plain = type(model)(type(model.config).from_dict(told))
    plain.load_state_dict(model.state_dict())
    plain.generation_config = model.generation_config
    with new_folder(target, overwrite=True) as place:
        plain.to(torch.bfloat16).save_pretrained(place)
        tokenizer.save_pretrained(place)


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs for these tests; it is there when its model is loaded."""
    utilities = pytest.importorskip("transformers.utils.import_utils", reason="transformers is not installed")
    if not utilities.is_serve_available():
        pytest.skip("transformers serve is not installed: pip install 'transformers[serving]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # A processor without bfloat16 of its own is many times slower with it.
    options = ["--host", "127.0.0.1", "--port", str(port), "--dtype", "float32", "--device", "cpu"]
    log = tmp_path_factory.mktemp("serve") / "log.txt"
    with log.open("wb") as output:
        command = [sys.executable, "-m", "transformers.cli.transformers", "serve", *options, str(folder)]
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    pytest.fail(f"transformers serve did not begin to answer: {log.read_text('utf-8', 'replace')[-500:]}")


@pytest.fixture
def judge(served: str, folder: Path, tmp_path: Path) -> Judge:
    """`judge("reference")` asks the served model by a prompt; what it says is kept in the test's folder."""

    def load(prompt: str, **options: object) -> JudgeMetric:
        given = {"model": str(folder), "max_tokens": 6, "timeout": PATIENCE, "retries": 1, "concurrency": 1, **options}
        return JudgeMetric(url=served, prompt=prompt, verdicts=str(tmp_path / "kept"), **given)  # type: ignore[arg-type]

    return load


def test_a_real_model_judges_and_nothing_is_asked_twice(judge: Judge, tmp_path: Path) -> None:
    first = judge("reference").score(PAIRS)
    assert first.segments is not None
    assert all(0 <= score <= 100 for score in first.segments)
    assert first.segments[0] > first.segments[1]  # a paraphrase, and a sentence about something else
    kept = {path.name: path.read_bytes() for path in (tmp_path / "kept").iterdir()}
    assert kept
    assert judge("reference").score(PAIRS).corpus == first.corpus
    assert {path.name: path.read_bytes() for path in (tmp_path / "kept").iterdir()} == kept


def test_an_endpoint_without_log_probabilities_gives_numbers(judge: Judge) -> None:
    """This server takes the request for them and does not answer it."""
    scores = judge("fluency").score(Pairs(["The cat sleeps on the sofa."], [[]])).segments
    assert scores is not None
    assert scores[0] in (1, 2, 3, 4, 5)


def test_what_the_server_refuses_is_a_sentence(judge: Judge) -> None:
    with pytest.raises(JudgeError, match=r"HTTP 4.*another-model"):
        judge("reference", model="another-model").score(PAIRS)
    with pytest.raises(JudgeError, match=r"HTTP 422.*unknown_field"):
        judge("reference", request='{"unknown_field": 1}').score(PAIRS)


def test_a_run_with_a_budget(judge: Judge, tmp_path: Path) -> None:
    """The whole flow: a student scores all rows, the model sees some of them, and the bill counts its tokens."""
    from farthing.core.registry import load_pairs_metric
    from farthing.judge.flow import Allowance, JudgeFlow
    from farthing.judge.routing import RoutingPlan

    texts = ["The cat sleeps.", "A cat slept.", "The dog barks.", "Cats are asleep.", "Nothing.", "He paid ten euros."]
    pairs = Pairs(texts, [["The cat is asleep."]] * len(texts), system="one")
    found = JudgeFlow(judge("reference"), load_pairs_metric("chrf"), [pairs], Allowance("4")).run(
        RoutingPlan(0, "random")
    )
    assert found.bill.spent.calls <= 4
    assert found.bill.spent.tokens_in > 100
    assert found.origins.count("judge") >= 3
    assert len(farthing.read(str(next((tmp_path / "kept").glob("*.jsonl"))), candidate=None).candidates) <= 4
