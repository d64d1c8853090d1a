"""Hidden states against transformers' own, for every family."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from farthing.core.errors import ModelError
from farthing.encoders.backends.torch import TorchEncoder, load_model

FAMILIES = ["bert", "roberta", "distilbert", "mpnet", "albert", "t5"]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_layer_is_the_hidden_state_of_transformers(tiny_model: Callable[..., Path], family: str) -> None:
    folder = tiny_model(family)
    encoder = TorchEncoder(folder, "tiny")
    ids = np.array([encoder.tokenizer.wrapped(encoder.tokenizer.contents(["the cat sat"])[0])])
    loader = transformers.T5EncoderModel if family == "t5" else transformers.AutoModel
    with torch.no_grad():
        whole = loader.from_pretrained(folder).eval()(torch.from_numpy(ids), output_hidden_states=True)
    assert encoder.layers == (0, 1, 2, 3)
    for layer in encoder.layers:  # each alone, so that the pass stops early
        assert np.abs(encoder.run(ids, None, [layer])[0] - whole.hidden_states[layer].numpy()).max() < 1e-5
    for layer, states in zip((1, 3), encoder.run(ids, None, [1, 3]), strict=True):
        assert np.abs(states - whole.hidden_states[layer].numpy()).max() < 1e-5


def test_the_pass_stops_at_the_deepest_layer_that_is_asked_for(tiny_model: Callable[..., Path]) -> None:
    encoder = TorchEncoder(tiny_model("bert"), "tiny")
    calls = []
    for number, block in enumerate(encoder.model.encoder.layer):
        block.register_forward_hook(lambda *_, number=number: calls.append(number))
    encoder.run(np.array([[2, 7, 3]]), None, [1])
    assert calls in ([0], [])  # our own hook leaves before later ones see block 0
    encoder.run(np.array([[2, 7, 3]]), None, [3])
    assert 2 in calls


def test_an_encoder_decoder_gives_its_encoder(tmp_path: Path) -> None:
    config = transformers.BartConfig(
        vocab_size=50, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=20,
    )  # fmt: skip
    model = transformers.BartModel(config).eval()
    model.save_pretrained(tmp_path)
    encoder = load_model(tmp_path)
    ids = torch.tensor([[0, 5, 6, 2]])
    assert torch.allclose(encoder(ids).last_hidden_state, model.encoder(ids).last_hidden_state, atol=1e-6)


def test_torch_keeps_its_number_of_threads(tiny_model: Callable[..., Path]) -> None:
    encoder = TorchEncoder(tiny_model("bert"), "tiny")
    before = torch.get_num_threads()
    with encoder.working():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_a_broken_folder_is_one_sentence(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    source = tiny_model("bert")
    for file in source.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(ModelError) as caught:
        TorchEncoder(tmp_path, "broken")
    assert "\n" not in str(caught.value)
