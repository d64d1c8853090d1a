"""Rows in batches that shrink if memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.errors import ModelError
from farthing.core.progress import phase
from farthing.encoders.batching import batches, padded

if TYPE_CHECKING:
    import torch

    from farthing.encoders.tokens.tokenize import Ids

TOKENS = 4096  # tokens per batch, padding included
_Work: TypeAlias = Callable[[list[int]], Sequence[float]]


def run_batches(work: _Work, lengths: Sequence[int], tokens: int = TOKENS) -> Floats:
    """Return one number per row, from batches of rows of about the same length.

    A batch that does not fit into memory is halved, again and again; only a row that does not fit alone is an error.

    :param work: returns the numbers of some rows
    :param lengths: the number of tokens of each row
    :param tokens: the most tokens of a batch, padding included
    """
    values = np.zeros(len(lengths))
    with phase("encoding", len(lengths)) as progress:
        for batch in batches(lengths, tokens, slack=0.3):
            for rows, numbers in _halving(work, batch):
                values[rows] = numbers
                progress(len(rows))
    return values


def _halving(work: _Work, rows: list[int]) -> Iterator[tuple[list[int], Sequence[float]]]:
    try:
        numbers = work(rows)
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        if len(rows) == 1:
            raise ModelError(
                "a single text needs more memory than there is: shorten it, or use a smaller model"
            ) from error
        numbers = None
    if numbers is not None:
        yield rows, numbers
        return
    _free_memory()
    middle = len(rows) // 2
    yield from _halving(work, rows[:middle])
    yield from _halving(work, rows[middle:])


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether Python, torch or one of its devices says that memory has run out."""
    text = str(error).lower()
    said = ("out of memory", "not enough memory", "can't allocate")
    return isinstance(error, MemoryError) or any(words in text for words in said)


def _free_memory() -> None:
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def padded_tensors(rows: Sequence[Ids], fill: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Put rows of token ids into one tensor, and make its mask: 1 for a token, 0 for padding."""
    import torch

    ids, mask = padded(rows, fill)
    return torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)


def mean_log_likelihoods(logits: torch.Tensor, labels: torch.Tensor, counted: torch.Tensor) -> list[float]:
    """Return the mean log-likelihood (natural) of the labels of each row.

    :param counted: 1 for a label that counts, 0 for padding
    """
    chosen = logits.float().log_softmax(dim=-1).gather(-1, labels[..., None]).squeeze(-1)
    means = (chosen * counted).sum(dim=1) / counted.sum(dim=1)
    return [float(value) for value in means.cpu()]
