"""An encoder with an adapter inside as a folder: merged into the weights, or as a graph if that cannot be."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.encoders.backends.pretrained import load_pretrained
from farthing.encoders.backends.torch import TorchEncoder
from farthing.encoders.folder.export import write_states_graph
from farthing.encoders.folder.layout import GRAPH
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import check_new, new_folder
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.adapters.store import load_adapter
from farthing.learn.train.processes import quiet_transformers
from farthing.students.layout import TOKENIZER

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def adapt_encoder(encoder: str, adapter: Path, target: Path, *, overwrite: bool = False) -> Adapter:
    """Put a saved adapter into the encoder that it was trained for, and write both as a new folder.

    :param encoder: its name or folder; another one raises a sentence
    :param adapter: the folder `adapter` that training wrote
    """
    check_new(target, overwrite)
    quiet_transformers()
    start = locate(encoder)
    model = load_pretrained(start, full_precision=True)
    found = load_adapter(model, adapter)
    with new_folder(target, overwrite) as folder:
        copy_tokenizer_files(start, folder)
        write_adapted_encoder(model, found, start, folder)
    return found


def write_adapted_encoder(model: PreTrainedModel, adapter: Adapter, start: Path, folder: Path) -> None:
    """Write the encoder with its adapter; a merged one changes the model, too.

    :param start: the folder that the encoder was read from
    """
    if adapter.mergeable:
        adapter.merge()
        model.save_pretrained(folder)
        return
    encoder = copy.deepcopy(model).eval()
    encoder.set_attn_implementation("eager")  # a pattern that onnxruntime knows how to fuse
    encoder.config.save_pretrained(folder)
    write_states_graph(TorchEncoder(start, start.name, leading_space=False, model=encoder), folder / GRAPH)


def copy_tokenizer_files(start: Path, folder: Path) -> None:
    """Write the tokenizer, always as tokenizer.json, and what is beside it."""
    Tokenizer(start).save(folder / TOKENIZER[0])
    for name in TOKENIZER[1:3]:
        if (start / name).is_file():
            (folder / name).write_bytes((start / name).read_bytes())
