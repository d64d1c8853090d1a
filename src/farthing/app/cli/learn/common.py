"""Options that the steps of learning share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from farthing.app.cli import typed

Target = Annotated[Path, typed.Option("-o", "--output", help="The folder to write.")]
Epochs = Annotated[float, typed.Option("--epochs", help="Passes over the pairs.")]
Batch = Annotated[int, typed.Option("--batch", help="Pairs a step.", min=1)]
Rate = Annotated[float, typed.Option("--rate", help="Highest learning rate.")]
Limit = Annotated[int, typed.Option("--limit", help="Most tokens of a pair.", min=8)]
Standardise = Annotated[
    bool, typed.Option("--standardise", help="Learn standardised scores; the scale goes back into the head. Faster.")
]
Checks = Annotated[int, typed.Option("--checks", help="Checks (and checkpoints) a run.", min=1)]
Patience = Annotated[int | None, typed.Option("--patience", help="Stop after so many checks without a gain.", min=1)]
Seed = Annotated[int, typed.Option("--seed", help="Seed of everything that is drawn.")]
Threads = Annotated[int | None, typed.Option("--threads", help="Cores to use.", min=1)]
Overwrite = Annotated[bool, typed.Option("--overwrite", help="Replace what is there.")]
Layers = Annotated[int | None, typed.Option("--layers", help="Keep only the first layers of the student.", min=1)]
StudentStart = Annotated[
    str, typed.Option("--student", help="An encoder's folder or name, or a size: tiny, mini, small, medium.")
]
TokenizerOption = Annotated[
    str | None, typed.Option("--tokenizer", help="For a size: the folder whose tokenizer it takes.")
]


def say(text: str) -> None:
    """A line for the person at the terminal; results go elsewhere."""
    sys.stderr.write(text + "\n")
