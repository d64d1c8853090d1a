"""The judge in torch against the student in numpy, and what its features promise."""

import numpy as np
import pytest
import torch

from farthing.encoders.backends.token_texts import Tokens
from farthing.learn.match.model import JudgeHead, batch_gaps, text_batch
from farthing.students.head import Head, token_gaps


def unit(random: np.random.Generator, count: int) -> np.ndarray:
    vectors = random.normal(size=(count, 8))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_gaps_are_the_runtimes_whatever_the_padding() -> None:
    random = np.random.default_rng(3)
    first, second = unit(random, 5), unit(random, 7)
    weights = random.random(5) + 0.2, random.random(7) + 0.2
    expected = token_gaps(Tokens(first, weights[0]), Tokens(second, weights[1]))
    padded = [np.concatenate([vectors, unit(random, 3)])[None] for vectors in (first, second)]
    masked = [np.concatenate([weight, np.zeros(3)])[None] for weight in weights]
    tensors = [torch.from_numpy(one) for one in (padded[0], masked[0], padded[1], masked[1])]
    assert batch_gaps(*tensors)[0].numpy() == pytest.approx(expected, abs=1e-6)


def test_the_head_is_the_runtimes() -> None:
    torch.manual_seed(1)
    head = JudgeHead(features=4, hidden=3)
    torch.nn.init.normal_(head.out.weight)
    features = torch.rand(6, 4)
    arrays = {
        "scale": head.scale, "top": head.top, "linear": head.linear.weight, "hidden": head.hidden.weight,
        "hidden_bias": head.hidden.bias, "out": head.out.weight, "floor": torch.tensor(-1.0),
    }  # fmt: skip
    twin = Head.of({name: one.detach().numpy() for name, one in arrays.items()})
    expected = np.minimum(head(features).detach().numpy(), float(head.top.detach()))
    assert twin.raw(features.numpy()) == pytest.approx(expected, abs=1e-6)


def test_no_difference_gives_the_top() -> None:
    head = JudgeHead(features=5, hidden=4)
    torch.nn.init.normal_(head.out.weight)
    head.top.data.fill_(1.5)
    assert head(torch.zeros(2, 5)).tolist() == [1.5, 1.5]


def test_the_head_starts_at_a_regression() -> None:
    random = np.random.default_rng(0)
    features = torch.from_numpy(random.random((4000, 3))).float()
    targets = 2 - features @ torch.tensor([1.0, 0.5, 0.0])
    head = JudgeHead(features=3, hidden=2)
    head.start(features, targets, ridge=1e-3)
    assert head(features).detach().numpy() == pytest.approx(targets.numpy(), abs=1e-3)
    assert float(head.top.detach()) == pytest.approx(2, abs=1e-3)


def test_a_head_does_not_read_what_it_overlooks() -> None:
    random = np.random.default_rng(0)
    features = torch.from_numpy(random.random((400, 3))).float()
    head = JudgeHead(features=3, hidden=2, overlooked=[1])
    head.start(features, features @ torch.tensor([1.0, 5.0, 0.5]))
    torch.nn.init.normal_(head.out.weight)
    other = features.clone()
    other[:, 1] = 9.0
    assert torch.equal(head(features), head(other))
    other[:, 0] = 9.0
    assert not torch.isclose(head(features), head(other)).any()


def test_noise_of_a_whole_feature_is_not_blown_up() -> None:
    noise = torch.from_numpy(np.random.default_rng(0).random((400, 1))).float() * 0.01
    head = JudgeHead(features=1, hidden=2, whole=[0])
    head.start(noise, noise[:, 0] * 100)
    assert head.scale.tolist() == [1.0]
    assert float(head.linear.weight.detach()) < 1  # the ridge holds a weight that only the noise explains


def test_special_tokens_and_padding_do_not_count() -> None:
    found = text_batch([[9, 1, 2, 8], [9, 3, 8]], pad=0, around=(1, 1))
    assert found.body.tolist() == [[0, 1, 1, 0], [0, 1, 0, 0]]
    assert found.mask.tolist() == [[1, 1, 1, 1], [1, 1, 1, 0]]


def test_a_feature_that_is_nearly_always_0_does_not_become_huge() -> None:
    features = torch.zeros(100, 3)
    features[:, 0] = torch.rand(100)
    head = JudgeHead(features=3, hidden=2, rare=1)
    head.start(features, torch.rand(100))
    assert head.scale[1:].tolist() == pytest.approx([1e-3, 0.1])


def test_a_text_with_a_wrong_word_scores_below_the_cap_and_nothing_else_reads_the_edit() -> None:
    torch.manual_seed(2)
    head = JudgeHead(features=3, hidden=3)
    torch.nn.init.normal_(head.out.weight)
    features = torch.rand(6, 5)
    features[:3, 3:] = 0
    features[:, 4] = 0
    features[0, 3:] = 1  # two things wrong
    plain = torch.cat([features[:, :3], torch.zeros(6, 2)], dim=1)
    free = head(plain)
    assert torch.equal(head(features), free)  # no cap yet
    head.cap.fill_(float(free.detach().min()) - 1)
    found = head(features)
    assert torch.equal(found[:3], free[:3])
    assert found[3:].tolist() == pytest.approx((head.cap + 0.25 * (free[3:] - head.top)).tolist())
