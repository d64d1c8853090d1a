"""Metrics for the Trainer, in real runs of a tiny random T5."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import farthing
from farthing.integrations.tracking import ScoreLogger
from farthing.integrations.transformers import compute_metrics, token_rows, trainer_callback

hf = pytest.importorskip("transformers", reason="transformers is not installed")
SOURCES = ["the cat sat on the mat", "a dog was lying on the carpet", "please send me the report", "the old bridge"]
TARGETS = ["the cat looked at the rain", "watching it pour", "before the meeting tomorrow morning", "hard winter"]


class Words:
    """A tokenizer that knows a few words; 0 and 1 are special."""

    words = ("<pad>", "</s>", "the", "cat", "dog", "sat")

    def batch_decode(self, sequences: list[list[int]], *, skip_special_tokens: bool) -> list[str]:
        return [" ".join(self.words[i] for i in row if i > 1 or not skip_special_tokens) for row in sequences]


def test_masked_labels_and_filled_predictions_are_nothing() -> None:
    ids = np.array([[0, 2, 3, 5, 1], [0, 2, 4, 1, -100]]), np.array([[2, 3, 5, 1], [2, 3, 1, -100]])
    prediction = SimpleNamespace(predictions=ids[0], label_ids=ids[1], inputs=None)
    found = compute_metrics(Words(), "chrf,bleu")(prediction)
    texts = ["the cat sat", "the dog"], ["the cat sat", "the cat"]
    assert found == {name: farthing.score(*texts, metric=name).corpus for name in ("chrf", "bleu")}
    assert all(type(number) is float for number in found.values())


def test_further_outputs_are_left_out_and_logits_refused() -> None:
    ids = np.array([[1, 2], [3, 4]])
    assert token_rows((ids, np.zeros((2, 2, 5)))) is ids
    for wrong in (np.zeros((2, 2, 5)), (np.zeros((2, 3)),)):
        with pytest.raises(farthing.UsageError, match="predict_with_generate=True"):
            token_rows(wrong)


@pytest.fixture(scope="module")
def pupil(tiny_model: Callable[..., Path]) -> tuple[Any, Any]:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    folder = tiny_model("t5")
    torch.manual_seed(0)
    settings = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 1, "num_heads": 2, "decoder_start_token_id": 0}
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    return hf.T5ForConditionalGeneration(hf.T5Config(vocab_size=len(tokenizer), **settings)), tokenizer


def trainer(pupil: tuple[Any, Any], folder: Path, **options: Any) -> Any:
    model, tokenizer = pupil
    rows = [
        {"input_ids": tokenizer(source).input_ids, "labels": tokenizer(target).input_ids}
        for source, target in zip(SOURCES, TARGETS, strict=True)
    ]
    arguments = hf.Seq2SeqTrainingArguments(
        str(folder), predict_with_generate=True, generation_max_length=8, max_steps=2, eval_strategy="steps",
        eval_steps=1, per_device_eval_batch_size=3, use_cpu=True, report_to="none", save_strategy="no",
        disable_tqdm=True, logging_strategy="no", **options.pop("arguments", {}),
    )  # fmt: skip
    collator = hf.DataCollatorForSeq2Seq(tokenizer, model)
    return hf.Seq2SeqTrainer(
        model, arguments, train_dataset=rows, eval_dataset=rows, data_collator=collator, processing_class=tokenizer,
        **options,
    )  # fmt: skip


def generated(pupil: tuple[Any, Any]) -> list[str]:
    """What the model writes, without a Trainer."""
    model, tokenizer = pupil
    model.eval()
    ids = [model.generate(tokenizer(text, return_tensors="pt").input_ids, max_length=8)[0] for text in SOURCES]
    return [text.strip() for text in tokenizer.batch_decode(ids, skip_special_tokens=True)]


@pytest.mark.filterwarnings("default")  # transformers warns of much
@pytest.mark.parametrize("batches", [False, True], ids=["at once", "batch by batch"])
def test_a_seq2seq_trainer_reports_the_scores(pupil: tuple[Any, Any], tmp_path: Path, batches: bool) -> None:
    arguments = {"batch_eval_metrics": batches, "include_for_metrics": [] if batches else ["inputs"]}
    running = trainer(pupil, tmp_path, arguments=arguments, compute_metrics=compute_metrics(pupil[1], ["chrf", "ter"]))
    running.train()
    found = running.evaluate()
    logged = [entry["eval_chrf"] for entry in running.state.log_history if "eval_chrf" in entry]
    assert len(logged) == 3
    # the tiny tokenizer drops what it does not know, so that references are read back, too
    tokenizer = pupil[1]
    references = tokenizer.batch_decode([tokenizer(text).input_ids for text in TARGETS], skip_special_tokens=True)
    texts = generated(pupil), [text.strip() for text in references]
    for name in ("chrf", "ter"):
        assert found[f"eval_{name}"] == farthing.score(*texts, metric=name).corpus


@pytest.mark.filterwarnings("default")
def test_the_callback_scores_what_is_generated(pupil: tuple[Any, Any], tmp_path: Path) -> None:
    seen: list[tuple[str, float, int]] = []
    writer = SimpleNamespace(add_scalar=lambda *told: seen.append(told), flush=lambda: None)
    outputs = iter([["the cat", "rain", "", "x"], TARGETS])
    logger = ScoreLogger(TARGETS, "chrf", tensorboard=writer)
    running = trainer(pupil, tmp_path, callbacks=[trainer_callback(logger, lambda model: next(outputs))])
    running.train()
    first = farthing.score(["the cat", "rain", "", "x"], TARGETS, metric="chrf").corpus
    assert seen == [("farthing/chrf", first, 1), ("farthing/chrf", 100.0, 2)]
