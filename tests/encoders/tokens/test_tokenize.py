"""Tokens against transformers, limits, special tokens and the leading space."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.tokens.tokenize import Tokenizer, longest_input

TEXTS = ["the cat sat on the mat", "rain", "nobody expected the bank's warning", "", "naïve café 🙂"]


@pytest.mark.parametrize("family", ["bert", "roberta", "mpnet", "t5"])
def test_ids_equal_transformers(tiny_model: Callable[..., Path], family: str) -> None:
    from transformers import AutoTokenizer

    folder = tiny_model(family)
    theirs = AutoTokenizer.from_pretrained(folder)
    ours = Tokenizer(folder, leading_space=False)
    assert [ours.wrapped(ids) for ids in ours.contents(TEXTS)] == [theirs(text)["input_ids"] for text in TEXTS]
    first, second = ours.contents(["the cat", "rain"])
    assert ours.paired(first, second)[0] == theirs("the cat", "rain")["input_ids"]


def test_the_leading_space_makes_the_first_word_like_any_other(tiny_model: Callable[..., Path]) -> None:
    tokenizer = Tokenizer(tiny_model("roberta"))
    [alone], [after] = tokenizer.contents(["rain"]), tokenizer.contents(["rain rain"])
    assert after == alone + alone
    bare = Tokenizer(tiny_model("roberta"), leading_space=False)
    assert bare.contents(["rain"]) != [alone]
    assert tokenizer.contents(["  rain "]) == [alone]
    assert tokenizer.contents([""]) == [[]]
    assert not Tokenizer(tiny_model("bert")).leading_space


def test_which_families_bert_score_gave_a_space(tiny_model: Callable[..., Path]) -> None:
    assert Tokenizer(tiny_model("roberta"), leading_space=None).leading_space
    assert not Tokenizer(tiny_model("mpnet"), leading_space=None).leading_space  # byte-level here, yet not RoBERTa's


@pytest.mark.parametrize(
    ("config", "told", "limit"),
    [
        ({"model_type": "bert", "max_position_embeddings": 512}, {"model_max_length": 1e30}, 512),
        ({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1}, {}, 512),
        ({"model_type": "mpnet", "max_position_embeddings": 514, "pad_token_id": 1}, {"model_max_length": 128}, 128),
        ({"model_type": "deberta-v2", "max_position_embeddings": 512}, {"model_max_length": int(1e30)}, 512),
        ({"model_type": "t5", "n_positions": 512}, {}, 512),
        ({"model_type": "t5"}, {"model_max_length": 1e30}, 512),
        ({"model_type": "gpt2", "n_positions": 1024}, {}, 1024),
    ],
)
def test_the_true_limit(config: dict[str, object], told: dict[str, object], limit: int) -> None:
    assert longest_input(config, told) == limit


def test_a_limit_of_1e30_does_not_crash_the_model(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    from farthing.core.types import Pairs
    from farthing.metrics.bertscore.bertscore import BertScore

    for file in tiny_model("roberta").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    told = json.loads((tmp_path / "tokenizer_config.json").read_text())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({**told, "model_max_length": int(1e30)}))
    scores = BertScore(model=str(tmp_path), layer=2).score(Pairs.of(["rain " * 300], ["the rain"]))
    assert [note.kind for note in scores.notes] == ["truncated"]


def test_broken_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"it has no config.json"):
        Tokenizer(tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read as JSON"):
        Tokenizer(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "tokenizer.json").write_text("[]")
    with pytest.raises(ModelError, match=r"tokenizer.json cannot be read"):
        Tokenizer(tmp_path)


def test_a_tokenizer_that_exists_in_python_only(dev_model: Callable[[str], Path]) -> None:
    """Marian's: an encoder-decoder whose encoder BERTScore can run on."""
    from farthing.core.types import Pairs
    from farthing.metrics.bertscore.bertscore import BertScore

    folder = dev_model("opus-en-fr")
    tokenizer = Tokenizer(folder)
    assert (tokenizer.prefix, tokenizer.suffix, tokenizer.limit) == ([], [0], 512)
    [ids] = tokenizer.contents(["hello world"])
    assert [tokenizer.token(number) for number in ids] == ["▁hello", "▁world"]
    scores = BertScore(model=str(folder), layer=4).score(Pairs.of(["hello world", "a cat"], ["hello world", "hello"]))
    assert scores.segments is not None
    assert scores.segments[0] == pytest.approx(1, abs=1e-5)
    assert scores.segments[1] < 0.95


FORKING = """
import farthing
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

metric = farthing.load("frugalscore(size=nano)")
texts = ["the cat sat on the mat"] * 50, ["a cat sat on the mat"] * 50
here = float(metric.score(*texts))  # the pool of threads is in use now
with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
    assert float(pool.submit(metric.score, *texts).result()) == here
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_does_not_wait_for_threads_that_it_does_not_have() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TOKENIZERS_PARALLELISM"}
    subprocess.run([sys.executable, "-c", FORKING], env=environment, check=True, timeout=300)


def test_spans_say_where_every_token_is() -> None:
    tokenizer = Tokenizer(EMBEDDED / "small")
    text = "  the  cat  sat "
    spans = tokenizer.spans(text)
    assert len(spans) == len(tokenizer.contents([text])[0])
    assert [text[first:last] for first, last in spans] == ["the", "cat", "sat"]
    assert tokenizer.spans("   ") == []
