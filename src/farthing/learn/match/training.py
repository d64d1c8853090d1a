"""Train judges on pairs with targets, and let them judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from farthing.core.arrays import Segments
from farthing.core.progress import Log, silent_log
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Examples, Teaches
from farthing.learn.data.marks import token_marks
from farthing.learn.match.edit_fit import fit_cap
from farthing.learn.match.model import Judge, Judgement, TextBatch, text_batch
from farthing.learn.match.panel import Assignment, Panel, mixed_batches
from farthing.learn.match.recipe import Against
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.tokens import ContextualTokens
from farthing.learn.train.history import History
from farthing.learn.train.loop import train
from farthing.learn.train.objective import Objective, ParameterGroup, linear
from farthing.students.head import text_gaps
from farthing.students.layout import SURFACE

TOKENS_PER_TEXT = 192  # while learning; longer texts would slow down all others
START = 1024  # pairs of the regression from which the head starts
ONLY: Against = "reference"  # the name of a judge that learns alone
LAYERS = ("model.", "layers.")  # the names of a transformer's parameters among those of tokens
AT_A_TIME = 32  # pairs per batch if nothing is learned


class PairBatch(NamedTuple):
    """The arguments of a judge."""

    candidates: TextBatch
    references: TextBatch
    surface: torch.Tensor


class TargetBatch(NamedTuple):
    """Pairs with what a judge should say about them, and the weights of its errors.

    :param centred: only the differences between the pairs count
    :param wrong: which tokens of the candidates are wrong, 1 or 0, NaN if that is not known
    :param teaches: what learns from the batch
    """

    judge: str
    pairs: PairBatch
    targets: torch.Tensor
    weights: torch.Tensor
    centred: bool
    wrong: torch.Tensor | None = None
    teaches: Teaches = "all"


class Prepared:
    """Pairs as ids and surface features; each distinct text is tokenized once."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        candidates: Sequence[str],
        references: Sequence[str],
        features: Sequence[str] = (SURFACE,),
    ) -> None:
        distinct = list(dict.fromkeys([*candidates, *references]))
        room = min(tokenizer.room, TOKENS_PER_TEXT)
        contents = [content[:room] or [tokenizer.pad] for content in tokenizer.contents(distinct)]
        ids = dict(zip(distinct, (tokenizer.wrapped(content) for content in contents), strict=True))
        self.candidates, self.references = [ids[text] for text in candidates], [ids[text] for text in references]
        self.surface = torch.from_numpy(text_gaps(candidates, references, features)).float()
        self.around, self.pad = (len(tokenizer.prefix), len(tokenizer.suffix)), tokenizer.pad
        self.lengths = [len(a) + len(b) for a, b in zip(self.candidates, self.references, strict=True)]

    @property
    def owners(self) -> np.ndarray:
        """One number per pair, the same for pairs with the same reference."""
        numbers = {row: number for number, row in enumerate(dict.fromkeys(map(tuple, self.references)))}
        return np.array([numbers[tuple(row)] for row in self.references])

    def batch(self, rows: Sequence[int]) -> PairBatch:
        """Make the arguments of a judge for some rows."""
        first = text_batch([self.candidates[row] for row in rows], self.pad, self.around)
        second = text_batch([self.references[row] for row in rows], self.pad, self.around)
        return PairBatch(first, second, self.surface[list(rows)])


class Lesson:
    """One part of what a panel learns, ready for batches."""

    def __init__(self, part: Assignment, judge: Judge, tokenizer: Tokenizer) -> None:
        data = part.examples
        self.judge, self.segments, self.teaches = part.judge, data.segments, data.teaches
        self.prepared = Prepared(tokenizer, data.candidates, data.references, judge.groups)
        self.targets, self.weights = torch.from_numpy(data.targets).float(), torch.from_numpy(data.weights).float()
        self.marks = [
            token_marks(tokenizer.spans(text), wrong) if wrong is not None else None
            for text, wrong in zip(data.candidates, data.wrong or [None] * len(data), strict=True)
        ]

    def batch(self, rows: Sequence[int]) -> TargetBatch:
        """Make a batch of some rows."""
        pairs, centred = self.prepared.batch(rows), self.segments is not None
        targets, weights = self.targets[list(rows)], self.weights[list(rows)]
        wrong = self._wrong(rows, pairs.candidates)
        return TargetBatch(self.judge, pairs, targets, weights, centred, wrong, self.teaches)

    def _wrong(self, rows: Sequence[int], candidates: TextBatch) -> torch.Tensor | None:
        """Lay out the marks of some rows like the tokens of their candidates."""
        marks = [self.marks[row] for row in rows]
        if all(one is None for one in marks):
            return None
        before = self.prepared.around[0]
        wrong = torch.full((len(rows), candidates.ids.shape[1]), float("nan"))
        for place, one in enumerate(marks):
            if one is not None:
                some = torch.from_numpy(one[: wrong.shape[1] - sum(self.prepared.around)])
                wrong[place, before : before + len(some)] = some
        return wrong


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
    _fit_caps(panel, edits)
    return history


def _train(
    panel: Panel, lessons: Sequence[Lesson], settings: MatchSettings, run: Path | None, log: Log, keep_heads: bool
) -> History:
    """Train once, or several times in different orders and average the weights."""
    _start_heads(panel, lessons, settings.seed, keep_heads)
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


def _start_heads(panel: Panel, lessons: Sequence[Lesson], seed: int, keep: bool) -> None:
    """Start every head from a regression of the absolute targets that its judge learns.

    :param keep: only those that have not started yet
    """
    for name in panel.judges:
        if keep and panel.judge(name).head.started:
            continue
        own = [lesson for lesson in lessons if lesson.judge == name and lesson.segments is None]
        if parts := [_first_features(panel.judge(name), lesson, seed, START // len(own)) for lesson in own]:
            features, targets = (torch.cat(column) for column in zip(*parts, strict=True))
            for head in panel.judge(name).heads:
                head.start(features, targets)


def _first_features(judge: Judge, lesson: Lesson, seed: int, most: int) -> tuple[torch.Tensor, torch.Tensor]:
    rows = np.random.default_rng(seed).permutation(len(lesson.targets))[:most].tolist()
    return _over(lesson.prepared, rows, judge.features), lesson.targets[rows]


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
    scores: Segments = _over(prepared, rows, lambda *pairs: judge(*pairs).scores).double().numpy()
    return scores


def _fit_caps(panel: Panel, lessons: Sequence[Lesson]) -> None:
    """Let the judges learn how much a single wrong word counts, from the lessons that teach nothing else."""
    for lesson in lessons:
        if lesson.segments is not None:
            judge = panel.judge(lesson.judge).eval()
            features = _over(lesson.prepared, range(len(lesson.targets)), judge.features)
            fit_cap(judge.head, features, lesson.targets, lesson.segments)


@torch.no_grad()
def _over(prepared: Prepared, rows: Sequence[int], function: Callable[..., torch.Tensor]) -> torch.Tensor:
    """Apply a function of batches to many rows, those of equal lengths together."""
    order = sorted(range(len(rows)), key=lambda place: prepared.lengths[rows[place]])
    runs = [order[begin : begin + AT_A_TIME] for begin in range(0, len(order), AT_A_TIME)]
    parts = [function(*prepared.batch([rows[place] for place in run])) for run in runs]
    return torch.cat(parts)[torch.argsort(torch.tensor(order))]
