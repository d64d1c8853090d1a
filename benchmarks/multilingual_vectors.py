"""Write multilingual static vectors (pieces.txt and vectors.npy) as a model2vec folder, which every metric reads.

python benchmarks/multilingual_vectors.py VECTORS FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np


def write_model(vectors: Path, folder: Path) -> str:
    """Write the folder, unless it is there; the pieces by their rank become a unigram tokenizer."""
    import tokenizers as tk
    from safetensors.numpy import save_file

    if (folder / "model.safetensors").exists():
        return str(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pieces = (vectors / "pieces.txt").read_text(encoding="utf-8").split("\n")
    table = np.load(vectors / "vectors.npy")
    usual = float(np.log((1 / np.arange(1, len(table) + 1)).sum()))  # Zipf's law gives the probability of a rank
    scores = [(piece, -float(np.log(rank + 1)) - usual) for rank, piece in enumerate(pieces[: len(table)])]
    tokenizer = tk.Tokenizer(tk.models.Unigram(scores, unk_id=1, byte_fallback=False))
    tokenizer.normalizer = tk.normalizers.NFKC()
    tokenizer.pre_tokenizer = tk.pre_tokenizers.Metaspace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "pad_token_id": 0}))
    save_file({"embeddings": table.astype(np.float32)}, folder / "model.safetensors")
    return str(folder)


if __name__ == "__main__":
    write_model(*map(Path, sys.argv[1:]))
