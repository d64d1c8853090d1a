"""Train judges on pairs with targets, and let them judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from farthing.core.arrays import Segments
from farthing.core.progress import Log, silent_log
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Examples
from farthing.learn.match.head_fit import fit_caps, lean_heads, start_heads
from farthing.learn.match.model import Judge, Judgement
from farthing.learn.match.panel import Assignment, Panel, mixed_batches
from farthing.learn.match.prepared import Lesson, Prepared, TargetBatch, over
from farthing.learn.match.recipe_tables import Against
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.tokens import ContextualTokens
from farthing.learn.train.history import History
from farthing.learn.train.loop import train
from farthing.learn.train.objective import Objective, ParameterGroup, linear

ONLY: Against = "reference"  # the name of a judge that learns alone
LAYERS = ("model.", "layers.")  # the names of a transformer's parameters among those of tokens


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
    """Train one judge in place: see :func:`train_panel`."""
    parts = [Assignment(ONLY, data)]
    return train_panel(Panel({ONLY: judge}), tokenizer, parts, settings, run, log=log, keep_heads=keep_head)


def train_panel(
    panel: Panel,
    tokenizer: Tokenizer,
    parts: Sequence[Assignment],
    settings: MatchSettings,
    run: Path | None = None,
    *,
    log: Log = silent_log,
    keep_heads: bool = False,
) -> History:
    """Train in place: weighted mean squared error, a linear warm-up and decay; the same seed gives the same judges.

    :param keep_heads: continue with heads that have learned, instead of starting all from a regression
    """
    lessons = [Lesson(part, panel.judge(part.judge), tokenizer) for part in parts]
    edits = [lesson for lesson in lessons if lesson.teaches == "edits"]
    history = _train(panel, [one for one in lessons if one not in edits], settings, run, log, keep_heads)
    if settings.lean:
        lean_heads(panel, lessons, settings.seed, settings.lean)
    fit_caps(panel, edits)
    return history


def _train(
    panel: Panel, lessons: Sequence[Lesson], settings: MatchSettings, run: Path | None, log: Log, keep_heads: bool
) -> History:
    """Train once, or several times in different orders and average the weights."""
    start_heads(panel, lessons, settings.seed, keep_heads)
    if settings.averaged == 1:
        return _train_once(panel, lessons, settings, run, log)
    begin = {name: value.clone() for name, value in panel.state_dict().items()}
    sums: dict[str, torch.Tensor] = {}
    for order in range(settings.averaged):
        panel.load_state_dict(begin)
        history = _train_once(panel, lessons, settings, run and run / f"order{order}", log, order)
        for name, value in panel.state_dict().items():
            sums[name] = value.double() + sums.get(name, 0.0)
    panel.load_state_dict({name: total / settings.averaged for name, total in sums.items()})
    return history


def _train_once(
    panel: Panel, lessons: Sequence[Lesson], settings: MatchSettings, run: Path | None, log: Log, order: int = 0
) -> History:
    """Train in one order of the pairs."""
    lengths = [lesson.prepared.lengths for lesson in lessons]
    segments = [lesson.segments for lesson in lessons]
    owners = [lesson.prepared.owners for lesson in lessons] if settings.together else None
    firsts = np.cumsum([0, *map(len, lengths)])

    def batch(rows: Sequence[int]) -> TargetBatch:
        number = int(np.searchsorted(firsts, rows[0], side="right")) - 1
        return lessons[number].batch([row - int(firsts[number]) for row in rows])

    objective = Objective(
        panel,
        parameter_groups(panel, settings),
        [length for one in lengths for length in one],
        batch,
        loss_with(settings.marks),
        pace=lambda step, steps: linear(step, steps, max(1, round(settings.warm_up * steps)), first=1),
        batches=lambda epoch: mixed_batches(lengths, segments, settings.batch, settings.seed + order, epoch, owners),
    )
    return train(objective, settings, run, log=log)


def loss_with(marks: float) -> Callable[[torch.nn.Module, TargetBatch], torch.Tensor]:
    """Return the loss of a batch: that of its scores, and, with this weight, that of the marks of its tokens."""

    def loss(panel: torch.nn.Module, batch: TargetBatch) -> torch.Tensor:
        judgement: Judgement = panel(batch.judge, *batch.pairs, batch.teaches)
        error = weighted_error(judgement.scores, batch)
        if batch.wrong is None or judgement.wrong is None:
            return error
        return error + marks * marking_error(judgement.wrong, batch.wrong)

    return loss


def weighted_error(scores: torch.Tensor, batch: TargetBatch) -> torch.Tensor:
    """Compute the mean squared error of a batch, weighted by pair; of a segment, that of the differences."""
    error = scores - batch.targets
    if batch.centred:
        error = error - error.mean()
    return (batch.weights * error.square()).mean()


def marking_error(logits: torch.Tensor, wrong: torch.Tensor) -> torch.Tensor:
    """Compute the mean cross entropy of the tokens of which it is known whether they are wrong."""
    known = ~torch.isnan(wrong)
    return functional.binary_cross_entropy_with_logits(logits[known], wrong[known])


def parameter_groups(panel: Panel, settings: MatchSettings) -> list[ParameterGroup]:
    """Sort the parameters by their rates: heads, tables and token weights, transformer; freeze what must stay."""
    judges = [panel.judge(name) for name in panel.judges]
    for judge in judges:
        judge.tokens.requires_grad_(settings.parts)
        for part in judge.tokens.lowest(settings.frozen):
            part.requires_grad_(False)
        if isinstance(judge.tokens, ContextualTokens) and judge.tokens.adapter is not None:
            judge.tokens.adapter.freeze_rest()
    named = [pair for judge in judges for pair in judge.tokens.named_parameters()]
    table = [one for name, one in named if not name.startswith(LAYERS)]
    marks = [one for judge in judges if judge.marks is not None for one in judge.marks.parameters()]
    deep = [one for name, one in named if name.startswith(LAYERS) and one.requires_grad]
    heads = [one for judge in judges for head in judge.heads for one in head.parameters()]
    groups = [ParameterGroup(heads, settings.head_rate)]
    if settings.parts:
        groups.append(ParameterGroup([*table, *marks], settings.table_rate))
    if settings.parts and deep:
        groups.append(ParameterGroup(deep, settings.rate, settings.decay))
    return groups


def judged(judge: Judge, tokenizer: Tokenizer, candidates: Sequence[str], references: Sequence[str]) -> Segments:
    """Score pairs."""
    judge.eval()
    prepared = Prepared(tokenizer, candidates, references, judge.groups)
    rows = range(len(candidates))
    scores: Segments = over(prepared, rows, lambda *pairs: judge(*pairs).scores).double().numpy()
    return scores
