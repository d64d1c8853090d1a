"""`farthing learn pairs`: make pairs of texts that mean more or less the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli.common import Overwrite, Quiet
from farthing.app.cli.learn.options import say
from farthing.app.cli.typed import Argument, Option
from farthing.core.progress import phase


def pairs(
    recipe: Annotated[Path | None, Argument(help="A TOML recipe; without one, use --mix and --corpus.")] = None,
    output: Annotated[
        Path, Option("-o", "--output", help="The Parquet file to write, or a folder (run/) that resumes.")
    ] = Path("pairs.parquet"),
    corpus: Annotated[str | None, Option("--corpus", help="The file that the sources of --mix read.")] = None,
    column: Annotated[
        str | None, Option("--column", help="Column of the text: its name, or its number if there is no header.")
    ] = None,
    mix: Annotated[str | None, Option("--mix", help="Sources with weights: perturbation=2,denoising=1")] = None,
    options: Annotated[
        list[str] | None, Option("--set", help="An option of a source: denoising.model=FOLDER; may be given again.")
    ] = None,
    size: Annotated[int | None, Option("--size", help="How many pairs.", min=1)] = None,
    seed: Annotated[int | None, Option("--seed", help="Seed of everything that is drawn.")] = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Make training pairs from a corpus and write them with their provenance.

    Examples:
      farthing learn pairs recipe.toml -o pairs.parquet
      farthing learn pairs recipe.toml -o run/
      farthing learn pairs --corpus corpus.txt --mix perturbation --size 20000 -o pairs.parquet
    """
    from farthing.files.rows import is_folder
    from farthing.files.write import check_not_input
    from farthing.learn.data.store import write_pairs
    from farthing.learn.pairs.kept import keep_pairs
    from farthing.learn.pairs.mix import draw
    from farthing.learn.pairs.recipe import given_recipe

    check_not_input(output, [str(one) for one in (recipe, corpus) if one])
    chosen = given_recipe(recipe, mix, corpus, column, options or [], size, seed)
    with phase("pairs", chosen.size) as progress:
        if is_folder(output):
            count, remarks = keep_pairs(chosen, output, progress, overwrite=overwrite)
        else:
            table, remarks = draw(chosen, progress)
            write_pairs(output, table)
            count = len(table)
    for remark in remarks:
        say(f"note: {remark}")
    say(f"{count} pairs in {output}")
