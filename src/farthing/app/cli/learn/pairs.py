"""`farthing learn pairs`: texts that say more or less the same, two by two."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet
from farthing.app.cli.learn.common import say
from farthing.report.progress import bars


def pairs(
    recipe: Annotated[Path | None, typed.Argument(help="A TOML recipe; without one, say it with the options.")] = None,
    output: Annotated[Path, typed.Option("-o", "--output", help="The Parquet file to write.")] = Path("pairs.parquet"),
    corpus: Annotated[str | None, typed.Option("--corpus", help="Text for the sources of --mix.")] = None,
    column: Annotated[
        str | None, typed.Option("--column", help="The column with the text (a number: no header).")
    ] = None,
    mix: Annotated[str | None, typed.Option("--mix", help="Sources with weights: perturbation=2,denoising=1")] = None,
    options: Annotated[
        list[str] | None, typed.Option("--set", help="An option of a source: denoising.model=FOLDER (again and again).")
    ] = None,
    size: Annotated[int | None, typed.Option("--size", help="How many pairs.", min=1)] = None,
    seed: Annotated[int | None, typed.Option("--seed", help="Seed of everything that is drawn.")] = None,
    quiet: Quiet = False,
) -> None:
    """Make training pairs from a corpus and write them with their provenance.

    Examples:
      farthing learn pairs recipe.toml -o pairs.parquet
      farthing learn pairs --corpus corpus.txt --mix perturbation --size 20000 -o pairs.parquet
    """
    from farthing.learn.data.store import write_pairs
    from farthing.learn.pairs.mix import draw
    from farthing.learn.pairs.recipe import given_recipe

    chosen = given_recipe(recipe, mix, corpus, column, options or [], size, seed)
    with bars(quiet)("pairs", chosen.size) as progress:
        table, remarks = draw(chosen, lambda source, done, wanted: progress(1))
    write_pairs(output, table)
    for remark in remarks:
        say(f"note: {remark}")
    say(f"{len(table)} pairs in {output}")
