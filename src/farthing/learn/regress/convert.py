"""Read a published COMET checkpoint once, weights only, and write it as a folder of safetensors.

A published model is a folder with `hparams.yaml` and `checkpoints/model.ckpt`. It has no tokenizer and no configuration
of its encoder, which are taken from a folder of that encoder (its weights are not needed).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import torch

from farthing.core.errors import ModelError
from farthing.core.types import Need
from farthing.encoders.backends.pretrained import load_config, new_model
from farthing.encoders.load import name_of
from farthing.encoders.tokens.tokenize import read_json
from farthing.files.folders import check_new, new_folder, write_json
from farthing.learn.adapters.folder import copy_tokenizer_files
from farthing.learn.cross.start import tokenizer_folder
from farthing.learn.regress.folder import describe_estimator
from farthing.learn.regress.model import EstimatorModel
from farthing.learn.train.layers import count_parameters
from farthing.students.layout import HEAD
from farthing.students.regressor import BOTH, Activation, EstimatorShape

CheckpointState: TypeAlias = Mapping[str, torch.Tensor]
CLASSES: Mapping[str, tuple[Need, ...]] = {
    "regression_metric": BOTH,
    "referenceless_regression_metric": ("source",),
}
_POOLING: Mapping[str, Literal["mean", "max", "cls"]] = {"avg": "mean", "max": "max", "cls": "cls"}
_ACTIVATIONS: Mapping[str, Activation] = {"tanh": "tanh", "sigmoid": "sigmoid", "relu": "relu"}
# What COMET takes if a file does not say; its examples of training say otherwise.
_UNSAID = {"pool": "avg", "layer": "mix", "layer_transformation": "softmax", "layer_norm": True, "activations": "Tanh"}
_HIDDEN = {"regression_metric": [3072, 1024], "referenceless_regression_metric": [2048, 1024]}
_SPECIAL = 4  # positions that COMET leaves unused
_ENCODER, _MIX, _HEAD = "encoder.model.", "layerwise_attention.", "estimator.ff."


def convert_comet(
    checkpoint: Path, encoder: str | Path, target: Path, *, licence: str | None = None, overwrite: bool = False
) -> Path:
    """Write a published estimator as a folder that `comet(model=…)` reads.

    :param checkpoint: the folder of the model, or its file of weights
    :param encoder: the name or folder of the model's encoder, of which configuration and tokenizer are needed
    :param licence: for the card
    """
    check_new(target, overwrite)
    weights, settings = _files(checkpoint)
    shape = shape_of_settings(read_settings(settings), settings)
    state = read_state(weights)
    start = tokenizer_folder(str(encoder))
    config = load_config(start)
    model = EstimatorModel(new_model(config), shape, fast=False)
    if hasattr(model.encoder, "pooler"):
        model.encoder.pooler = None
    _fill(model, state, weights)
    facts = {
        "encoder_name": name_of(encoder),
        "parameters": count_parameters(model),
        "converted_from": weights.name,
    }
    with new_folder(target, overwrite) as folder:
        from safetensors.numpy import save_file

        copy_tokenizer_files(start, folder)
        limit = config.max_position_embeddings - _SPECIAL
        told = read_json(folder / "tokenizer_config.json", missing_ok=True)
        write_json(folder / "tokenizer_config.json", {**told, "model_max_length": limit})
        model.encoder.save_pretrained(folder)
        save_file(model.arrays(), folder / HEAD)
        describe_estimator(folder, target.name, model, {**facts, **({"licence": licence} if licence else {})})
    return target


def _files(checkpoint: Path) -> tuple[Path, Path]:
    """Find the weights and the settings."""
    weights = checkpoint / "checkpoints" / "model.ckpt" if checkpoint.is_dir() else checkpoint
    settings = weights.parent.parent / "hparams.yaml"
    for path in (weights, settings):
        if not path.is_file():
            raise ModelError(
                f"{path} does not exist: a COMET model is a folder with hparams.yaml and checkpoints/model.ckpt"
            )
    return weights, settings


def read_settings(path: Path) -> Mapping[str, object]:
    """Read hparams.yaml as plain data."""
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ModelError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error
    if not isinstance(content, dict):
        raise ModelError(f"{path} holds no settings")
    return content


def shape_of_settings(settings: Mapping[str, object], path: Path) -> EstimatorShape:
    """Return the shape of an estimator; other models of COMET, such as the unified ones, raise a sentence."""
    kind = str(settings.get("class_identifier"))
    if kind not in CLASSES:
        raise ModelError(f"{path}: a {kind} is no estimator (those are: {', '.join(CLASSES)})")
    settings = {**_UNSAID, "hidden_sizes": _HIDDEN[kind], **settings}
    pool, layer = str(settings["pool"]), str(settings["layer"])
    hidden, last = settings.get("hidden_sizes"), settings.get("final_activation")
    activations = [str(settings.get("activations")).lower(), str(last or "tanh").lower()]
    if pool not in _POOLING or not isinstance(hidden, list) or not set(activations) <= set(_ACTIVATIONS):
        raise ModelError(
            f"{path}: an estimator with pool={pool}, activations={', '.join(activations)} is not known here"
        )
    return EstimatorShape(
        inputs=CLASSES[kind],
        layer=None if layer == "mix" else int(layer),
        transform="sparsemax" if settings.get("layer_transformation") == "sparsemax" else "softmax",
        layer_norm=bool(settings.get("layer_norm")),
        pooling=_POOLING[pool],
        hidden=tuple(int(size) for size in hidden),
        activation=_ACTIVATIONS[activations[0]],
        final=_ACTIVATIONS[activations[1]] if last else None,
    )


def read_state(path: Path) -> CheckpointState:
    """Read the tensors of a checkpoint; one that would run code is refused by torch itself."""
    import pickle

    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"{path} cannot be read as weights alone: {reason}") from error
    state = content.get("state_dict") if isinstance(content, dict) else None
    if not isinstance(state, dict):
        raise ModelError(f"{path} is no checkpoint of COMET: it has no state_dict")
    return state


def _fill(model: EstimatorModel, state: CheckpointState, path: Path) -> None:
    """Put the tensors of a checkpoint into a model, all of them or none."""
    encoder = {name.removeprefix(_ENCODER): value for name, value in state.items() if name.startswith(_ENCODER)}
    own = model.encoder.state_dict()
    missing = sorted(name for name in own if name not in encoder and not name.endswith("position_ids"))
    if missing or any(own[name].shape != encoder[name].shape for name in own if name in encoder):
        what = f"has no {missing[0]}" if missing else "has other sizes"
        raise ModelError(f"{path} {what}: it was not made with this encoder")
    model.encoder.load_state_dict({name: value for name, value in encoder.items() if name in own}, strict=False)
    arrays: dict[str, np.ndarray] = {}
    if model.shape.layer is None:
        count = len(model.mix.weights)
        mix = [state[f"{_MIX}scalar_parameters.{layer}"].float().reshape(1) for layer in range(count)]
        arrays = {"mix.weights": torch.cat(mix).numpy(), "mix.gamma": state[f"{_MIX}gamma"].float().reshape(()).numpy()}
    numbers = sorted({int(name.removeprefix(_HEAD).split(".")[0]) for name in state if name.startswith(_HEAD)})
    for place, number in enumerate(numbers):
        for part in ("weight", "bias"):
            arrays[f"dense.{place}.{part}"] = state[f"{_HEAD}{number}.{part}"].float().numpy()
    model.take(arrays)
