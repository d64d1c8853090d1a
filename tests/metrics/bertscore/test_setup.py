"""Which encoder and which layer are chosen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import SpecError
from farthing.encoders.backends.torch import TorchEncoder
from farthing.metrics.bertscore.setup import ChosenEncoder, LayerChoice, choose_encoder, nearest_layer


def chosen(folder: Path, layer: LayerChoice = None, *, compat: bool = False, space: bool = True) -> ChosenEncoder:
    return choose_encoder(str(folder), layer, "auto", compat=compat, space=space, device="cpu")


def test_the_given_layer_then_the_published_one_then_a_guess(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    folder = tiny_model("bert", layers=4)
    assert (chosen(folder, 1).layer, chosen(folder, 1).guessed) == (1, False)
    assert (chosen(folder).layer, chosen(folder).guessed) == (3, True)
    assert chosen(folder, "all").guessed
    named = shutil.copytree(folder, tmp_path / "bert_uncased_L-4_H-128_A-2")
    assert (chosen(named).layer, chosen(named).guessed) == (3, False)
    config = json.loads((named / "config.json").read_text())
    other = shutil.copytree(folder, tmp_path / "mine")
    (other / "config.json").write_text(json.dumps({**config, "_name_or_path": "google/bert_uncased_L-2_H-128_A-2"}))
    assert (chosen(other).layer, chosen(other).guessed) == (1, False)


def test_compat_cuts_the_model_and_guesses_nothing(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("t5", layers=4)
    encoder = chosen(folder, 2, compat=True).encoder
    assert isinstance(encoder, TorchEncoder)
    assert encoder.layers == (0, 1, 2)
    assert chosen(folder, 2).encoder.layers == (0, 1, 2, 3, 4)
    with pytest.raises(SpecError, match=r"no layer is published for .*: give layer= \(0 to 4\)"):
        chosen(folder, compat=True)
    with pytest.raises(SpecError, match=r"has no layer 9 \(there are: 0, 1, 2, 3, 4\)"):
        chosen(folder, 9)


def test_the_leading_space(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("roberta")
    assert chosen(folder).encoder.tokenizer.leading_space
    assert not chosen(folder, space=False).encoder.tokenizer.leading_space


def test_three_quarters_of_the_way_up() -> None:
    assert nearest_layer(tuple(range(13))) == 9
    assert nearest_layer((0, 1, 2)) == 2  # 1 and 2 are equally near to 1.5
    assert nearest_layer((6,)) == 6
