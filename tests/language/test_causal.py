"""Fluency against the loss of transformers, one text at a time."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from farthing.language.causal import CausalLanguageModel

TEXTS = ["the cat sat on the mat", "rain fell", "the cat sat on the mat", "nobody expected the old bridge to survive"]


def loss(folder: Path, ids: list[int]) -> float:
    model = transformers.GPT2LMHeadModel.from_pretrained(folder).eval()
    row = torch.tensor([ids])
    with torch.no_grad():
        return float(model(row, labels=row).loss)


@pytest.mark.parametrize("start", [True, False])
def test_each_text_has_the_loss_of_transformers(tiny_gpt: Path, start: bool) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_gpt)
    lead = [tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id] if start else []
    lead = [] if lead == [None] else lead
    found = CausalLanguageModel(str(tiny_gpt), start=start, threads=1).scores(TEXTS)
    expected = [-loss(tiny_gpt, [*lead, *tokenizer(text, add_special_tokens=False)["input_ids"]]) for text in TEXTS]
    assert found == pytest.approx(expected, abs=1e-5)


def test_nothing_to_predict_is_a_blind_guess(tiny_gpt: Path) -> None:
    lm = CausalLanguageModel(str(tiny_gpt), start=False, threads=1)
    size = transformers.AutoConfig.from_pretrained(tiny_gpt).vocab_size
    assert lm.scores([""]).tolist() == [-math.log(size)]
    assert lm.scores([]).shape == (0,)


def test_long_texts_lose_their_end(tiny_gpt: Path) -> None:
    lm = CausalLanguageModel(str(tiny_gpt), start=False, threads=1)
    assert lm.limit == 48
    [ids] = lm.tokenizer(["rain " * 100], add_special_tokens=False)["input_ids"]
    assert lm.scores(["rain " * 100]) == pytest.approx(-loss(tiny_gpt, ids[:48]), abs=1e-5)


def test_tokens_are_counted_and_cut_rows_named(tiny_gpt: Path) -> None:
    lm = CausalLanguageModel(str(tiny_gpt), start=False, limit=6, threads=1)
    found = lm.likelihoods(["", "rain fell", "rain " * 100, "rain fell"])
    counts = [len(ids) for ids in lm.tokenizer(["rain fell", "rain " * 100], add_special_tokens=False)["input_ids"]]
    assert found.tokens.tolist() == [0, min(6, counts[0]) - 1, 5, min(6, counts[0]) - 1]
    assert 2 in found.cut
    assert 0 not in found.cut


def test_the_fields_are_its_part_of_a_signature(tiny_gpt: Path) -> None:
    fields = CausalLanguageModel(str(tiny_gpt), start=False, threads=1).fields()
    assert (fields["lm"], fields["lm_start"]) == (tiny_gpt.name, False)
    assert np.char.isalnum(str(fields["lm_weights"]))
    assert len(str(fields["lm_weights"])) == 12
