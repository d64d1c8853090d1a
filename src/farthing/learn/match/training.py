"""Train a judge on pairs with targets, and let it judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Examples
from farthing.learn.data.lengths import bucketed
from farthing.learn.match.model import Judge, side
from farthing.learn.match.plan import Plan
from farthing.students import surface

LIMIT = 192  # tokens of a text while learning; long texts would set the pace of all others
START = 1024  # pairs at which the head's regression begins
Log = Callable[[str], None]


class Prepared:
    """Pairs as ids and surface features; each distinct text is cut into tokens once."""

    def __init__(self, tokenizer: Tokenizer, candidates: Sequence[str], references: Sequence[str]) -> None:
        distinct = list(dict.fromkeys([*candidates, *references]))
        room = min(tokenizer.room, LIMIT)
        contents = [content[:room] or [tokenizer.pad] for content in tokenizer.contents(distinct)]
        ids = dict(zip(distinct, (tokenizer.wrapped(content) for content in contents), strict=True))
        self.candidates, self.references = [ids[text] for text in candidates], [ids[text] for text in references]
        self.surface = torch.from_numpy(surface.differences(candidates, references)).float()
        self.around, self.pad = (len(tokenizer.prefix), len(tokenizer.suffix)), tokenizer.pad
        self.lengths = [len(a) + len(b) for a, b in zip(self.candidates, self.references, strict=True)]

    def batch(self, rows: Sequence[int]) -> tuple[object, object, torch.Tensor]:
        """The arguments of a judge for some rows."""
        first = side([self.candidates[row] for row in rows], self.pad, self.around)
        second = side([self.references[row] for row in rows], self.pad, self.around)
        return first, second, self.surface[list(rows)]


def fit(
    judge: Judge,
    tokenizer: Tokenizer,
    data: Examples,
    plan: Plan,
    log: Log = lambda line: None,
    *,
    keep_head: bool = False,
) -> None:
    """Train in place: mean squared error, AdamW, a linear warm-up and decay; the same seed gives the same judge.

    :param keep_head: go on from the head as it is, instead of from a regression
    """
    torch.manual_seed(plan.seed)
    prepared = Prepared(tokenizer, data.candidates, data.references)
    targets, weights = torch.from_numpy(data.targets).float(), torch.from_numpy(data.weights).float()
    if not keep_head:
        _start_head(judge, prepared, targets, plan.seed)
    orders = [_cut(bucketed(prepared.lengths, plan.batch, plan.seed, n), plan.batch) for n in range(plan.epochs)]
    batches = [rows for order in orders for rows in order]
    optimiser = torch.optim.AdamW(_groups(judge, plan))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _pace(step, len(batches), plan.warm_up))
    trained = [parameter for group in optimiser.param_groups for parameter in group["params"]]
    judge.train()
    total = 0.0
    for step, rows in enumerate(batches, start=1):
        error = judge(*prepared.batch(rows)) - targets[rows]
        loss = (weights[rows] * error.square()).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        schedule.step()
        total += float(loss.detach())
        if not step % 50 or step == len(batches):
            log(f"step {step}/{len(batches)}, mean squared error {total / (step % 50 or 50):.4f}")
            total = 0.0
    judge.eval()


def _start_head(judge: Judge, prepared: Prepared, targets: torch.Tensor, seed: int) -> None:
    rows = np.random.default_rng(seed).permutation(len(targets))[:START].tolist()
    features = _over(prepared, rows, judge.features)
    judge.head.start(features, targets[rows])


def _groups(judge: Judge, plan: Plan) -> list[dict[str, object]]:
    model = getattr(judge.tokens, "model", None)
    if model is not None:
        for part in (model.embeddings, *model.encoder.layer[: plan.frozen]):
            part.requires_grad_(False)
    deep = [p for name, p in judge.tokens.named_parameters() if name.startswith("model.") and p.requires_grad]
    table = [p for name, p in judge.tokens.named_parameters() if not name.startswith("model.")]
    head = list(judge.head.parameters())
    groups: list[dict[str, object]] = [{"params": head, "lr": plan.head_rate, "weight_decay": 0.0}]
    if plan.parts:
        groups.append({"params": table, "lr": plan.table_rate, "weight_decay": 0.0})
    if plan.parts and deep:
        groups.append({"params": deep, "lr": plan.rate, "weight_decay": plan.decay})
    return groups


def _pace(step: int, steps: int, share: float) -> float:
    warm = max(1, round(share * steps))
    return (step + 1) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))


def _cut(order: Sequence[int], size: int) -> list[list[int]]:
    return [list(order[begin : begin + size]) for begin in range(0, len(order), size)]


@torch.no_grad()
def judged(judge: Judge, tokenizer: Tokenizer, candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """The scores of pairs."""
    judge.eval()
    prepared = Prepared(tokenizer, candidates, references)
    found: np.ndarray = _over(prepared, list(range(len(candidates))), judge).double().numpy()
    return found


@torch.no_grad()
def _over(prepared: Prepared, rows: Sequence[int], function: Callable[..., torch.Tensor]) -> torch.Tensor:
    """A function of batches for many rows, equal lengths together."""
    order = sorted(range(len(rows)), key=lambda place: prepared.lengths[rows[place]])
    parts = [function(*prepared.batch([rows[place] for place in run])) for run in _cut(order, 32)]
    return torch.cat(parts)[torch.argsort(torch.tensor(order))]
