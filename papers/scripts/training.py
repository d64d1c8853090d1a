"""Measure how cheaply a metric trains with adapters: memory per token, tokens per second, and agreement afterwards.

    python papers/scripts/training.py ENCODER HUMAN --rows 2000 --epochs 3

A cross-encoder (a BERT with one number on top) learns direct assessments of WMT15 and is tested on WMT16. With adapters
only these and the last layer learn. Memory is that of the activations which the backward pass needs.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn
from transformers import AutoModel, AutoTokenizer

from farthing.learn.adapters.adapter import Adapter
from farthing.meta import Judgements, correlate
from measured import rows_into_english

KINDS = ("pfeiffer", "parallel", "houlsby", "compacter", "ia3")
WITHOUT = "no adapters"


class Regressor(nn.Module):
    """An encoder of pairs with one number on top."""

    def __init__(self, folder: str, kind: str) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(folder)
        self.adapter = None if kind == WITHOUT else Adapter(self.encoder, kind)  # type: ignore[arg-type]
        self.head = nn.Linear(self.encoder.config.hidden_size, 1)

    def forward(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        states = self.encoder(**inputs).last_hidden_state
        mask = inputs["attention_mask"].unsqueeze(-1)
        scores: torch.Tensor = self.head((states * mask).sum(1) / mask.sum(1)).squeeze(-1)
        return scores


Batch = tuple[dict[str, torch.Tensor], torch.Tensor]


def batches(data: Judgements, tokenizer: Callable[..., dict[str, torch.Tensor]], size: int = 16) -> Iterator[Batch]:
    """Yield tokenised pairs with their human scores."""
    references = [row[0] for row in data.texts.references]
    people = torch.tensor(data.judged(), dtype=torch.float32)
    for start in range(0, len(data), size):
        rows = slice(start, start + size)
        texts = (list(data.texts.candidates[rows]), references[rows])
        yield dict(tokenizer(*texts, padding=True, truncation=True, max_length=256, return_tensors="pt")), people[rows]


def kept_bytes(run: Callable[[], torch.Tensor]) -> tuple[torch.Tensor, int]:
    """Run something, and count the bytes that its backward pass keeps, each tensor once."""
    sizes: dict[int, int] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        if not isinstance(tensor, nn.Parameter):
            sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        found = run()
    return found, sum(sizes.values())


def train(
    model: Regressor, data: Judgements, tokenizer: Callable[..., dict[str, torch.Tensor]], epochs: int
) -> list[float]:
    """Train, and return the median MB per token and the median tokens per second forward and backward."""
    learned = [part for part in model.parameters() if part.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=5e-5 if model.adapter is None else 1e-3)
    measures = []
    for _ in range(epochs):
        for inputs, people in batches(data, tokenizer):
            tokens = int(inputs["attention_mask"].sum())
            began = time.process_time()
            loss, size = kept_bytes(lambda inputs=inputs, people=people: ((model(inputs) - people) ** 2).mean())
            middle = time.process_time()
            loss.backward()
            ended = time.process_time()
            optimiser.step()
            optimiser.zero_grad()
            measures.append([size / tokens / 1e6, tokens / (middle - began), tokens / (ended - middle)])
    return [float(value) for value in np.median(measures, axis=0)]


def agreement(model: Regressor, data: Judgements, tokenizer: Callable[..., dict[str, torch.Tensor]]) -> float:
    """Return Kendall's correlation with people, the mean over the language pairs."""
    with torch.inference_mode():
        scores = torch.cat([model(inputs) for inputs, _ in batches(data, tokenizer)]).numpy()
    groups = np.array(data.groups)
    rows = [groups == group for group in data.group_names]
    return float(np.mean([correlate(data.judged()[row], scores[row], "kendall_b").value for row in rows]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("encoder")
    parser.add_argument("human", type=Path)
    parser.add_argument("--rows", type=int, default=500, help="rows of every language pair")
    parser.add_argument("--epochs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(options.encoder)
    training, test = (
        rows_into_english(str(options.human / f"{name}_da_seg.jsonl.gz"), options.rows) for name in ("wmt15", "wmt16")
    )
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["adapter", "MB per token", "forward tokens/s", "backward tokens/s", "learned parameters", "tau"])
    for kind in (*KINDS, WITHOUT):
        torch.manual_seed(0)
        model = Regressor(options.encoder, kind)
        measures = train(model, training, tokenizer, options.epochs)
        learned = sum(part.numel() for part in model.parameters() if part.requires_grad)
        table.writerow([kind, *measures, learned, agreement(model.eval(), test, tokenizer)])


if __name__ == "__main__":
    main()
