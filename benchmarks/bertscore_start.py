"""Time to the first score: `farthing score` on an ONNX encoder against the `bert-score` command, in turn.

    python benchmarks/bertscore_start.py MODEL [--layer 5] [--rounds 5]

MODEL is a Hugging Face folder; its ONNX export is made on the way. The bar: at most a tenth.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from farthing.encoders.export import export_onnx
from timing import command, interleaved, ratio


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--layer", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        export_onnx(Path(options.model), folder / "onnx", name="onnx", layers=[options.layer])
        for name, text in (("hyp", "the weather is cold today\n"), ("ref", "it is freezing today\n")):
            (folder / name).write_text(text)
        hyp, ref = str(folder / "hyp"), str(folder / "ref")
        spec = f"bertscore(model={folder / 'onnx'}, layer={options.layer})"
        theirs = ["bert-score", "-r", ref, "-c", hyp, "-m", options.model, "-l", str(options.layer)]
        seconds = interleaved(
            {
                "farthing": command(["farthing", "score", hyp, "-r", ref, "-m", spec]),
                "bert-score": command(theirs),
            },
            options.rounds,
        )
        ratio("first score", seconds["farthing"], seconds["bert-score"], "at most 0.10")


if __name__ == "__main__":
    main()
