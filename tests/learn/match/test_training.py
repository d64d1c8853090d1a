"""Training a judge: it learns, as a plain loop would, and its export scores as the judge does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Examples
from farthing.learn.data.lengths import bucketed
from farthing.learn.match.export import write_judge
from farthing.learn.match.head_fit import SAMPLE
from farthing.learn.match.model import Judge
from farthing.learn.match.panel import Panel
from farthing.learn.match.prepared import Prepared
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.tokens import ContextualTokens, StaticTokens, load_transformer
from farthing.learn.match.training import judged, parameter_groups, train_judge
from farthing.students.match import MatchStudent

SETTINGS = MatchSettings(epochs=2, rate=1e-3, head_rate=1e-2, batch=8, seed=3)


def contextual(folder: Path) -> Judge:
    torch.manual_seed(1)
    return Judge(ContextualTokens(load_transformer(folder, 1)), hidden=4)


def static(folder: Path) -> Judge:
    torch.manual_seed(1)
    return Judge(StaticTokens(44, width=8, near=6, window=2), hidden=4)


KINDS = pytest.mark.parametrize("make", [contextual, static])


@KINDS
def test_it_learns_and_its_export_scores_alike(
    make: Callable[[Path], Judge], encoder: Path, pairs: Examples, tmp_path: Path
) -> None:
    tokenizer = Tokenizer(encoder)
    judge = make(encoder)
    train_judge(judge, tokenizer, pairs, SETTINGS)
    scores = judged(judge, tokenizer, pairs.candidates, pairs.references)
    assert np.corrcoef(scores, pairs.targets)[0, 1] > 0.9
    write_judge(judge, encoder, tmp_path, floor=-3.0, about={"size": "test"})
    raw = MatchStudent(tmp_path, threads=1).raw(pairs.candidates, pairs.references)
    top = float(judge.head.top.detach())
    # bfloat16 while learning and 8 bits at work differ in the third digit
    assert raw == pytest.approx(np.minimum(scores, top), abs=0.08)
    assert np.corrcoef(raw, scores)[0, 1] > 0.995


def plain(judge: Judge, tokenizer: Tokenizer, data: Examples, settings: MatchSettings) -> None:
    """The same training as one straight loop of torch."""
    torch.manual_seed(settings.seed)
    prepared = Prepared(tokenizer, data.candidates, data.references)
    targets, weights = torch.from_numpy(data.targets).float(), torch.from_numpy(data.weights).float()
    first = np.random.default_rng(settings.seed).permutation(len(targets))[:SAMPLE].tolist()
    ordered = sorted(first, key=lambda row: prepared.lengths[row])
    with torch.no_grad():
        parts = [judge.features(*prepared.batch(ordered[at : at + 32])) for at in range(0, len(ordered), 32)]
    places = [ordered.index(row) for row in first]
    judge.head.start(torch.cat(parts)[places], targets[first])
    orders = [bucketed(prepared.lengths, settings.batch, settings.seed, n) for n in range(int(settings.epochs))]
    size = settings.batch
    batches = [order[begin : begin + size] for order in orders for begin in range(0, len(order), size)]
    model = getattr(judge.tokens, "model", None)
    if model is not None:
        for part in (model.embeddings, *model.encoder.layer[: settings.frozen]):
            part.requires_grad_(False)
    named = list(judge.tokens.named_parameters())
    deep = [one for name, one in named if name.startswith("model.") and one.requires_grad]
    table = [one for name, one in named if not name.startswith("model.")]
    groups = [
        {"params": list(judge.head.parameters()), "lr": settings.head_rate, "weight_decay": 0.0},
        {"params": table, "lr": settings.table_rate, "weight_decay": 0.0},
        *([{"params": deep, "lr": settings.rate, "weight_decay": settings.decay}] if deep else []),
    ]
    optimiser = torch.optim.AdamW(groups, fused=True)
    warm = max(1, round(settings.warm_up * len(batches)))

    def pace(step: int) -> float:
        return (step + 1) / warm if step < warm else max(0.0, (len(batches) - step) / max(1, len(batches) - warm))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, pace)
    trained = [one for group in optimiser.param_groups for one in group["params"]]
    judge.train()
    for rows in batches:
        error = judge(*prepared.batch(rows)).scores - targets[rows]
        loss = (weights[rows] * error.square()).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        schedule.step()


@KINDS
@pytest.mark.parametrize("frozen", [0, 1])
def test_training_equals_a_plain_torch_loop_bit_for_bit(
    make: Callable[[Path], Judge], encoder: Path, pairs: Examples, frozen: int
) -> None:
    tokenizer, settings = Tokenizer(encoder), replace(SETTINGS, frozen=frozen)
    weighted = replace(pairs, weights=np.linspace(0.1, 2, len(pairs)))
    one, other = make(encoder), make(encoder)
    train_judge(one, tokenizer, weighted, settings)
    plain(other, tokenizer, weighted, settings)
    wanted = other.state_dict()
    assert all(torch.equal(value, wanted[name]) for name, value in one.state_dict().items())


def test_the_same_seed_gives_the_same_judge(encoder: Path, pairs: Examples) -> None:
    tokenizer, both = Tokenizer(encoder), []
    for _ in range(2):
        judge = contextual(encoder)
        train_judge(judge, tokenizer, pairs, SETTINGS)
        both.append(judged(judge, tokenizer, pairs.candidates[:9], pairs.references[:9]))
    assert (both[0] == both[1]).all()


def test_an_interrupted_judge_resumes_to_the_same_weights(encoder: Path, pairs: Examples, tmp_path: Path) -> None:
    def pull(line: str) -> None:
        if line.startswith("step 9/"):
            raise KeyboardInterrupt

    tokenizer, whole, resumed = Tokenizer(encoder), contextual(encoder), contextual(encoder)
    train_judge(whole, tokenizer, pairs, SETTINGS)
    with pytest.raises(KeyboardInterrupt):
        train_judge(contextual(encoder), tokenizer, pairs, SETTINGS, tmp_path, log=pull)
    train_judge(resumed, tokenizer, pairs, SETTINGS, tmp_path)
    wanted = whole.state_dict()
    assert all(torch.equal(value, wanted[name]) for name, value in resumed.state_dict().items())


def test_frozen_layers_stay(encoder: Path, pairs: Examples) -> None:
    judge = contextual(encoder)
    before = {name: value.clone() for name, value in judge.tokens.state_dict().items()}
    train_judge(judge, Tokenizer(encoder), pairs, MatchSettings(epochs=1, rate=1e-3, batch=32, frozen=1))
    after = judge.tokens.state_dict()
    moved = {name for name, value in after.items() if not torch.equal(value, before[name])}
    assert moved
    assert all(not name.startswith("model.") for name in moved)


def test_without_parts_only_the_head_learns(encoder: Path, pairs: Examples) -> None:
    judge = contextual(encoder)
    before = {name: value.clone() for name, value in judge.state_dict().items()}
    train_judge(judge, Tokenizer(encoder), pairs, replace(SETTINGS, parts=False))
    moved = {name for name, value in judge.state_dict().items() if not torch.equal(value, before[name])}
    assert moved
    assert all(name.startswith("head.") for name in moved)


def test_a_head_can_be_kept(encoder: Path, pairs: Examples) -> None:
    """With a rate of almost nothing the head stays where it was, instead of starting from a regression."""
    judge = contextual(encoder)
    judge.head.scale.fill_(2.0)  # as if it had started from a regression before
    judge.head.top.data.fill_(7.0)
    still = replace(SETTINGS, rate=1e-12, head_rate=1e-12, table_rate=1e-12)
    train_judge(judge, Tokenizer(encoder), pairs, still, keep_head=True)
    assert float(judge.head.top.detach()) == pytest.approx(7.0)


def test_groups_have_their_rates(encoder: Path) -> None:
    judge = contextual(encoder)
    panel, settings = Panel({"one": judge}), MatchSettings(rate=1.0, head_rate=2.0, table_rate=3.0, decay=0.5)
    head, table, deep = parameter_groups(panel, settings)
    assert [(one.rate, one.decay) for one in (head, table, deep)] == [(2.0, 0.0), (3.0, 0.0), (1.0, 0.5)]
    assert not any(one.requires_grad for one in judge.tokens.model.embeddings.parameters())  # type: ignore[union-attr]
    assert len(parameter_groups(panel, MatchSettings(parts=False))) == 1


def test_long_and_empty_texts_are_prepared(encoder: Path) -> None:
    prepared = Prepared(Tokenizer(encoder), ["w1 " * 500, ""], ["w1", "w2"])
    assert len(prepared.candidates[0]) == Tokenizer(encoder).limit
    assert prepared.candidates[1] == [2, 0, 3]  # one token of padding between the special ones
