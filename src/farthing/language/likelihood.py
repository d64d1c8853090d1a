"""How likely a text is: after another text (seq2seq), in batches that shrink where memory runs out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import MissingExtra, ModelError
from farthing.core.specs import Value
from farthing.core.threads import thread_count
from farthing.encoders.backends.torch import quiet
from farthing.encoders.batching import batches
from farthing.encoders.folder.locate import locate
from farthing.encoders.protocol import file_hash
from farthing.language.seq2seq import load_generator

TOKENS = 4096  # tokens a batch, padding included
Ids = list[int]


def run_batches(
    work: Callable[[list[int]], Sequence[float]], lengths: Sequence[int], tokens: int = TOKENS
) -> np.ndarray:
    """One number a row, by batches of rows of about the same length.

    A batch that does not fit into memory is halved, again and again; only a row that does not fit alone is an error.

    :param work: gives the numbers of some rows
    """
    values = np.zeros(len(lengths))
    for batch in batches(lengths, tokens, slack=0.3):
        for rows, found in _halving(work, batch):
            values[rows] = found
    return values


def _halving(
    work: Callable[[list[int]], Sequence[float]], rows: list[int]
) -> Iterator[tuple[list[int], Sequence[float]]]:
    try:
        found = work(rows)
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        if len(rows) == 1:
            raise ModelError(
                "a single text needs more memory than there is: shorten it, or use a smaller model"
            ) from error
        found = None
    if found is not None:
        yield rows, found
        return
    _free_memory()
    middle = len(rows) // 2
    yield from _halving(work, rows[:middle])
    yield from _halving(work, rows[middle:])


def is_out_of_memory(error: BaseException) -> bool:
    """True for the ways in which Python, torch and its devices say that memory has run out."""
    text = str(error).lower()
    return (
        isinstance(error, MemoryError)
        or "out of memory" in text
        or "not enough memory" in text
        or "can't allocate" in text
    )


def _free_memory() -> None:
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def load_quietly(folder: Path, threads: int, kind: str) -> tuple[Any, Any]:
    """A model and its tokenizer, without what transformers would write to the user's terminal meanwhile."""
    try:
        import transformers
    except ImportError as error:
        raise MissingExtra("a likelihood by a pretrained model", "torch") from error
    with quiet(transformers), warnings.catch_warnings():
        # Marian's tokenizer would have sacremoses replace typographic signs first; it does without
        warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
        return load_generator(folder, threads, kind)


class Likelihood:
    """The mean log-likelihood of target texts, token by token, given source texts, by a seq2seq model.

    :param model: a folder or a name
    :param tokens: tokens a batch, padding included
    """

    def __init__(self, model: str, *, threads: int | None = None, device: str = "cpu", tokens: int = TOKENS) -> None:
        self.folder, self.name = locate(model), Path(model).name
        self.device, self.tokens = device, tokens
        self.model, self.tokenizer = load_quietly(self.folder, thread_count(threads), "AutoModelForSeq2SeqLM")
        if not getattr(self.model.config, "is_encoder_decoder", False):
            raise ModelError(f"{self.name} is not a seq2seq model")
        self.model.to(device)
        self.limit = int(self.tokenizer.model_max_length)

    def scores(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[np.ndarray, list[int]]:
        """One mean log-likelihood (natural, at most 0) a pair, and the numbers of the rows that were cut.

        All tokens of the target count, the special ones that the tokenizer adds included.
        """
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
        """The ids of texts as sources or as targets, and which of them were cut to the model's limit."""
        found: list[Ids] = self.tokenizer(**{"text_target" if text_target else "text": list(texts)})["input_ids"]
        cut = {number for number, ids in enumerate(found) if len(ids) > self.limit}
        end = self.tokenizer.eos_token_id
        for number in cut:
            kept = found[number][: self.limit]
            found[number] = [*kept[:-1], end] if end is not None and found[number][-1] == end else kept
        return found, cut

    def _run(self, sources: list[Ids], targets: list[Ids]) -> Sequence[float]:
        import torch

        pad = self.model.config.pad_token_id or 0
        inputs, mask = _padded(sources, pad, self.device)
        labels, counted = _padded(targets, pad, self.device)
        with torch.inference_mode():
            decoder = self.model.prepare_decoder_input_ids_from_labels(labels=labels)
            logits = self.model(input_ids=inputs, attention_mask=mask, decoder_input_ids=decoder).logits
            chosen = logits.float().log_softmax(dim=-1).gather(-1, labels[..., None]).squeeze(-1)
            means = (chosen * counted).sum(dim=1) / counted.sum(dim=1)
        return [float(value) for value in means.cpu()]

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits of the hash of the weight files."""
        return file_hash(*sorted(self.folder.glob("*.safetensors")))

    def fields(self) -> dict[str, Value]:
        """The model's part of a score's signature."""
        return {"model": self.name, "weights": self.weights_hash, "limit": self.limit, "dtype": "fp32"}


def _padded(rows: list[Ids], fill: int, device: str) -> tuple[Any, Any]:
    import torch

    from farthing.encoders.batching import padded

    ids, mask = padded(rows, fill)
    return torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)
