"""Train a judge on pairs with targets, and let it judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from farthing.core.arrays import Segments
from farthing.core.progress import Log, silent_log
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Examples
from farthing.learn.match.model import Judge, TextBatch, text_batch
from farthing.learn.match.settings import MatchSettings
from farthing.learn.train.history import History
from farthing.learn.train.loop import train
from farthing.learn.train.objective import Objective, ParameterGroup, linear
from farthing.students import surface

TOKENS_PER_TEXT = 192  # while learning; longer texts would slow down all others
START = 1024  # pairs of the regression from which the head starts
AT_A_TIME = 32  # pairs per batch if nothing is learned


class PairBatch(NamedTuple):
    """The arguments of a judge."""

    candidates: TextBatch
    references: TextBatch
    surface: torch.Tensor


class TargetBatch(NamedTuple):
    """Pairs with what the judge should say about them, and the weights of its errors."""

    pairs: PairBatch
    targets: torch.Tensor
    weights: torch.Tensor


class Prepared:
    """Pairs as ids and surface features; each distinct text is tokenized once."""

    def __init__(self, tokenizer: Tokenizer, candidates: Sequence[str], references: Sequence[str]) -> None:
        distinct = list(dict.fromkeys([*candidates, *references]))
        room = min(tokenizer.room, TOKENS_PER_TEXT)
        contents = [content[:room] or [tokenizer.pad] for content in tokenizer.contents(distinct)]
        ids = dict(zip(distinct, (tokenizer.wrapped(content) for content in contents), strict=True))
        self.candidates, self.references = [ids[text] for text in candidates], [ids[text] for text in references]
        self.surface = torch.from_numpy(surface.surface_gaps(candidates, references)).float()
        self.around, self.pad = (len(tokenizer.prefix), len(tokenizer.suffix)), tokenizer.pad
        self.lengths = [len(a) + len(b) for a, b in zip(self.candidates, self.references, strict=True)]

    def batch(self, rows: Sequence[int]) -> PairBatch:
        """Make the arguments of a judge for some rows."""
        first = text_batch([self.candidates[row] for row in rows], self.pad, self.around)
        second = text_batch([self.references[row] for row in rows], self.pad, self.around)
        return PairBatch(first, second, self.surface[list(rows)])


def train_judge(
    judge: Judge,
    tokenizer: Tokenizer,
    data: Examples,
    settings: MatchSettings,
    run: Path | None = None,
    *,
    log: Log = silent_log,
    keep_head: bool = False,
) -> History:
    """Train in place: weighted mean squared error, a linear warm-up and decay; the same seed gives the same judge.

    :param run: the folder of checkpoints, from which an interrupted run resumes
    :param keep_head: continue with the head as it is, instead of starting from a regression
    """
    prepared = Prepared(tokenizer, data.candidates, data.references)
    targets, weights = torch.from_numpy(data.targets).float(), torch.from_numpy(data.weights).float()
    if not keep_head:
        _start_head(judge, prepared, targets, settings.seed)

    def batch(rows: Sequence[int]) -> TargetBatch:
        return TargetBatch(prepared.batch(rows), targets[list(rows)], weights[list(rows)])

    objective = Objective(
        judge,
        parameter_groups(judge, settings),
        prepared.lengths,
        batch,
        weighted_loss,
        pace=lambda step, steps: linear(step, steps, max(1, round(settings.warm_up * steps)), first=1),
    )
    return train(objective, settings, run, log=log)


def weighted_loss(judge: torch.nn.Module, batch: TargetBatch) -> torch.Tensor:
    """Compute the mean squared error of a batch, weighted by pair."""
    error: torch.Tensor = judge(*batch.pairs) - batch.targets
    return (batch.weights * error.square()).mean()


def _start_head(judge: Judge, prepared: Prepared, targets: torch.Tensor, seed: int) -> None:
    rows = np.random.default_rng(seed).permutation(len(targets))[:START].tolist()
    features = _over(prepared, rows, judge.features)
    judge.head.start(features, targets[rows])


def parameter_groups(judge: Judge, settings: MatchSettings) -> list[ParameterGroup]:
    """Sort the parameters by what their rate is: head, tables and token weights, transformer; freeze what must stay."""
    judge.tokens.requires_grad_(settings.parts)
    for part in judge.tokens.lowest(settings.frozen):
        part.requires_grad_(False)
    named = list(judge.tokens.named_parameters())
    table = [one for name, one in named if not name.startswith("model.")]
    deep = [one for name, one in named if name.startswith("model.") and one.requires_grad]
    groups = [ParameterGroup(list(judge.head.parameters()), settings.head_rate)]
    if settings.parts:
        groups.append(ParameterGroup(table, settings.table_rate))
    if settings.parts and deep:
        groups.append(ParameterGroup(deep, settings.rate, settings.decay))
    return groups


def judged(judge: Judge, tokenizer: Tokenizer, candidates: Sequence[str], references: Sequence[str]) -> Segments:
    """Score pairs."""
    judge.eval()
    prepared = Prepared(tokenizer, candidates, references)
    scores: Segments = _over(prepared, list(range(len(candidates))), judge).double().numpy()
    return scores


@torch.no_grad()
def _over(prepared: Prepared, rows: Sequence[int], function: Callable[..., torch.Tensor]) -> torch.Tensor:
    """Apply a function of batches to many rows, those of equal lengths together."""
    order = sorted(range(len(rows)), key=lambda place: prepared.lengths[rows[place]])
    runs = [order[begin : begin + AT_A_TIME] for begin in range(0, len(order), AT_A_TIME)]
    parts = [function(*prepared.batch([rows[place] for place in run])) for run in runs]
    return torch.cat(parts)[torch.argsort(torch.tensor(order))]
