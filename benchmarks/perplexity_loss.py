"""Compare the perplexity of texts under a real causal model with the exponential of transformers' loss.

    python benchmarks/perplexity_loss.py ~/models/smollm2-135m --texts hyp.txt

The model is a folder with safetensors or one GGUF file. The loss is computed for one text at a time, without padding.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import torch

from farthing.core.types import Pairs
from farthing.metrics.perplexity import Perplexity

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "translation" / "fluent.en"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="name or folder of a causal model")
    parser.add_argument("--texts", type=Path, default=EXAMPLE, help="a file with one text per line")
    options = parser.parse_args()
    texts = options.texts.read_text(encoding="utf-8").splitlines()
    metric = Perplexity(model=options.model)
    scores = metric.score(Pairs.of(texts))
    expected = [loss(metric, text) for text in texts]
    apart = max(abs(found - math.exp(mean)) / found for found, (mean, _) in zip(scores.segments, expected, strict=True))
    corpus = math.exp(sum(mean * count for mean, count in expected) / sum(count for _, count in expected))
    print(
        f"corpus {scores.corpus:.6f}, by transformers {corpus:.6f}; largest relative difference of a text {apart:.1e}"
    )


def loss(metric: Perplexity, text: str) -> tuple[float, int]:
    """Return the loss of one text by transformers, and how many tokens it is the mean of."""
    lm = metric.model
    row = torch.tensor([[*lm.start, *lm.tokenizer(text, add_special_tokens=False)["input_ids"]]])
    with torch.no_grad():
        return float(lm.model(row, labels=row).loss), row.shape[1] - 1


if __name__ == "__main__":
    main()
