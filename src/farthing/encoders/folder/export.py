"""Export an encoder to ONNX: every layer an output, no mask, whole numbers for weights where wanted.

Three precisions: `fp32`; `int8`, whose weights and activations are rounded in blocks of one token, so that
a text's vectors do not depend on what else is in the batch; `int8-dynamic`, which rounds the activations of a
whole batch by one scale: the fastest, but a score then moves a little with its batch mates.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from farthing.core.errors import MissingExtra, ModelError, OutputError
from farthing.core.version import __version__
from farthing.encoders.backends.onnx import FILE
from farthing.encoders.backends.torch import TorchEncoder, load_model
from farthing.encoders.protocol import file_hash
from farthing.encoders.tokens.tokenize import Tokenizer

Precision = Literal["fp32", "int8", "int8-dynamic"]
_BLOCK = 128  # weights that share one scale
_COPIED = ("config.json", "tokenizer_config.json", "special_tokens_map.json")


def export_onnx(
    folder: Path, target: Path, *, name: str, precision: Precision = "fp32", layers: Sequence[int] | None = None
) -> None:
    """Write an encoder as a folder that needs no torch; it appears whole or not at all.

    :param layers: the layers to give, all if not said; the graph ends at the deepest
    """
    if target.exists():
        raise OutputError(f"{target} exists already: choose another name or remove it first")
    if not target.parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist; make it first")
    _check_extras()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as beside:
        place = Path(beside) / "export"
        place.mkdir()
        chosen = _write_graph(folder, name, place / "fp32.onnx", layers)
        quantise(place / "fp32.onnx", place / "plain.onnx", precision)
        _fuse(place / "plain.onnx", place / FILE)
        for step in ("fp32.onnx", "plain.onnx"):
            (place / step).unlink(missing_ok=True)
        _write_beside(folder, place)
        card = {
            "farthing": __version__,
            "model": name,
            "weights": file_hash(*sorted(folder.glob("*.safetensors"))),
            "precision": precision,
            "layers": list(chosen),
        }
        (place / "farthing.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
        place.rename(target)


def _check_extras() -> None:
    try:
        import onnx  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtra("exporting a model", "learn") from error


def _write_beside(folder: Path, place: Path) -> None:
    """The config and the tokenizer, the latter always as tokenizer.json."""
    for name in _COPIED:
        if (folder / name).is_file():
            shutil.copyfile(folder / name, place / name)
    Tokenizer(folder).save(place / "tokenizer.json")


def _write_graph(folder: Path, name: str, path: Path, layers: Sequence[int] | None) -> tuple[int, ...]:
    import torch

    # Plain attention is a pattern that onnxruntime knows how to fuse.
    encoder = TorchEncoder(folder, name, model=load_model(folder, attention="eager"))
    chosen = tuple(sorted(set(encoder.layers if layers is None else layers)))
    if unknown := set(chosen) - set(encoder.layers):
        raise ModelError(f"{name} has no layer {min(unknown)} (there are: 0 to {encoder.layers[-1]})")
    names = [f"layer_{layer}" for layer in chosen]
    axes = {name: {0: "texts", 1: "tokens"} for name in ["input_ids", *names]}
    example = torch.full((2, 7), encoder.tokenizer.contents(["a"])[0][0], dtype=torch.long)
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # of tracing: constants that shapes do not move
        torch.onnx.export(
            _States(encoder, chosen), (example,), str(path), input_names=["input_ids"], output_names=names,
            dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip
    return chosen


def _States(encoder: TorchEncoder, layers: Sequence[int]) -> Any:  # noqa: N802
    """A module from token ids to the states of some layers."""
    import torch

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = encoder.model

        def forward(self, input_ids: torch.Tensor) -> tuple[torch.Tensor, ...]:
            found = encoder.states({"input_ids": input_ids}, layers)
            return tuple(found[layer] for layer in layers)

    return States()


def quantise(source: Path, target: Path, precision: Precision) -> None:
    """Write a graph of fp32 at another precision."""
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
    """Let onnxruntime fuse the graph's operations now, so that it need not at every start."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # runs on any CPU
    options.optimized_model_filepath = str(target)
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """The quantisers set up logging for the whole program and log every node: undo the one, hide the other."""
    handlers, level = list(logging.root.handlers), logging.root.level
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        logging.root.handlers[:], logging.root.level = handlers, level
