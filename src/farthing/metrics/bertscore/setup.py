"""What BERTScore needs before it starts: which encoder, which layer, which documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal

from farthing.core.errors import SpecError
from farthing.encoders.folder.locate import locate
from farthing.encoders.load import Backend, backend_of, load_encoder, name_of
from farthing.encoders.protocol import Encoder
from farthing.encoders.tokens.tokenize import read_json
from farthing.files.read import lines
from farthing.metrics.bertscore.published import layer_for

Layer = int | Literal["all"] | None


def choose_encoder(
    model: str, layer: Layer, backend: Backend, *, compat: bool, space: bool, device: str
) -> tuple[Encoder, int, bool]:
    """The encoder, the layer that the score is of, and True where that layer is only a guess.

    The layer is the asked one, else the published one, else three quarters of the way up, where most models
    are at their best. In compat the model is really cut there, so that a final norm follows the last block.
    """
    folder = locate(model)
    names = (model, name_of(model), str(read_json(folder / "config.json").get("_name_or_path", "")))
    asked = layer_for(*names) if layer in (None, "all") else layer
    kind = backend if backend != "auto" else backend_of(folder)
    cut = asked if compat and kind == "torch" and layer != "all" and isinstance(asked, int) else None
    # bert_score gave only RoBERTa's and GPT-2's own tokenizers a leading space
    encoder = load_encoder(
        model, kind, leading_space=(None if compat else True) if space else False, cut=cut, device=device
    )
    if isinstance(asked, int) and asked in encoder.layers:
        return encoder, asked, False
    if isinstance(asked, int) and layer not in (None, "all"):
        known = ", ".join(map(str, encoder.layers))
        raise SpecError(f"{encoder.name} ({encoder.backend}) has no layer {asked} (there are: {known})")
    if compat and layer is None and len(encoder.layers) > 1:
        raise SpecError(f"no layer is published for {name_of(model)}: give layer= (0 to {encoder.layers[-1]})")
    guess = encoder.layers[-1] if len(encoder.layers) == 1 else _nearest(encoder.layers)
    return encoder, guess, len(encoder.layers) > 1


def _nearest(layers: tuple[int, ...]) -> int:
    wanted = 0.75 * layers[-1]
    return min(layers, key=lambda layer: (abs(layer - wanted), -layer))


def read_documents(path: str) -> Iterator[str]:
    """The lines of a text file, one document a line."""
    return (line for _, line in lines(path))


def in_blocks(texts: Iterable[str], size: int = 4096) -> Iterator[list[str]]:
    """Texts by the thousand, for a tokenizer that likes them so."""
    rest = iter(texts)
    while block := list(islice(rest, size)):
        yield block
