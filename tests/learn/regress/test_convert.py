"""A checkpoint in COMET's layout becomes a folder that scores as COMET did; nothing of it is run."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from safetensors.numpy import load_file

from farthing.core.errors import ModelError
from farthing.core.types import Pairs
from farthing.learn.regress.convert import convert_comet, shape_of_settings
from farthing.students.estimator import EstimatorStudent


@pytest.fixture
def checkpoint(
    tmp_path: Path, parity: Any, parity_encoder: Path, published: Callable[[str], Any]
) -> Callable[[int], Path]:
    """Write a checkpoint with the names and the settings that COMET itself has, and the numbers of the parity run."""

    def write(number: int) -> Path:
        note = published("comet")[1][str(number)]
        encoder = {
            f"encoder.model.{name}": value for name, value in load_file(parity_encoder / "model.safetensors").items()
        }
        features = (6 if note["form"] == "both" else 4) * parity.SHAPE["hidden_size"]
        shapes = {"estimator.ff.0": (48, features), "estimator.ff.3": (24, 48), "estimator.ff.6": (1, 24)}
        state = {name: torch.from_numpy(value) for name, value in encoder.items()}
        for name in note["names"]:
            if name.startswith("estimator"):
                owner, _, part = name.rpartition(".")
                shape = shapes[owner] if part == "weight" else shapes[owner][:1]
                state[name] = torch.from_numpy(parity.values(name, shape, 0.5))
            elif name.startswith("layerwise_attention.dropout"):
                state[name] = torch.zeros(4)
            elif name.startswith("layerwise"):
                state[name] = torch.from_numpy(parity.values(name, [1], 0.5))
        assert set(state) == set(note["names"])
        place = tmp_path / "published"
        (place / "checkpoints").mkdir(parents=True)
        torch.save(
            {"state_dict": state, "epoch": 1, "hyper_parameters": note["hparams"]}, place / "checkpoints" / "model.ckpt"
        )
        (place / "hparams.yaml").write_text(yaml.safe_dump(note["hparams"]))
        return place

    return write


@pytest.mark.parametrize("number", [1, 2, 7])
def test_a_converted_checkpoint_scores_as_comet(
    number: int,
    checkpoint: Callable[[int], Path],
    parity_encoder: Path,
    parity_texts: dict[str, list[str]],
    published: Callable[[str], Any],
    tmp_path: Path,
) -> None:
    target = convert_comet(checkpoint(number), parity_encoder, tmp_path / "made", licence="Apache-2.0")
    student = EstimatorStudent(target, threads=1)
    pairs = Pairs.of(parity_texts["candidates"], parity_texts["references"], parity_texts["sources"])
    expected = published("comet")[0][f"{number}.scores"]
    np.testing.assert_allclose(student.score_systems([pairs])[0].segments, expected, atol=1e-5)
    assert student.engine.encoder.tokenizer.limit == 36  # COMET leaves four of the forty positions unused
    assert not list(target.glob("*.ckpt"))
    assert "Apache-2.0" in (target / "card.md").read_text()


def test_what_a_file_does_not_say_is_as_in_comet(tmp_path: Path) -> None:
    shape = shape_of_settings({"class_identifier": "regression_metric"}, tmp_path)
    assert (shape.transform, shape.layer_norm, shape.pooling, shape.hidden) == ("softmax", True, "mean", (3072, 1024))


class Harmful:
    """Would run code if it were unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (pytest.fail, ("code of a checkpoint was run",))


def test_what_is_wrong_is_told(checkpoint: Callable[[int], Path], parity_encoder: Path, tmp_path: Path) -> None:
    def refused(message: str, encoder: Path = parity_encoder) -> None:
        with pytest.raises(ModelError, match=message):
            convert_comet(tmp_path / "published", encoder, tmp_path / "made")

    refused("does not exist: a COMET model is a folder with hparams.yaml")
    place = checkpoint(1)
    settings = place / "hparams.yaml"
    plain = settings.read_text()
    settings.write_text(plain.replace("regression_metric", "unified_metric"))
    refused("a unified_metric is no estimator")
    settings.write_text(plain.replace("pool: avg", "pool: default"))
    refused("an estimator with pool=default")
    settings.write_text("- a list")
    refused("holds no settings")
    settings.write_text(plain)
    weights = place / "checkpoints" / "model.ckpt"
    torch.save({"other": 1}, weights)
    refused("it has no state_dict")
    weights.write_bytes(pickle.dumps(Harmful(), protocol=2))
    refused("cannot be read as weights alone")


def test_another_encoder_is_told(checkpoint: Callable[[int], Path], encoder: Path, tmp_path: Path) -> None:
    place = checkpoint(1)
    with pytest.raises(ModelError, match="it was not made with this encoder"):
        convert_comet(place, encoder, tmp_path / "made")
