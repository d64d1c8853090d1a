"""`farthing learn distil`: a student learns the teacher's scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import common


def distil(
    pairs: Annotated[Path, typed.Argument(help="What farthing learn annotate wrote.")],
    student: common.StudentStart = "tiny",
    output: common.Target = Path("student"),
    layers: common.Layers = None,
    tokenizer: common.TokenizerOption = None,
    epochs: common.Epochs = 3,
    batch: common.Batch = 32,
    rate: common.Rate = 3e-5,
    warmup: Annotated[float, typed.Option("--warmup", help="Share of the steps in which the rate rises.")] = 0.06,
    limit: common.Limit = 256,
    standardise: common.Standardise = False,
    held_out: Annotated[float, typed.Option("--held-out", help="Share of the pairs to check on.")] = 0.05,
    checks: common.Checks = 10,
    patience: common.Patience = None,
    seed: common.Seed = 1,
    threads: common.Threads = None,
    mode: Annotated[
        Literal["scores", "tokens"], typed.Option("--mode", help="tokens: learn the token vectors of --teacher first.")
    ] = "scores",
    teacher: Annotated[
        str, typed.Option("--teacher", help="For --mode tokens: a student of the kind match or static.")
    ] = "small",
    overwrite: common.Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Train a small cross-encoder on annotated pairs. A run that was stopped goes on from its last checkpoint.

    The defaults are the paper's. Several GPUs: accelerate launch -m farthing learn distil …
    Example: farthing learn distil scored.parquet --student /models/bert-tiny -o student

    --mode tokens makes a student that matches tokens instead: it learns the vectors of the teacher's tokens on the
    texts, then a head on the scores.
    """
    if mode == "tokens":
        _distil_tokens(pairs, output, student, layers, teacher, seed, overwrite, quiet)
        return
    from farthing.learn.cross.distil import distil as distilled
    from farthing.learn.cross.distil import is_resumed
    from farthing.learn.cross.settings import CrossSettings
    from farthing.learn.cross.start import Start

    settings = CrossSettings(
        epochs=epochs,
        batch=batch,
        rate=rate,
        warm_up=warmup,
        limit=limit,
        standardise=standardise,
        checks=checks,
        patience=patience,
        seed=seed,
        threads=threads,
    )
    if is_resumed(output):
        common.say(f"{output}: going on from the last checkpoint")
    found = distilled(
        pairs,
        output,
        Start(student, layers, tokenizer),
        settings,
        held=held_out,
        overwrite=overwrite,
        log=(lambda line: None) if quiet else common.say,
    )
    last = found.history.last
    if found.history.is_main:
        common.say(
            f"{output}: {found.facts['parameters']:,} parameters, held-out Pearson {last.get('pearson', 0):.4f}, "
            f"Spearman {last.get('spearman', 0):.4f} with the teacher"
        )


def _distil_tokens(
    pairs: Path, output: Path, student: str, layers: int | None, teacher: str, seed: int, overwrite: bool, quiet: bool
) -> None:
    from farthing.learn.train.processes import check_training_extra

    check_training_extra()
    from farthing.learn.match.distil import TokenDistillation, distil_by_tokens

    plan = TokenDistillation(teacher, student, layers, seed=seed)
    log = (lambda line: None) if quiet else common.say
    found = distil_by_tokens(pairs, output, plan, overwrite=overwrite, log=log)
    common.say(f"{output}: Pearson {found:.4f} with the scores it learned from")
