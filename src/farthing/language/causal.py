"""How likely a text is by itself: the mean log-likelihood of its tokens under a causal language model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from farthing.core.arrays import Indices, Segments
from farthing.core.specs import Value
from farthing.core.texts import without_surrogates
from farthing.core.threads import thread_count
from farthing.encoders.backends.pretrained import quietly
from farthing.encoders.device import AUTO, device_fields, torch_device
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Ids
from farthing.language.batches import mean_log_likelihoods, padded_tensors, run_batches
from farthing.language.model import language_weights, load_language_model

LIMIT = 1024  # tokens of a text; longer texts lose their end


@dataclass(frozen=True, slots=True)
class TextLikelihoods:
    """How likely texts are.

    :param means: the mean log-likelihood (natural, at most 0) of the predicted tokens of each text
    :param tokens: how many tokens of each text were predicted
    :param cut: the rows of texts that lost their end
    """

    means: Segments
    tokens: Indices
    cut: tuple[int, ...] = ()


class CausalLanguageModel:
    """A causal language model that says how fluent texts are.

    :param model: a folder with safetensors, or with one GGUF file
    :param start: put the model's begin token before every text, so that its first token is predicted, too;
        without it a text of one token has nothing to predict
    :param limit: how many tokens of a text are read, at most as many as the model can read
    """

    def __init__(
        self, model: str, *, start: bool = True, limit: int = LIMIT, threads: int | None = None, device: str = AUTO
    ) -> None:
        self.folder, self.name, self.device = locate(model), Path(model).name, torch_device(device)
        self.model, self.tokenizer = load_language_model(self.folder, "causal", thread_count(threads))
        self.model.to(self.device)
        self.limit = min(limit, int(self.tokenizer.model_max_length))
        begin = self.tokenizer.bos_token_id
        begin = self.tokenizer.eos_token_id if begin is None else begin
        self.start: Ids = [begin] if start and begin is not None else []

    @property
    def blind(self) -> float:
        """The log-likelihood of a blind guess, which a text with nothing to predict gets."""
        return -math.log(self.model.config.vocab_size)

    def scores(self, texts: Sequence[str]) -> Segments:
        """Return the mean log-likelihood (natural, at most 0) of the tokens of every text."""
        return self.likelihoods(texts).means

    def likelihoods(self, texts: Sequence[str]) -> TextLikelihoods:
        """Return how likely every text is; equal texts are read once."""
        distinct = list(dict.fromkeys(texts))
        clean = list(map(without_surrogates, distinct))
        with quietly():  # the texts that are cut are named in the result
            contents = self.tokenizer(clean, add_special_tokens=False, verbose=False)["input_ids"] if clean else []
        whole = [[*self.start, *content] for content in contents]
        rows = [row[: self.limit] for row in whole]
        scores = np.full(len(rows), self.blind)
        places = [number for number, row in enumerate(rows) if len(row) > 1]
        if places:
            chosen = [rows[place] for place in places]
            scores[places] = run_batches(
                lambda batch: self._run([chosen[row] for row in batch]), [len(row) for row in chosen]
            )
        order = {text: place for place, text in enumerate(distinct)}
        back = np.array([order[text] for text in texts], dtype=np.int64)
        tokens = np.array([max(0, len(row) - 1) for row in rows], dtype=np.int64)
        cut = tuple(row for row, place in enumerate(back) if len(whole[place]) > self.limit)
        return TextLikelihoods(scores[back], tokens[back], cut)

    def _run(self, rows: list[Ids]) -> Sequence[float]:
        import torch

        ids, mask = padded_tensors(rows, 0, self.device)
        with torch.inference_mode():
            logits = self.model(input_ids=ids, attention_mask=mask).logits[:, :-1]
            return mean_log_likelihoods(logits, ids[:, 1:], mask[:, 1:])

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits that name the content of the weights."""
        return language_weights(self.folder)

    def fields(self) -> dict[str, Value]:
        """Return the model's part of a score's signature."""
        own: dict[str, Value] = {"lm": self.name, "lm_weights": self.weights_hash, "lm_start": bool(self.start)}
        return own | {f"lm_{name}": value for name, value in device_fields(self.device).items()}
