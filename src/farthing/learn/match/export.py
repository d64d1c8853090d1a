"""Write a trained judge as a student's folder: weights, head, tokenizer, config."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch

from farthing.encoders.backends.embedded import FILES
from farthing.encoders.folder.layout import CONFIG
from farthing.files.write import write_text
from farthing.learn.match.model import Judge
from farthing.learn.match.tokens import ContextualTokens, StaticTokens
from farthing.students.layout import FACTS, HEAD, TOKENIZER

LONGEST = 4096  # tokens of a text if no transformer sets a limit: the matrix of similarities grows with its square


def write_judge(judge: Judge, start: Path, folder: Path, *, floor: float, about: Mapping[str, object]) -> None:
    """Write a judge as the folder of a student.

    :param start: the folder whose tokenizer the student uses
    :param floor: the value that reads as 0
    :param about: further facts for the config
    """
    judge.eval()
    if isinstance(judge.tokens, ContextualTokens):
        kind, limit = "match", int(judge.tokens.model.config.max_position_embeddings)
        write_graph(judge.tokens, folder / FILES[kind])
    else:
        kind, limit = "static", LONGEST
        write_token_table(judge.tokens, folder / FILES[kind])
    write_head(judge, folder / HEAD, floor)
    for name in TOKENIZER[:2] if kind == "match" else TOKENIZER[:1]:  # the second has the transformer's limit
        if (start / name).is_file():
            shutil.copyfile(start / name, folder / name)
    config = {FACTS: {"kind": kind, **about}, "max_position_embeddings": limit, "pad_token_id": 0}
    write_text(folder / CONFIG, json.dumps(config, indent=2) + "\n")


def write_head(judge: Judge, path: Path, floor: float) -> None:
    """Write the head with its scale as safetensors."""
    head = judge.head
    arrays = {
        "scale": head.scale, "top": head.top, "linear": head.linear.weight, "hidden": head.hidden.weight,
        "hidden_bias": head.hidden.bias, "out": head.out.weight, "floor": torch.tensor(floor),
    }  # fmt: skip
    _save({name: one.detach().float().contiguous().numpy() for name, one in arrays.items()}, path)


def write_token_table(tokens: StaticTokens, path: Path) -> None:
    """Write both tables in 8 bits with one scale per row, and the small layer in full."""
    arrays = {
        "weights": tokens.weight.weight[:, 0].half(), "heavy": tokens.heavy.weight[0],
        "mix": tokens.mix.weight.permute(2, 1, 0), "bias": tokens.mix.bias, "out": tokens.out.weight.T,
    }  # fmt: skip
    small = {name: np.ascontiguousarray(one.detach().numpy()) for name, one in arrays.items() if one is not None}
    _save({**small, **_rows("vectors", tokens.table), **_rows("near", tokens.near)}, path)


def _rows(name: str, table: torch.nn.Embedding) -> dict[str, np.ndarray]:
    rows = table.weight.detach().numpy()
    scales = (np.maximum(np.abs(rows).max(axis=1), 1e-6) / 127).astype(np.float32)
    return {name: np.round(rows / scales[:, None]).astype(np.int8), f"{name}_scale": scales}


def _save(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    from safetensors.numpy import save

    path.write_bytes(save(dict(arrays)))  # save_file() would make it unreadable for other users


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Silence tracing and the quantiser, which warn about what is intended: shapes of one text, no preparation."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            root.setLevel(level)


class _Single(torch.nn.Module):
    """One text at a time, without a mask: what a student runs."""

    def __init__(self, tokens: ContextualTokens) -> None:
        super().__init__()
        self.tokens = tokens

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        vectors, weights = self.tokens(ids, torch.ones_like(ids))
        return vectors, weights


def write_graph(tokens: ContextualTokens, path: Path) -> None:
    """Write a graph that onnxruntime's optimiser has fused, with products and tables of embeddings in 8 bits."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers import optimizer

    config = tokens.model.config
    tokens.model.config._attn_implementation, tokens.fast = "eager", False
    with tempfile.TemporaryDirectory() as place, _silent():
        plain, fused = Path(place) / "plain.onnx", Path(place) / "fused.onnx"
        torch.onnx.export(
            _Single(tokens), (torch.tensor([[0, 1, 1, 0]]),), str(plain), input_names=["ids"],
            output_names=["vectors", "weights"], dynamic_axes={"ids": {1: "n"}}, dynamo=False, opset_version=17,
        )  # fmt: skip
        better = optimizer.optimize_model(
            str(plain), model_type="bert", opt_level=0,
            num_heads=config.num_attention_heads, hidden_size=config.hidden_size,
        )  # fmt: skip
        better.save_model_to_file(str(fused))
        # 7 bits of weights: processors without VNNI saturate when they add up products of 8
        quantize_dynamic(
            str(fused), str(path), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
            extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
        )  # fmt: skip
