"""Correlate metrics without references with people, on real source texts.

    python benchmarks/transport_source.py static                 # XMoverScore and SentSim over static vectors
    python benchmarks/transport_source.py lm --rows 200          # XMoverScore with and without a language model
    python benchmarks/transport_source.py bartscore --rows 300   # likelihood of a translation by OPUS-MT

Remappings are learned from 2,000 Tatoeba sentences of the language, as `farthing learn remap` does it.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import numpy as np

from farthing.core.registry import load
from farthing.core.types import Pairs
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.learn.remap import learn_remap
from multilingual_vectors import write_model
from timing import SHARED
from transport_data import MODELS, dev_model, judged, pearson

DATA = (("wmt15_da_seg", None), ("wmt16_da_seg", None), ("mlqe_pe_da", "test"))
TATOEBA = {"de": "deu", "cs": "ces", "ru": "rus", "ro": "ron", "tr": "tur", "fi": "fin", "et": "est"}
METRICS = {
    "XMoverScore, unigrams": "xmoverscore(model={model}, ngram=1)",
    "XMoverScore": "xmoverscore(model={model})",
    "XMoverScore, CLP": "xmoverscore(model={model}, remap={clp})",
    "XMoverScore, UMD": "xmoverscore(model={model}, remap={umd})",
    "XMoverScore, as published": "xmoverscore(model={model}, compat=xmoverscore)",
    "SentSim": "sentsim(model={model})",
    "SentSim, WMD": "sentsim(model={model}, words=wmd)",
    "SentSim, as published": "sentsim(model={model}, combine=published)",
    "SentSim, WMD, as published": "sentsim(model={model}, words=wmd, combine=published)",
}


def multilingual() -> str:
    """Return the folder of the multilingual static vectors."""
    return write_model(Path(dev_model("potion-multilingual")), MODELS / "potion-multilingual-model2vec")


def remaps(model: str, language: str, folder: Path) -> dict[str, str] | None:
    """Return the files of both remappings of a language into English, or None if there are no sentences for it."""
    code = TATOEBA.get(language)
    with gzip.open(SHARED / "data" / "corpora" / "tatoeba_parallel.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in (line.rstrip("\n").split("\t") for line in lines) if row[0] == code][:2000]
    if not rows:
        return None
    engine = Engine(load_encoder(model))
    found = {}
    for method in ("clp", "umd"):
        path = folder / f"{language}-en.{method}.safetensors"
        learned, _ = learn_remap(engine, [r[1] for r in rows], [r[2] for r in rows], layer=0, method=method)
        learned.save(path)
        found[method] = str(path)
    return found


def static(rows: int | None) -> None:
    """Print the segment Pearson of every language pair."""
    import tempfile

    model = multilingual()
    table: dict[str, dict[str, float]] = {name: {} for name in METRICS}
    with tempfile.TemporaryDirectory() as folder:
        for data, split in DATA:
            for pair, (pairs, human) in judged(data, split=split, most=rows).items():
                maps = remaps(model, pair.split("-")[0], Path(folder))
                for name, spec in METRICS.items():
                    if "remap" in spec and maps is None:
                        continue
                    scores = load(spec.format(model=model, **(maps or {}))).score(pairs)
                    table[name][f"{data.split('_')[0]} {pair}"] = pearson(scores.segments, human)
    heads = list(next(iter(table.values())))
    print("| metric |" + "".join(f" {head} |" for head in heads) + "\n|---|" + "---|" * len(heads))
    for name, found in table.items():
        print(f"| {name} |" + "".join(f" {found[head]:.3f} |" if head in found else " – |" for head in heads))


def language_model(rows: int) -> None:
    """Print the Pearson of fluency alone, of transport alone, and of both at several weights."""
    model, lm = multilingual(), dev_model("smollm2-135m")
    metric = load(f"xmoverscore(model={model}, lm={lm}, lm_weight=0.1)")
    print("| data | transport | fluency | weight 0.01 | 0.1 | 1 |\n|---|---|---|---|---|---|")
    for data, split, pair in (("wmt16_da_seg", None, "de-en"), ("mlqe_pe_da", "test", "ro-en")):
        pairs, human = judged(data, split=split, most=rows)[pair]
        parts = metric.score(pairs).parts
        mover, fluency = np.asarray(parts["mover"]), np.asarray(parts["fluency"])
        values = [mover, fluency, *(mover + weight * fluency for weight in (0.01, 0.1, 1))]
        print(f"| {data} {pair}, {len(pairs)} |" + "".join(f" {pearson(value, human):.3f} |" for value in values))


def bartscore(rows: int) -> None:
    """Print how the likelihood of a translation between French and English agrees with the STS benchmark."""
    files = {}
    for name, language in (("stsb_multi", "fr"), ("stsb_en", None)):
        with gzip.open(SHARED / "data" / "human" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            found = [json.loads(line) for line in lines]
        files[name] = {r["segment_id"]: r for r in found if r.get("lang") in (language, "en") and r["split"] == "test"}
    both = [(files["stsb_multi"][key], row) for key, row in files["stsb_en"].items() if key in files["stsb_multi"]][
        :rows
    ]
    human = np.array([english["score"] for _, english in both])
    french = [row["reference"] for row, _ in both]
    english = [row["candidate"] for _, row in both]
    there = load(f"bartscore(model={dev_model('opus-fr-en')}, direction=faithfulness)")
    back = load(f"bartscore(model={dev_model('opus-en-fr')}, direction=faithfulness)")
    one = there.score(Pairs.of(english, None, french)).segments
    two = back.score(Pairs.of(french, None, english)).segments
    print("| direction | Pearson |\n|---|---|")
    for name, value in {"fr → en": one, "en → fr": two, "mean of both": (one + two) / 2}.items():
        print(f"| {name}, {len(both)} pairs | {pearson(value, human):.3f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["static", "lm", "bartscore"])
    parser.add_argument("--rows", type=int)
    options = parser.parse_args()
    if options.what == "static":
        static(options.rows)
    elif options.what == "lm":
        language_model(options.rows or 200)
    else:
        bartscore(options.rows or 300)


if __name__ == "__main__":
    main()
