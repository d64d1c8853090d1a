"""Training: tokens by hand, parameters by torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.bench.exchange import write_texts
from farthing.bench.training import ALL, HEAD, WARM_UP, Learning, TrainingRequest, measure_training, step_speeds
from farthing.core.types import Pairs
from farthing.learn.train.objective import Objective, ParameterGroup

torch = pytest.importorskip("torch", reason="torch is not installed")


def test_steps_count_the_tokens_of_their_rows_and_train() -> None:
    layer = torch.nn.Linear(1, 1)
    before = layer.weight.item()
    rows: list[list[int]] = []

    def batch(places: list[int]) -> object:
        rows.append(places)
        return torch.ones(len(places), 1)

    objective = Objective(
        layer,
        [ParameterGroup(list(layer.parameters()), 0.1)],
        [3, 5, 7],
        batch,
        lambda model, tensors: model(tensors).square().mean(),
        pace=lambda step, steps: 1.0,
    )
    speeds = list(step_speeds(objective, 2, 3))
    assert rows == [[0, 1], [2, 0], [1, 2]]
    assert [one.tokens for one in speeds] == [8, 10, 12]
    assert all(one.forward > 0 and one.backward > 0 and one.peak > 0 for one in speeds)
    assert layer.weight.item() != before


@pytest.mark.parametrize("learns", [ALL, HEAD, "lora", "parallel"])
def test_an_encoder(learns: Learning, pairs: Pairs, tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    folder = tiny_model("bert")
    write_texts(tmp_path / "texts.json", pairs)
    found = measure_training(TrainingRequest(str(folder), str(tmp_path / "texts.json"), 2, WARM_UP, 48, learns))
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=1)
    sizes = {name: one.numel() for name, one in model.named_parameters()}
    head = sum(size for name, size in sizes.items() if "pooler" in name or "classifier" in name)
    width, layers = model.config.hidden_size, model.config.num_hidden_layers
    added = {  # by hand: two low-rank products of query and value; down and up with their biases
        "lora": layers * 2 * 2 * 8 * width,
        "parallel": layers * (2 * width * (width // 2) + width // 2 + width),
    }
    whole = sum(sizes.values()) + added.get(learns, 0)
    assert (found.parameters, found.trained) == (whole, whole if learns == ALL else head + added.get(learns, 0))
    assert found.forward > 0
    assert found.backward > 0
    assert found.memory >= 0
