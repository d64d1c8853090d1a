"""An encoder that stops early: a text leaves as soon as a layer hardly changes its vectors.

DeeBERT's exits need trained heads; these need none. After every block the mean cosine distance between a text's
vectors and those of the block before is compared with a threshold. A text below it leaves the batch with the vectors
it has, and the others continue without it. When none is left, the remaining blocks are not run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from farthing.core.arrays import Floats, Indices, Vectors
from farthing.core.errors import SpecError
from farthing.core.specs import Value
from farthing.encoders.backends.torch import TorchEncoder, as_inputs, find_blocks
from farthing.encoders.protocol import Encoder

if TYPE_CHECKING:
    import torch

_Arguments: TypeAlias = "tuple[torch.Tensor, ...]"
_Named: TypeAlias = "dict[str, torch.Tensor | None]"
_Output: TypeAlias = "torch.Tensor | tuple[torch.Tensor, ...]"


@dataclass(frozen=True, slots=True)
class ExitReport:
    """What leaving early has saved since the encoder was made.

    :param layers: how many blocks each text went through
    :param seconds: the time spent in blocks
    :param saved: the time that the skipped blocks would have taken, at the cost per token of those that were run
    """

    layers: Indices
    depth: int
    seconds: float
    saved: float

    @property
    def share(self) -> float:
        """The share of the blocks' time that was saved."""
        whole = self.seconds + self.saved
        return self.saved / whole if whole else 0.0

    def __str__(self) -> str:
        mean = float(self.layers.mean()) if len(self.layers) else 0.0
        return f"texts left after {mean:.1f} of {self.depth} layers on average; {self.share:.0%} of the time was saved"


class _Left(Exception):
    """The last text has left."""


class _Pass:
    """One batch on its way through the blocks."""

    def __init__(self, size: int, mask: torch.Tensor | None, threshold: float, depth: int) -> None:
        self.inside = list(range(size))  # the rows that are still on their way
        self.size, self.mask, self.threshold, self.depth = size, mask, threshold, depth
        self.before: torch.Tensor | None = None
        self.reached = 0
        self.states: dict[int, torch.Tensor] = {}
        self.layers: dict[int, int] = {}
        self.token_blocks, self.seconds = 0, 0.0
        self.started = 0.0

    def step(self, states: torch.Tensor) -> torch.Tensor:
        """Let texts leave after a block, and return the states of those that stay."""
        self.seconds += time.perf_counter() - self.started
        self.reached += 1
        self.token_blocks += states.shape[0] * states.shape[1]
        if self.reached == self.depth or self.before is None:
            return states
        still = self._change(states, self.before) < self.threshold
        for place in np.flatnonzero(still):
            row = self.inside[place]
            self.states[row], self.layers[row] = states[place], self.reached
        self.inside = [row for place, row in enumerate(self.inside) if not still[place]]
        if not self.inside:
            raise _Left
        return states[~still] if still.any() else states

    def _change(self, states: torch.Tensor, before: torch.Tensor) -> Floats:
        import torch

        similarity = torch.nn.functional.cosine_similarity(states, before, dim=-1)
        if self.mask is None:
            return np.asarray((1 - similarity.mean(dim=1)).float().cpu().numpy())
        mask = self.mask[self.inside].to(similarity.dtype)
        return np.asarray((1 - (similarity * mask).sum(dim=1) / mask.sum(dim=1)).float().cpu().numpy())


class EarlyExitEncoder:
    """A torch encoder whose texts leave early; its only layer is the one that each text leaves from.

    :param threshold: the mean cosine distance between two layers below which a text leaves; with 0 none leaves early
    """

    precision = "fp32"

    def __init__(self, inner: TorchEncoder, threshold: float) -> None:
        if not 0 <= threshold <= 2:
            raise SpecError(f"early_exit={threshold} is not a cosine distance: give a number from 0 to 2, such as 0.05")
        self.inner, self.threshold = inner, threshold
        self.name, self.backend, self.tokenizer = inner.name, inner.backend, inner.tokenizer
        self.dimension, self.slack, self.tokens = inner.dimension, inner.slack, inner.tokens
        self.depth = inner.layers[-1]
        self.layers: tuple[int, ...] = (self.depth,)
        blocks = find_blocks(inner.model, self.depth)
        if blocks is None or len(blocks) != self.depth:
            raise SpecError(f"{inner.name} has no plain list of blocks, so its texts cannot leave early")
        self._local, self._lock = threading.local(), threading.Lock()
        self._used: dict[bytes, int] = {}
        self._seconds, self._saved = 0.0, 0.0
        for block in blocks:
            block.register_forward_pre_hook(self._before, with_kwargs=True)
            block.register_forward_hook(self._after)

    def _before(self, _: torch.nn.Module, args: _Arguments, kwargs: _Named) -> tuple[_Arguments, _Named] | None:
        current: _Pass | None = getattr(self._local, "current", None)
        if current is None:
            return None
        current.before = args[0] if args else kwargs["hidden_states"]
        current.started = time.perf_counter()
        mask = kwargs.get("attention_mask")
        if mask is not None and mask.shape[0] == current.size and len(current.inside) < current.size:
            kwargs = {**kwargs, "attention_mask": mask[current.inside]}
        return args, kwargs

    def _after(self, _: torch.nn.Module, __: object, output: _Output) -> _Output | None:
        current: _Pass | None = getattr(self._local, "current", None)
        if current is None:
            return None
        states = output[0] if isinstance(output, tuple) else output
        kept = current.step(states)
        return (kept, *output[1:]) if isinstance(output, tuple) else kept

    def run(self, ids: Indices, mask: Indices | None, layers: Sequence[int]) -> list[Vectors]:
        """Return the states that each text leaves with, once for each time they are asked for."""
        import torch

        inputs = as_inputs(ids, mask, self.inner.device)
        current = self._local.current = _Pass(len(ids), inputs.get("attention_mask"), self.threshold, self.depth)
        try:
            with torch.inference_mode():
                final = self.inner.model(**inputs).last_hidden_state
                for place, row in enumerate(current.inside):
                    current.states[row], current.layers[row] = final[place], self.depth
        except _Left:
            pass
        finally:
            self._local.current = None
        self._remember(ids, mask, current)
        states = torch.stack([current.states[row] for row in range(len(ids))]).float().cpu().numpy()
        return [states for _ in layers]

    def _remember(self, ids: Indices, mask: Indices | None, current: _Pass) -> None:
        lengths = np.full(len(ids), ids.shape[1]) if mask is None else mask.sum(axis=1)
        missed = sum(ids.shape[1] * (self.depth - layers) for layers in current.layers.values())
        with self._lock:
            for row, layers in current.layers.items():
                self._used[ids[row, : lengths[row]].tobytes()] = layers
            self._seconds += current.seconds
            self._saved += missed * current.seconds / current.token_blocks

    def used(self, ids: Indices) -> int:
        """Return how many blocks a text went through; 0 if it came from the cache or was read in several windows."""
        return self._used.get(np.asarray(ids, dtype=np.int64).tobytes(), 0)

    def report(self) -> ExitReport:
        """Report what leaving early has saved so far."""
        with self._lock:
            return ExitReport(np.array(list(self._used.values())), self.depth, self._seconds, self._saved)

    def working(self) -> AbstractContextManager[None]:
        """Let each thread use one core."""
        return self.inner.working()

    def fields(self) -> dict[str, Value]:
        """Return the encoder's part of a score's signature."""
        return {**self.inner.fields(), "early_exit": self.threshold}


def exiting(encoder: Encoder, threshold: float) -> EarlyExitEncoder:
    """Give an encoder early exit; the same encoder and threshold give the same object."""
    if not isinstance(encoder, TorchEncoder):
        raise SpecError(f"early_exit needs backend=torch: {encoder.name} runs by {encoder.backend}")
    return _made(encoder, threshold)


@lru_cache(maxsize=4)
def _made(encoder: TorchEncoder, threshold: float) -> EarlyExitEncoder:
    return EarlyExitEncoder(encoder, threshold)
