"""How likely a text is after another text, by a seq2seq model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.specs import Value
from farthing.core.texts import without_surrogates
from farthing.core.threads import thread_count
from farthing.encoders.backends.pretrained import quietly
from farthing.encoders.device import AUTO, device_fields, torch_device
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Ids
from farthing.language.batches import TOKENS, mean_log_likelihoods, padded_tensors, run_batches
from farthing.language.model import language_weights, load_language_model


class Likelihood:
    """The mean log-likelihood of the tokens of target texts, given source texts, by a seq2seq model.

    :param model: a folder or a name
    :param tokens: the most tokens of a batch, padding included
    """

    def __init__(self, model: str, *, threads: int | None = None, device: str = AUTO, tokens: int = TOKENS) -> None:
        self.folder, self.name = locate(model), Path(model).name
        self.device, self.tokens = torch_device(device), tokens
        self.model, self.tokenizer = load_language_model(self.folder, "seq2seq", thread_count(threads))
        self.model.to(self.device)
        self.limit = int(self.tokenizer.model_max_length)

    def scores(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[Segments, list[int]]:
        """Return one mean log-likelihood (natural, at most 0) per pair, and the numbers of the rows that were cut.

        All tokens of the target count, the special ones that the tokenizer adds included.
        """
        if not sources:
            return np.zeros(0), []
        distinct = list(dict.fromkeys(zip(sources, targets, strict=True)))
        place = {pair: number for number, pair in enumerate(distinct)}
        left, cut_left = self._ids([source for source, _ in distinct], text_target=False)
        right, cut_right = self._ids([target for _, target in distinct], text_target=True)

        def work(rows: list[int]) -> Sequence[float]:
            return self._run([left[row] for row in rows], [right[row] for row in rows])

        values = run_batches(work, [len(a) + len(b) for a, b in zip(left, right, strict=True)], self.tokens)
        order = [place[pair] for pair in zip(sources, targets, strict=True)]
        return values[order], [row for row, number in enumerate(order) if number in cut_left | cut_right]

    def _ids(self, texts: Sequence[str], *, text_target: bool) -> tuple[list[Ids], set[int]]:
        """Return the ids of texts as sources or as targets, and which of them were cut to the model's limit."""
        with quietly():  # a note names the texts that are cut
            named = {"text_target" if text_target else "text": list(map(without_surrogates, texts))}
            rows: list[Ids] = self.tokenizer(**named, verbose=False)[
                "input_ids"
            ]  # no warning: long texts are cut below
        cut = {number for number, ids in enumerate(rows) if len(ids) > self.limit}
        end = self.tokenizer.eos_token_id
        for number in cut:
            kept = rows[number][: self.limit]
            rows[number] = [*kept[:-1], end] if end is not None and rows[number][-1] == end else kept
        return rows, cut

    def _run(self, sources: list[Ids], targets: list[Ids]) -> Sequence[float]:
        import torch

        pad = self.model.config.pad_token_id or 0
        inputs, mask = padded_tensors(sources, pad, self.device)
        labels, counted = padded_tensors(targets, pad, self.device)
        with torch.inference_mode():
            decoder = self.model.prepare_decoder_input_ids_from_labels(labels=labels)
            logits = self.model(input_ids=inputs, attention_mask=mask, decoder_input_ids=decoder).logits
            return mean_log_likelihoods(logits, labels, counted)

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits that name the content of the weights."""
        return language_weights(self.folder)

    def fields(self) -> dict[str, Value]:
        """Return the model's part of a score's signature."""
        own: dict[str, Value] = {"model": self.name, "weights": self.weights_hash, "limit": self.limit, "dtype": "fp32"}
        return own | device_fields(self.device)
