"""A cross-encoder of which only an adapter and the head learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.encoders.folder.layout import GRAPH
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.adapters.methods import AdapterMethod
from farthing.learn.adapters.store import encoder_facts, save_adapter
from farthing.learn.cross.export.generic import traced
from farthing.learn.cross.scores import has_types

if TYPE_CHECKING:
    from transformers import PreTrainedModel

FOLDER = "adapter"  # of the adapter alone


@dataclass(frozen=True, slots=True)
class Adapted:
    """An adapter, and the facts of the encoder that it is for."""

    adapter: Adapter
    origin: Mapping[str, object]


def adapt_student(model: PreTrainedModel, method: AdapterMethod) -> Adapted:
    """Put an adapter into a cross-encoder; it learns together with the pooler and the head."""
    origin = encoder_facts(model)
    adapter = Adapter(model, method)
    for name, part in model.named_parameters():
        if "classifier" in name or "pooler" in name:
            part.requires_grad_(True)
    return Adapted(adapter, origin)


def write_adapted(folder: Path, model: PreTrainedModel, adapted: Adapted | None) -> None:
    """Write a cross-encoder: with its adapter merged, or as a graph if that cannot be; without one, as it is."""
    if adapted is not None:
        save_adapter(adapted.adapter, folder / FOLDER, adapted.origin)
        if not adapted.adapter.mergeable:
            model.config.save_pretrained(folder)
            (folder / GRAPH).write_bytes(traced(model, has_types(model)))
            return
        adapted.adapter.merge()
    model.save_pretrained(folder)
