"""Cross-encoders: two texts as one input, one score out. By onnxruntime where the folder has a graph, else by torch.

Pairs are sorted by tokens and go in batches of about a thousand tokens; each thread takes whole batches, so that
neither the order of the input nor the number of threads moves a score.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from farthing.core.errors import MissingExtra, ModelError
from farthing.core.threads import in_threads, thread_count
from farthing.encoders.backends.pretrained import quietly
from farthing.encoders.batching import TOKENS, batches, padded, unique
from farthing.encoders.tokens.tokenize import Ids, Tokenizer, read_json

GRAPH = "model.onnx"
SLACK = 0.05  # the share of padding that a batch may have
INPUTS = ("input_ids", "token_type_ids", "attention_mask")
Batch = dict[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class PairIds:
    """One pair as token ids, and for every token the number of its text."""

    ids: Ids
    types: Ids


def longest_first(first: int, second: int, room: int) -> tuple[int, int]:
    """How many tokens of two texts stay: the longer one is cut first, then both alike.

    >>> longest_first(10, 90, 60), longest_first(80, 90, 61)
    ((10, 50), (30, 31))
    """
    if first + second <= room:
        return first, second
    if min(first, second) <= room // 2:
        return (first, room - first) if first <= second else (room - second, second)
    small = room // 2
    return (small, room - small) if first <= second else (room - small, small)


def pair_ids(tokenizer: Tokenizer, first: Ids, second: Ids, limit: int) -> PairIds:
    """A pair as the model reads it, cut to `limit` tokens with the special ones."""
    kept = longest_first(len(first), len(second), limit - special_count(tokenizer))
    return PairIds(*tokenizer.paired(first[: kept[0]], second[: kept[1]]))


def special_count(tokenizer: Tokenizer) -> int:
    """How many special tokens a pair has."""
    return len(tokenizer.prefix) + len(tokenizer.between) + len(tokenizer.pair_suffix)


def as_batch(rows: Sequence[PairIds], pad: int) -> Batch:
    """Pairs as the matrices that a model reads."""
    ids, mask = padded([row.ids for row in rows], pad)
    types, _ = padded([row.types for row in rows], 0)
    return dict(zip(INPUTS, (ids, types, mask), strict=True))


class Runner(Protocol):
    """Runs a model on one batch."""

    backend: str

    def __call__(self, batch: Batch) -> np.ndarray: ...


class OnnxRunner:
    """A graph in onnxruntime, one core a batch."""

    backend = "onnx"

    def __init__(self, graph: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self.session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has many kinds of its own
            raise ModelError(f"{graph} is no graph that onnxruntime can run: {str(error).splitlines()[0]}") from error
        self.kinds = {one.name: np.int32 if "int32" in one.type else np.int64 for one in self.session.get_inputs()}
        if not set(self.kinds) <= set(INPUTS):
            raise ModelError(f"{graph} is no cross-encoder: it wants {', '.join(sorted(self.kinds))}")

    def __call__(self, batch: Batch) -> np.ndarray:
        """The scores of a batch."""
        [scores] = self.session.run(None, {name: batch[name].astype(kind) for name, kind in self.kinds.items()})
        return _one_column(scores)


class TorchRunner:
    """A `…ForSequenceClassification` with one output in torch."""

    backend = "torch"

    def __init__(self, folder: Path) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtra(f"{folder} is no exported student; running it", "torch") from error
        from safetensors import SafetensorError

        loader = transformers.AutoModelForSequenceClassification
        options = {"use_safetensors": True, "output_loading_info": True, "local_files_only": True}
        try:
            with quietly():
                self.model, report = loader.from_pretrained(folder, **options)
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise ModelError(f"{folder} cannot be loaded as a cross-encoder: {str(error).splitlines()[0]}") from error
        if report["missing_keys"]:
            raise ModelError(
                f"{folder} has no trained head (it lacks {sorted(report['missing_keys'])[0]}): "
                "train it with farthing learn distil"
            )
        self.model.eval()
        self.typed = getattr(self.model.config, "type_vocab_size", 0) > 1
        torch.set_num_threads(1)

    def __call__(self, batch: Batch) -> np.ndarray:
        """The scores of a batch."""
        import torch

        inputs = {name: torch.from_numpy(value) for name, value in batch.items() if self.typed or name != INPUTS[1]}
        with torch.inference_mode():
            return _one_column(self.model(**inputs).logits.numpy())


def _one_column(scores: np.ndarray) -> np.ndarray:
    column: np.ndarray = scores.reshape(len(scores), -1)[:, 0].astype(np.float64)
    return column


class CrossEncoder:
    """A folder that scores pairs.

    :param folder: an exported student, or a Hugging Face folder with a head of one output
    :param threads: how many batches are worked on at a time
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self.folder, self.threads = folder, thread_count(threads)
        self.config = read_json(folder / "config.json")
        self.tokenizer = Tokenizer(folder, leading_space=False)
        self._check()
        graph = folder / GRAPH
        self.run: Runner = OnnxRunner(graph) if graph.is_file() else TorchRunner(folder)

    def _check(self) -> None:
        outputs = len(self.config.get("id2label") or [0])
        outputs = int(self.config.get("num_labels", outputs))
        if outputs != 1:
            raise ModelError(f"{self.folder} has a head of {outputs} outputs: a metric needs one")
        rows = self.config.get("vocab_size")
        if isinstance(rows, int) and self.tokenizer.size > rows:
            raise ModelError(
                f"{self.folder} has a tokenizer of {self.tokenizer.size} tokens but vectors for {rows} only: "
                "they do not belong together"
            )

    @property
    def hash(self) -> str:
        """Changes when the weights do."""
        weights = self.folder / (GRAPH if self.run.backend == "onnx" else "model.safetensors")
        return hashlib.sha256(weights.read_bytes()).hexdigest()[:12] if weights.is_file() else "unknown"

    def contents(self, texts: Sequence[str]) -> list[Ids]:
        """The token ids of texts, equal texts tokenised once."""
        distinct, places = unique(texts)
        found = self.tokenizer.contents(distinct)
        return [found[place] for place in places]

    def scores(self, rows: Sequence[PairIds]) -> np.ndarray:
        """One score a pair."""
        found = np.empty(len(rows))
        groups = list(batches([len(row.ids) for row in rows], TOKENS, SLACK))
        pad = self.tokenizer.pad
        ready: Iterator[Batch] = (as_batch([rows[place] for place in group], pad) for group in groups)
        for group, scores in zip(groups, in_threads(self.run, ready, self.threads), strict=True):
            found[group] = scores
        return found
