"""What BERTScore needs before it starts: which encoder and which layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from farthing.core.errors import SpecError
from farthing.encoders.folder.locate import locate
from farthing.encoders.load import Backend, backend_of, load_encoder, name_of
from farthing.encoders.protocol import Encoder
from farthing.encoders.tokens.tokenize import read_json
from farthing.metrics.bertscore.published import layer_for

LayerChoice: TypeAlias = int | Literal["all"] | None


@dataclass(frozen=True, slots=True)
class ChosenEncoder:
    """An encoder and the layer that the score is of.

    :param guessed: nobody asked for the layer, and none is published
    """

    encoder: Encoder
    layer: int
    guessed: bool = False


def choose_encoder(
    model: str, layer: LayerChoice, backend: Backend, *, compat: bool, space: bool, device: str
) -> ChosenEncoder:
    """Load the encoder and choose its layer.

    The layer is the given one, else the published one, else three quarters of the way up, where most models
    are at their best. In compat the model is really cut there, so that a final norm follows the last block.
    """
    folder = locate(model)
    names = (model, name_of(model), str(read_json(folder / "config.json").get("_name_or_path", "")))
    wanted = layer_for(*names) if layer is None or layer == "all" else layer
    kind = backend if backend != "auto" else backend_of(folder)
    cut = wanted if compat and kind == "torch" and layer != "all" else None
    # bert_score gave only RoBERTa's and GPT-2's own tokenizers a leading space
    leading = (None if compat else True) if space else False
    encoder = load_encoder(model, kind, leading_space=leading, cut=cut, device=device)
    if wanted is not None and wanted in encoder.layers:
        return ChosenEncoder(encoder, wanted)
    if isinstance(layer, int):
        known = ", ".join(map(str, encoder.layers))
        raise SpecError(f"{encoder.name} ({encoder.backend}) has no layer {layer} (there are: {known})")
    if compat and layer is None and len(encoder.layers) > 1:
        raise SpecError(f"no layer is published for {name_of(model)}: give layer= (0 to {encoder.layers[-1]})")
    return ChosenEncoder(encoder, nearest_layer(encoder.layers), guessed=len(encoder.layers) > 1)


def nearest_layer(layers: tuple[int, ...]) -> int:
    """Return the layer nearest to three quarters of the way up; of two equally near the upper one.

    >>> nearest_layer((0, 1, 2, 3, 4, 5, 6)), nearest_layer((0,))
    (5, 0)
    """
    wanted = 0.75 * layers[-1]
    return min(layers, key=lambda layer: (abs(layer - wanted), -layer))
