"""Pairs a second of the embedded students against their rivals, one core, the same pairs, interleaved.

    RAYON_NUM_THREADS=1 OMP_NUM_THREADS=1 python benchmarks/students_speed.py SHARED MODELS [SIZE …]

`nano` meets sacrebleu's sentence-chrF and sentence-BLEU, `tiny` BERTScore over minilm-l6 in our own engine, `small`
the package bert_score over e5-small at layer 8, `multi` BERTScore over multilingual-e5-small in our own engine (all
twelve layers, and layer 8), `source` XMoverScore over the same encoder, `base` bert_score over a model of random
weights in the shape that it uses of roberta-large (17 layers of 1024). MODELS is the folder with these encoders;
`nano` needs none. CPU time, so that a busy machine does not move the ratios much. Every round scores the same pairs by
each metric in turn. Printed is the median of the ratios of the rounds after the first, with the lowest and the
highest, and the ratio of the first round, in which every word is new to a student that remembers words.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import farthing

ROUNDS = 8
COUNTS = {"nano": 2000, "tiny": 400, "small": 200, "base": 100, "multi": 200, "source": 100}
LARGE_LAYERS = 17  # of the 24 of roberta-large; bert_score takes the vectors of the seventeenth and drops the others
Run = Callable[[farthing.Pairs], object]


def read(shared: Path, size: str) -> farthing.Pairs:
    """WMT16 into English, for `multi` with English-Russian; sources and outputs of MLQE for `source`."""
    sourced = size == "source"
    name = "mlqe_pe_da" if sourced else "wmt16_da_seg"
    with gzip.open(shared / "data" / "human" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if size in ("multi", "source") or row["lp"].endswith("-en")]
    rows = rows[:: max(1, len(rows) // COUNTS[size])][: COUNTS[size]]
    candidates = [row["candidate"] for row in rows]
    if sourced:
        return farthing.Pairs.of(candidates, None, [row["source"] for row in rows])
    return farthing.Pairs.of(candidates, [row["reference"] for row in rows])


def ours(spec: str) -> Run:
    return farthing.load(spec).score


def sentences(metric: object) -> Run:
    score = metric.sentence_score  # type: ignore[attr-defined]
    return lambda pairs: [score(one, two) for one, two in zip(pairs.candidates, pairs.references, strict=True)]


def bert_score(folder: Path, layer: int) -> Run:
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(folder), num_layers=layer, batch_size=64)
    return lambda pairs: scorer.score(list(pairs.candidates), [references[0] for references in pairs.references])


def bert_score_large(tokenizer: Path) -> Run:
    """bert_score over random weights in the shape of roberta-large, since the real ones are not needed for a time."""
    from transformers import BertConfig, BertModel

    shape = BertConfig(hidden_size=1024, intermediate_size=4096, num_attention_heads=16, num_hidden_layers=LARGE_LAYERS)
    with tempfile.TemporaryDirectory() as folder:
        BertModel(shape).save_pretrained(folder)
        for name in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copy(tokenizer / name, folder)
        return bert_score(Path(folder), LARGE_LAYERS)


def layers(folder: Path, *numbers: int) -> dict[str, Run]:
    """Our BERTScore over several layers of an encoder."""
    return {
        f"our BERTScore, layer {layer}": ours(f"bertscore(model={folder}, layer={layer}, threads=1)")
        for layer in numbers
    }


def rivals(size: str, models: Path) -> dict[str, Run]:
    if size == "nano":
        from sacrebleu.metrics import BLEU, CHRF

        return {"sentence-chrF": sentences(CHRF()), "sentence-BLEU": sentences(BLEU(effective_order=True))}
    if size == "tiny":
        return layers(models / "minilm-l6", 5, 4)
    if size == "multi":
        return layers(models / "multilingual-e5-small", 12, 8)
    if size == "source":
        return {"our XMoverScore": ours(f"xmoverscore(model={models / 'multilingual-e5-small'}, threads=1)")}
    if size == "base":
        return {"bert_score in roberta-large's shape": bert_score_large(models / "e5-small")}
    return {"bert_score": bert_score(models / "e5-small", 8)}


def pairs_a_second(run: Run, pairs: farthing.Pairs) -> float:
    began = time.process_time()
    run(pairs)
    return len(pairs) / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument("sizes", nargs="*", default=[size for size in COUNTS if size != "base"])
    parser.add_argument("--student", type=Path, help="a folder to measure instead of an embedded student")
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    for size in arguments.sizes:
        student = f"model={arguments.student}" if arguments.student else f"size={size}"
        runs = {size: ours(f"frugalscore({student}, threads=1)"), **rivals(size, arguments.models)}
        data, speeds = read(arguments.shared, size), dict[str, list[float]]((name, []) for name in runs)
        for _ in range(ROUNDS):
            for name, run in runs.items():
                speeds[name].append(pairs_a_second(run, data))
        print(f"{size}: {statistics.median(speeds[size][1:]):.0f} pairs per second")
        for name in list(runs)[1:]:
            first, *others = (own / other for own, other in zip(speeds[size], speeds[name], strict=True))
            found = f"{statistics.median(others):.2f} ({min(others):.2f} to {max(others):.2f}, first {first:.2f})"
            print(f"  {name} {statistics.median(speeds[name][1:]):.0f}, ratio {found}", flush=True)


if __name__ == "__main__":
    main()
