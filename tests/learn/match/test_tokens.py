"""Vectors and weights of tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModel

from farthing.core.errors import ModelError, UsageError
from farthing.core.threads import onnx_session
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.match.graph import write_graph
from farthing.learn.match.model import Judge
from farthing.learn.match.panel import Panel
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.tokens import (
    BranchTokens,
    ContextualTokens,
    SharedTokens,
    StaticTokens,
    load_transformer,
    owner_of,
)
from farthing.learn.match.training import ONLY, parameter_groups

IDS, MASK = torch.tensor([[2, 5, 9, 3]]), torch.ones(1, 4, dtype=torch.int64)


def test_layers_that_are_not_there_are_named(encoder: Path) -> None:
    with pytest.raises(UsageError, match="has 2 layers"):
        load_transformer(encoder, 3)


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_transformer(tmp_path, None)


def test_the_vectors_are_the_hidden_states_of_the_last_kept_layer(encoder: Path) -> None:
    tokens = ContextualTokens(load_transformer(encoder, 1)).eval()
    tokens.fast = False
    peer = AutoModel.from_pretrained(encoder).eval()
    with torch.no_grad():
        vectors, weights = tokens(IDS, MASK)
        states = peer(input_ids=IDS, attention_mask=MASK, output_hidden_states=True).hidden_states[1]
    assert torch.allclose(vectors, torch.nn.functional.normalize(states, dim=-1), atol=1e-6)
    assert torch.allclose(weights, torch.ones(1, 4), atol=1e-4)  # every token weighs the same before training


def test_there_is_no_dropout(encoder: Path) -> None:
    tokens = ContextualTokens(load_transformer(encoder, None)).train()
    assert torch.equal(tokens(IDS, MASK)[0], tokens(IDS, MASK)[0])


def test_a_table_beside_the_transformer_sets_the_start(encoder: Path) -> None:
    tokens = ContextualTokens(load_transformer(encoder, 1), torch.zeros(44, 8))
    table = torch.nn.functional.normalize(torch.randn(44, 8), dim=-1)
    tokens.start(10 * table, torch.ones(44))
    with torch.no_grad():
        vectors, _ = tokens(IDS, MASK)
    assert torch.einsum("bid,bid->bi", vectors, table[IDS]).min() > 0.9
    with pytest.raises(UsageError, match="no table"):
        ContextualTokens(load_transformer(encoder, 1)).start(table, torch.ones(44))


def test_static_tokens_start_from_a_table_and_its_weights() -> None:
    torch.manual_seed(1)
    tokens = StaticTokens(44, width=8, near=4, window=0)
    table, heavy = torch.nn.functional.normalize(torch.randn(44, 8), dim=-1), torch.rand(44) + 0.5
    tokens.start(100 * table, heavy)
    with torch.no_grad():
        vectors, weights = tokens(IDS, MASK)
    assert torch.allclose(vectors, table[IDS], atol=0.02)
    assert torch.allclose(weights, heavy[IDS], atol=1e-5)


def test_padding_does_not_reach_the_window() -> None:
    torch.manual_seed(1)
    tokens = StaticTokens(44, width=8, near=4, window=2)
    longer = torch.cat([IDS, torch.tensor([[7, 7]])], dim=1)
    mask = torch.tensor([[1, 1, 1, 1, 0, 0]])
    with torch.no_grad():
        assert torch.allclose(tokens(IDS, MASK)[0], tokens(longer, mask)[0][:, :4], atol=1e-6)


def test_what_is_lowest(encoder: Path) -> None:
    tokens = ContextualTokens(load_transformer(encoder, 2))
    assert tokens.lowest(1) == [tokens.model.embeddings, tokens.model.encoder.layer[0]]
    assert StaticTokens(5, width=2).lowest(3) == []


@pytest.mark.parametrize("there", [True, False])
def test_products_are_in_bfloat16_only_if_the_processor_has_them(
    there: bool, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farthing.learn.match.tokens.has_bfloat16", lambda: there)
    tokens = ContextualTokens(load_transformer(encoder, None))
    seen: list[bool] = []

    def stop(*given: object) -> None:
        seen.append(torch.is_autocast_enabled("cpu"))
        raise InterruptedError  # before the first product, which ends the process if the processor lacks what it says

    tokens.model.encoder.layer[0].register_forward_pre_hook(stop)
    with pytest.raises(InterruptedError):
        tokens(IDS, MASK)
    assert seen == [there]


@pytest.mark.parametrize("method", ["houlsby", "ia3"])
def test_of_an_adapted_transformer_only_the_adapter_learns_and_the_graph_has_it(
    method: Any, encoder: Path, tmp_path: Path
) -> None:
    model = load_transformer(encoder, None)
    adapter = Adapter(model, method)
    tokens = ContextualTokens(model, adapter=adapter)
    groups = parameter_groups(Panel({ONLY: Judge(tokens, 4)}), MatchSettings(frozen=0))
    own = {id(part) for _, part in adapter.named_parameters()}
    assert {id(part) for part in groups[-1].parameters} == own
    assert {id(part) for part in model.parameters() if part.requires_grad} == own
    with torch.no_grad():
        for _, part in adapter.named_parameters():
            part.add_(0.2 * torch.randn_like(part))
    tokens.eval()
    tokens.fast = False
    write_graph(tokens, tmp_path / "encoder.onnx", precision="fp32")
    ids = IDS[:1]
    with torch.no_grad():
        vectors, weights = tokens(ids, torch.ones_like(ids))
    found = onnx_session(tmp_path / "encoder.onnx").run(["vectors", "weights"], {"ids": ids.numpy()})
    assert torch.allclose(torch.from_numpy(found[0]), vectors, atol=1e-4)
    assert torch.allclose(torch.from_numpy(found[1]), weights, atol=1e-4)


def test_a_branch_is_the_whole_transformer_but_stores_only_its_own_layers(encoder: Path) -> None:
    owner = ContextualTokens(load_transformer(encoder, 1)).eval()
    branch = BranchTokens(owner, load_transformer(encoder, None), shared=1).eval()
    owner.fast = False
    peer = AutoModel.from_pretrained(encoder).eval()
    with torch.no_grad():
        vectors, weights = branch(IDS, MASK)
        states = peer(input_ids=IDS, attention_mask=MASK).last_hidden_state
    assert torch.allclose(vectors, torch.nn.functional.normalize(states, dim=-1), atol=1e-6)
    assert torch.allclose(weights, torch.ones(1, 4), atol=1e-4)
    names = {name.partition(".")[0] for name in branch.state_dict()}
    assert names == {"layers", "weight"}
    assert len(branch.layers) == 1
    assert branch.lowest(1) == []
    assert branch.lowest(2) == [branch.layers[0]]
    assert branch.model.encoder.layer[0] is owner.model.encoder.layer[0]
    assert owner_of(branch) is owner_of(SharedTokens(owner)) is owner


def test_a_branch_cannot_share_layers_that_are_not_there(encoder: Path) -> None:
    owner = ContextualTokens(load_transformer(encoder, 1))
    with pytest.raises(UsageError, match="share 2 layers"):
        BranchTokens(owner, load_transformer(encoder, None), shared=2)
