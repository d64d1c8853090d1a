"""The examples of docs/integrations.md run as they stand, and give the numbers that they name."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farthing.integrations.promptfoo import get_assert

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "integrations.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)+)", PAGE, re.MULTILINE))
PYTHON = re.compile(r"```python\n((?:.*\n)*?)```")
YAML = re.compile(r"```yaml\n((?:.*\n)*?)```")
TOLD = re.compile(r"^(?!#)(\S.*?) +# (\d+\.\d+)", re.MULTILINE)  # a line of code, and the number that it gives


def run(section: str, **names: Any) -> dict[str, Any]:
    """Run the blocks of a section one after another, and check the numbers in their comments."""
    for code in PYTHON.findall(SECTIONS[section]):
        exec(compile(code, section, "exec", dont_inherit=True), names)
    return names


def test_every_package_has_its_section() -> None:
    assert len(SECTIONS) == 7
    assert all(PYTHON.search(text) for text in SECTIONS.values())


@pytest.mark.parametrize("section", ["update, compute, reset", "Hugging Face evaluate"])
def test_numbers_in_comments(section: str) -> None:
    [code] = PYTHON.findall(SECTIONS[section])
    names: dict[str, Any] = {}
    checked = 0
    for line in code.splitlines():
        told = TOLD.match(line)
        if told:
            assert eval(told[1], names) == pytest.approx(
                float(told[2]), abs=0.5 * 10.0 ** -len(told[2].partition(".")[2])
            )
            checked += 1
        else:
            exec(line, names)
    assert checked >= 2


@pytest.mark.filterwarnings("default")
def test_the_trainer(tiny_model: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hf = pytest.importorskip("transformers", reason="transformers is not installed")
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("tensorboard", reason="tensorboard is not installed")
    monkeypatch.chdir(tmp_path)
    tokenizer = hf.AutoTokenizer.from_pretrained(tiny_model("t5"))
    settings = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 1, "num_heads": 2, "decoder_start_token_id": 0}
    model = hf.T5ForConditionalGeneration(hf.T5Config(vocab_size=len(tokenizer), **settings))
    dev = [{"input_ids": tokenizer("the cat").input_ids, "labels": tokenizer("the cat sat").input_ids}]
    collator = hf.DataCollatorForSeq2Seq(tokenizer, model)
    given = {"model": model, "tokenizer": tokenizer, "dev": dev, "collator": collator}
    found = run("Hugging Face Trainer", **given, prompts=["the cat", "rain"], references=["the cat sat", "the rain"])
    assert 0 <= found["trainer"].evaluate()["eval_chrf"] <= 100
    assert list((tmp_path / "runs").iterdir())


def test_tracking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tensorboard", reason="tensorboard is not installed")
    monkeypatch.chdir(tmp_path)
    run("TensorBoard, MLflow, Weights & Biases")
    assert list((tmp_path / "runs" / "dev").iterdir())


def test_lm_eval() -> None:
    found = run("lm-evaluation-harness")
    item = found["process_results"]({"references": ["the cat", "rain"]}, ["rain"])["chrf"]
    assert found["chrf_of_all"]([item, found["chrf"](references=["a dog"], predictions=["a dog"])]) == 100
    [configuration] = YAML.findall(SECTIONS["lm-evaluation-harness"])
    assert all(name in found for name in re.findall(r"!function metrics\.(\w+)", configuration))


@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(importlib.util.find_spec("inspect_ai") is None, reason="inspect_ai is not installed")
def test_inspect_ai() -> None:
    assert run("inspect_ai")["task"].dataset[0].target == ["the cat sat down", "it sat down"]


def test_promptfoo() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    assert run("promptfoo")["get_assert"] is get_assert
    [configuration] = map(yaml.safe_load, YAML.findall(SECTIONS["promptfoo"]))
    [test], [rule] = configuration["tests"], configuration["defaultTest"]["assert"]
    context = {"vars": test["vars"], "config": rule["config"]}
    assert get_assert("The cat sat down.", context)["pass"]
    assert not get_assert("I do not know.", context)["pass"]
