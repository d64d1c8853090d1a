"""Judges that learn together: batches of one part each, one transformer, differences within a segment."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Examples, Teaches
from farthing.learn.data.lengths import bucketed
from farthing.learn.data.marks import edited_spans
from farthing.learn.match.model import Judge
from farthing.learn.match.panel import MOST_OUTPUTS, Assignment, Panel, mixed_batches
from farthing.learn.match.prepared import Lesson, TargetBatch
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.tokens import ContextualTokens, SharedTokens, load_transformer
from farthing.learn.match.training import judged, loss_with, train_panel, weighted_error

SETTINGS = MatchSettings(epochs=3, rate=1e-3, head_rate=1e-2, batch=8, seed=3)


def two_judges(folder: Path) -> Panel:
    torch.manual_seed(1)
    owner = ContextualTokens(load_transformer(folder, 1))
    return Panel({"reference": Judge(owner, hidden=4, marks=3), "source": Judge(SharedTokens(owner), hidden=4)})


def test_batches_are_of_one_part_and_have_every_row_once() -> None:
    lengths = [[5] * 20, [7] * 25, [3] * 9]
    segments = [None, [f"s{row % 2}" for row in range(25)], None]
    batches = mixed_batches(lengths, segments, 4, seed=2, epoch=1)
    parts = np.repeat([0, 1, 2], [20, 25, 9])
    assert all(len({parts[row] for row in batch}) == 1 for batch in batches)
    seen = Counter(row for batch in batches for row in batch)
    assert all(seen[row] == 1 for row in [*range(20), *range(45, 54)])
    inner = [batch for batch in batches if parts[batch[0]] == 1]
    assert [len(batch) for batch in inner] == [MOST_OUTPUTS, MOST_OUTPUTS]  # of 13 and 12 outputs
    assert all(len({(row - 20) % 2 for row in batch}) == 1 for batch in inner)
    assert batches != mixed_batches(lengths, segments, 4, seed=2, epoch=2)
    assert len(batches) == len(mixed_batches(lengths, segments, 4, seed=2, epoch=2))


def test_rows_of_one_owner_share_a_batch() -> None:
    random = np.random.default_rng(2)
    lengths, owners = [random.integers(1, 40, 80).tolist()], [np.repeat(np.arange(20), 4)]
    batches = mixed_batches(lengths, [None], 8, seed=1, epoch=0, owners=owners)
    assert sorted(row for batch in batches for row in batch) == list(range(80))
    assert all(len({row // 4 for row in batch}) == 2 for batch in batches)


def test_small_segments_are_left_out() -> None:
    assert mixed_batches([[1, 1, 1]], [["a", "a", "b"]], 4, seed=1, epoch=0) == []


def test_one_part_has_the_usual_order() -> None:
    lengths = list(np.random.default_rng(1).integers(1, 40, 50))
    rows = bucketed(lengths, 8, 5, 2)
    wanted = [rows[begin : begin + 8] for begin in range(0, 50, 8)]
    assert mixed_batches([lengths], [None], 8, seed=5, epoch=2) == wanted


def test_the_loss_of_a_segment_ignores_its_mean() -> None:
    scores = torch.tensor([1.0, 2.0, 4.0])

    def loss(targets: list[float], centred: bool) -> float:
        batch = TargetBatch("reference", (), torch.tensor(targets), torch.ones(3), centred)  # type: ignore[arg-type]
        return float(weighted_error(scores, batch))

    assert loss([101.0, 102.0, 104.0], centred=True) == pytest.approx(0)
    assert loss([101.0, 102.0, 104.0], centred=False) == pytest.approx(10_000)
    errors = np.array([1.0, 2.0, 4.0]) - np.array([0.0, 5.0, 1.0])
    assert loss([0.0, 5.0, 1.0], centred=True) == pytest.approx(errors.var())


def test_the_transformer_is_stored_once_and_moves_for_both(encoder: Path, pairs: Examples) -> None:
    panel = two_judges(encoder)
    names = [name for name in panel.state_dict() if "encoder.layer" in name]
    assert names
    assert all(name.startswith("judges.reference.") for name in names)
    turned = replace(pairs, targets=-pairs.targets)  # the second judge learns the opposite
    parts = [Assignment("reference", pairs), Assignment("source", turned)]
    train_panel(panel, Tokenizer(encoder), parts, SETTINGS)
    for part in parts:
        scores = judged(panel.judge(part.judge), Tokenizer(encoder), pairs.candidates, pairs.references)
        assert np.corrcoef(scores, part.examples.targets)[0, 1] > 0.9
    shared = panel.judge("source").tokens
    assert isinstance(shared, SharedTokens)
    assert shared.owner is panel.judge("reference").tokens


def test_differences_within_segments_are_learned(encoder: Path, pairs: Examples) -> None:
    """Every segment has an offset of its own, which says nothing; what is left is the share of exchanged words."""
    segments = [f"s{row // 6}" for row in range(len(pairs))]
    offsets = np.random.default_rng(2).normal(0, 20, len(pairs))[np.arange(len(pairs)) // 6]
    within = replace(pairs, targets=pairs.targets + offsets, segments=segments)
    panel = Panel({"reference": two_judges(encoder).judge("reference")})
    train_panel(panel, Tokenizer(encoder), [Assignment("reference", within)], replace(SETTINGS, epochs=6))
    scores = judged(panel.judge("reference"), Tokenizer(encoder), pairs.candidates, pairs.references)
    assert np.corrcoef(scores, pairs.targets)[0, 1] > 0.8


def test_an_interrupted_panel_resumes_to_the_same_weights(encoder: Path, pairs: Examples, tmp_path: Path) -> None:
    def pull(line: str) -> None:
        if line.startswith("step 12/"):
            raise KeyboardInterrupt

    parts = [Assignment("reference", pairs), Assignment("source", pairs)]
    whole, broken, resumed = (two_judges(encoder) for _ in range(3))
    train_panel(whole, Tokenizer(encoder), parts, replace(SETTINGS, epochs=2, checks=4))
    with pytest.raises(KeyboardInterrupt):
        train_panel(broken, Tokenizer(encoder), parts, replace(SETTINGS, epochs=2, checks=4), tmp_path, log=pull)
    train_panel(resumed, Tokenizer(encoder), parts, replace(SETTINGS, epochs=2, checks=4), tmp_path)
    wanted = whole.state_dict()
    assert all(torch.equal(value, wanted[name]) for name, value in resumed.state_dict().items())


def test_tokens_learn_from_marks_of_wrong_words(encoder: Path, pairs: Examples) -> None:
    """The scores say nothing here; what the tokens learn about exchanged words comes from the marks alone."""
    random = np.random.default_rng(8)
    wrong = [edited_spans(*pair) for pair in zip(pairs.candidates, pairs.references, strict=True)]
    data = replace(pairs, targets=random.normal(size=len(pairs)), wrong=wrong)
    panel = Panel({"reference": two_judges(encoder).judge("reference")})
    train_panel(panel, Tokenizer(encoder), [Assignment("reference", data)], replace(SETTINGS, epochs=6, marks=2.0))
    lesson = Lesson(Assignment("reference", data), panel.judge("reference"), Tokenizer(encoder))
    batch = lesson.batch(range(40))
    assert batch.wrong is not None
    with torch.no_grad():
        logits = panel("reference", *batch.pairs).wrong
    assert logits is not None
    known = ~torch.isnan(batch.wrong)
    bad, good = logits[known & (batch.wrong > 0.5)], logits[known & (batch.wrong < 0.5)]
    assert float((bad[:, None] > good[None]).float().mean()) > 0.95


def test_marks_lie_on_the_tokens_of_their_words(encoder: Path) -> None:
    data = Examples(["w1 w2 w3", "w4"], ["w1 w3", "w4"], np.zeros(2), np.ones(2), wrong=[[(3, 5)], None])
    panel = two_judges(encoder)
    batch = Lesson(Assignment("reference", data), panel.judge("reference"), Tokenizer(encoder)).batch([0, 1])
    assert batch.wrong is not None
    assert batch.wrong[0].tolist()[1:4] == [0.0, 1.0, 0.0]
    assert torch.isnan(batch.wrong[0][[0, 4]]).all()
    assert torch.isnan(batch.wrong[1]).all()


def test_weights_of_several_orders_are_averaged(encoder: Path, pairs: Examples) -> None:
    """Each run is that of a seed of its own, from the same start; the plain mean of their weights is left."""
    parts, tokenizer = [Assignment("reference", pairs)], Tokenizer(encoder)
    started = Panel({"reference": two_judges(encoder).judge("reference")})
    still = replace(SETTINGS, epochs=0.01, rate=1e-12, head_rate=1e-12, table_rate=1e-12)
    train_panel(started, tokenizer, parts, still)  # the heads start from their regression, nothing else moves
    runs = []
    for order in range(3):
        panel = Panel({"reference": two_judges(encoder).judge("reference")})
        panel.load_state_dict(started.state_dict())
        train_panel(panel, tokenizer, parts, replace(SETTINGS, seed=SETTINGS.seed + order), keep_heads=True)
        runs.append(panel.state_dict())
    averaged = Panel({"reference": two_judges(encoder).judge("reference")})
    train_panel(averaged, tokenizer, parts, replace(SETTINGS, averaged=3))
    for name, value in averaged.state_dict().items():
        wanted = torch.stack([run[name] for run in runs]).mean(dim=0)
        assert torch.allclose(value, wanted, atol=1e-5), name
    assert not torch.equal(
        runs[0]["judges.reference.head.linear.weight"], runs[1]["judges.reference.head.linear.weight"]
    )


@pytest.mark.parametrize(("teaches", "first"), [("all", True), ("tokens", False)])
def test_what_a_batch_teaches(encoder: Path, teaches: Teaches, first: bool) -> None:
    torch.manual_seed(1)
    judge = Judge(ContextualTokens(load_transformer(encoder, 1)), hidden=4, aside=True)
    assert judge.aside is not None
    texts = ["w1 w2 w3", "w4 w5 w6 w7"]
    data = Examples(texts, ["w1 w2", "w7 w5"], np.array([1.0, -1.0]), np.ones(2), ["a", "a"], teaches=teaches)
    lesson = Lesson(Assignment("reference", data), judge, Tokenizer(encoder))
    loss_with(0.0)(Panel({"reference": judge}), lesson.batch([0, 1])).backward()
    for head, learns in ((judge.head, first), (judge.aside, not first)):
        assert (head.linear.weight.grad is not None and bool(head.linear.weight.grad.any())) is learns
    assert judge.tokens.model.encoder.layer[0].attention.self.query.weight.grad.any()
