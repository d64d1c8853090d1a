"""Export an encoder to ONNX: one output per layer, no mask, integer weights if wanted.

Three precisions: `fp32`; `int8`, which rounds weights and activations in blocks of one token, so that a text's
vectors do not depend on the other texts of its batch; `int8-dynamic`, which rounds the activations of a whole batch
by one scale: the fastest, but a score then moves a little with the other texts of its batch.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from farthing.core.digest import digest_files
from farthing.core.errors import MissingExtra, ModelError
from farthing.core.version import __version__
from farthing.encoders.backends.onnx import OnnxEncoder
from farthing.encoders.backends.torch import TorchEncoder, load_model
from farthing.encoders.folder.layout import BESIDE, EXPORT_CARD, GRAPH, TOKENIZER
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import check_new, new_folder

if TYPE_CHECKING:
    import torch

Precision: TypeAlias = Literal["fp32", "int8", "int8-dynamic"]
_BLOCK = 128  # weights that share one scale
_STEPS = ("fp32.onnx", "plain.onnx")  # graphs on the way to the last one


def export_onnx(
    folder: Path,
    target: Path,
    *,
    name: str,
    precision: Precision = "fp32",
    layers: Sequence[int] | None = None,
    overwrite: bool = False,
) -> None:
    """Write an encoder as a folder that needs no torch; it appears whole or not at all.

    :param name: what the export calls the model that it was made from
    :param layers: the layers to give, all if not said; the graph ends at the deepest
    :param overwrite: replace a model's folder that already exists
    """
    check_new(target, overwrite)
    with new_folder(target, overwrite) as place:
        write_export(folder, place, name=name, precision=precision, layers=layers)


def write_export(
    folder: Path,
    place: Path,
    *,
    name: str,
    precision: Precision = "fp32",
    layers: Sequence[int] | None = None,
    written: bool = False,
) -> None:
    """Write what :func:`export_onnx` writes into a folder that already exists.

    :param written: the folder has no weights but the graph that :func:`write_states_graph` wrote
    """
    _check_extras()
    traced, quantised = (place / step for step in _STEPS)
    if written:
        shutil.copyfile(folder / GRAPH, traced)
        chosen = OnnxEncoder(folder, name).layers
    else:
        # Plain attention is a pattern that onnxruntime knows how to fuse.
        encoder = TorchEncoder(folder, name, model=load_model(folder, attention="eager"))
        chosen = write_states_graph(encoder, traced, layers)
    quantise(traced, quantised, precision)
    _fuse(quantised, place / GRAPH)
    for step in (traced, quantised):
        step.unlink(missing_ok=True)
    _write_beside(folder, place)
    card = {
        "farthing": __version__,
        "model": name,
        "weights": digest_files(OnnxEncoder.files(folder) if written else TorchEncoder.files(folder)),
        "precision": precision,
        "layers": list(chosen),
    }
    (place / EXPORT_CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def _check_extras() -> None:
    try:
        import onnx  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtra("exporting a model", "learn") from error


def _write_beside(folder: Path, place: Path) -> None:
    """Copy the config and write the tokenizer, always as tokenizer.json."""
    for name in BESIDE:
        if (folder / name).is_file():
            shutil.copyfile(folder / name, place / name)
    Tokenizer(folder).save(place / TOKENIZER)


def write_states_graph(encoder: TorchEncoder, path: Path, layers: Sequence[int] | None = None) -> tuple[int, ...]:
    """Write the graph of an encoder in fp32, with one output per layer, and return the layers."""
    import torch

    chosen = tuple(sorted(set(encoder.layers if layers is None else layers)))
    if unknown := set(chosen) - set(encoder.layers):
        raise ModelError(f"{encoder.name} has no layer {min(unknown)} (there are: 0 to {encoder.layers[-1]})")
    names = [f"layer_{layer}" for layer in chosen]
    axes = {name: {0: "texts", 1: "tokens"} for name in ["input_ids", *names]}
    example = torch.full((2, 7), encoder.tokenizer.contents(["a"])[0][0], dtype=torch.long)
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # of tracing: some constants do not follow the shapes
        torch.onnx.export(
            _states_module(encoder, chosen), (example,), str(path), input_names=["input_ids"], output_names=names,
            dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip
    return chosen


def _states_module(encoder: TorchEncoder, layers: Sequence[int]) -> torch.nn.Module:
    """Make a module from token ids to the states of some layers."""
    import torch

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = encoder.model

        def forward(self, input_ids: torch.Tensor) -> tuple[torch.Tensor, ...]:
            states = encoder.states({"input_ids": input_ids}, layers)
            return tuple(states[layer] for layer in layers)

    return States()


def quantise(source: Path, target: Path, precision: Precision) -> None:
    """Write a graph of fp32 in another precision."""
    if precision == "fp32":
        source.rename(target)
        return
    with _silent():
        if precision == "int8":
            _quantise_blocks(source, target)
        else:
            _quantise_dynamic(source, target)


def _quantise_blocks(source: Path, target: Path) -> None:
    import onnx
    from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

    config = DefaultWeightOnlyQuantConfig(block_size=_BLOCK, is_symmetric=True, accuracy_level=4, bits=8)
    quantiser = MatMulNBitsQuantizer(onnx.load(source), algo_config=config)
    quantiser.process()
    quantiser.model.save_model_to_file(str(target))


def _quantise_dynamic(source: Path, target: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    kinds = ["MatMul", "Gemm"]
    quantize_dynamic(source, target, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=kinds)


def _fuse(source: Path, target: Path) -> None:
    """Let onnxruntime fuse the graph's operations now, so that it need not do so at every start."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # runs on any CPU
    options.optimized_model_filepath = str(target)
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Hide the quantisers' log of every node, and undo the logging that they set up for the whole program."""
    handlers, level = list(logging.root.handlers), logging.root.level
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        logging.root.handlers[:], logging.root.level = handlers, level
