"""What the tests of adapters share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import torch

from farthing.encoders.backends.pretrained import load_pretrained
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.adapters.methods import AdapterMethod
from farthing.learn.adapters.store import encoder_facts, save_adapter

SaveAdapter: TypeAlias = Callable[[Path, AdapterMethod, Path], Adapter]


@pytest.fixture
def saved() -> SaveAdapter:
    """Return what saves an adapter with random numbers: `saved(encoder, method, folder)`."""

    def save(encoder: Path, method: AdapterMethod, folder: Path) -> Adapter:
        torch.manual_seed(0)
        model = load_pretrained(encoder)
        facts = encoder_facts(model)
        adapter = Adapter(model, method)
        with torch.no_grad():
            for _, part in adapter.named_parameters():
                part.add_(0.1 * torch.randn_like(part))
        save_adapter(adapter, folder, facts)
        return adapter

    return save
