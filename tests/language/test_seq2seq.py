"""Generated texts against transformers' own, kept by the content of the model, and one sentence for mistakes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers

from farthing.core.errors import ModelError, UsageError
from farthing.language.seq2seq import MaskFiller, Seq2Seq

TEXTS = ["the cat sat", "rain", "the cat sat", "nobody expected the old bridge"]


@pytest.mark.parametrize("beams", [1, 2])
def test_answers_are_those_of_a_single_text(tiny_bart: Path, beams: int) -> None:
    done: list[int] = []
    found = Seq2Seq(str(tiny_bart), beams=beams, longest=8, threads=1).generate(TEXTS, done.append)
    model = transformers.BartForConditionalGeneration.from_pretrained(tiny_bart).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bart)
    for text, answer in zip(TEXTS, found, strict=True):
        ids = torch.tensor([tokenizer(text)["input_ids"]])
        with torch.no_grad():
            [expected] = model.generate(ids, num_beams=beams, do_sample=False, max_length=None, max_new_tokens=8)
        assert answer == tokenizer.decode(expected, skip_special_tokens=True).strip()
    assert sum(done) == 3


def test_kept_answers_need_no_model_and_other_weights_make_new_ones(tiny_bart: Path, tmp_path: Path) -> None:
    folder, kept = tmp_path / "model", tmp_path / "kept.sqlite"
    shutil.copytree(tiny_bart, folder)
    first = Seq2Seq(str(folder), longest=4, cache=kept, threads=1)
    answers = first.generate(TEXTS)
    again = Seq2Seq(str(folder), longest=4, cache=kept, threads=1)
    assert again.generate(TEXTS) == answers
    assert "_loaded" not in vars(again)  # nothing was loaded for it
    model = transformers.BartForConditionalGeneration.from_pretrained(folder)
    with torch.no_grad():
        next(model.parameters()).add_(1)
    model.save_pretrained(folder)  # the same name, the same sizes, other numbers
    assert Seq2Seq(str(folder), longest=4).key != first.key
    assert Seq2Seq(str(tiny_bart), longest=5).key != Seq2Seq(str(tiny_bart), longest=4).key


def test_nothing_is_generated_for_nothing(tiny_bart: Path) -> None:
    assert Seq2Seq(str(tiny_bart)).generate([]) == []


def test_masks_are_filled_with_the_likeliest_token(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    folder = tmp_path / "masked"
    shutil.copytree(tiny_model("bert"), folder)
    torch.manual_seed(0)
    model = transformers.BertForMaskedLM(transformers.AutoConfig.from_pretrained(folder)).eval()
    model.save_pretrained(folder)
    filler = MaskFiller(str(folder), cache=tmp_path / "kept.sqlite", threads=1)
    assert filler.mask_token == "[MASK]"
    text = "the [MASK] sat on the [MASK]"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer(text)["input_ids"]
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0]
    special = set(tokenizer.all_special_ids)
    best = [max((n for n in range(logits.shape[1]) if n not in special), key=lambda n: float(row[n])) for row in logits]
    filled = [best[place] if number == tokenizer.mask_token_id else number for place, number in enumerate(ids)]
    assert filler.generate([text, text]) == [tokenizer.decode(filled, skip_special_tokens=True)] * 2
    assert MaskFiller(str(folder), cache=tmp_path / "kept.sqlite").generate([text]) == filler.generate([text])


def test_a_model_without_a_mask_is_refused(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(ModelError, match=r"no mask token|is not a masked language model"):
        MaskFiller(str(tiny_model("roberta"))).generate(["a"])


def test_models_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no folder"):
        Seq2Seq(str(tmp_path / "missing"))
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(UsageError, match="at least 1"):
        Seq2Seq(str(tmp_path), beams=0)
    with pytest.raises(ModelError, match="cannot be loaded as a seq2seq model"):
        Seq2Seq(str(tmp_path)).generate(["a"])
