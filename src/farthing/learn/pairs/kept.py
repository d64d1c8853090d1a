"""Training pairs in the folder of a run: drawn shard by shard, so that an interrupted command resumes.

Pairs are drawn in a fixed order, so those of complete shards are drawn again and not written; texts that a model has
generated are kept until the run is complete, so that no model is asked twice.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from farthing.core.errors import InputError
from farthing.core.progress import Progress, silent
from farthing.files.journal import Journal
from farthing.files.rows import close_rows, drop_parts, keep_shards, open_rows, resumable, shard_batches
from farthing.files.run_folder import PARTS
from farthing.learn.data.store import PAIRS, arrow_pairs, table_of
from farthing.learn.pairs.mix import drawn_pairs
from farthing.learn.pairs.recipe import Recipe
from farthing.scoring.identity import content, versions


def keep_pairs(
    recipe: Recipe, folder: Path, progress: Progress = silent, *, overwrite: bool = False
) -> tuple[int, list[str]]:
    """Draw the pairs of a recipe into a folder; return their number, and what is to be said about them."""
    about = {**versions(), "recipe": recipe.to_json(), "input": {name: content(name) for name in recipe.files()}}
    journal = open_rows(folder, PAIRS, about, overwrite=overwrite)
    if not journal.complete:
        with resumable(folder):
            _draw(recipe, journal, progress)
    drop_parts(journal)
    results = journal.results()
    return int(cast(int, results["pairs"])), list(cast("list[str]", results["remarks"]))


def _draw(recipe: Recipe, journal: Journal, progress: Progress) -> None:
    parts, remarks, count = journal.folder / PARTS, list[str](), 0
    parts.mkdir(exist_ok=True)

    def counted(done: int) -> None:
        nonlocal count
        count += done
        progress(done)

    notes = {"recipe": recipe.to_json()}
    pairs = drawn_pairs(recipe, remarks, counted, parts / "generated.sqlite")
    keep_shards(journal, (arrow_pairs(table_of(batch, recipe.seed, notes)) for batch in shard_batches(pairs)))
    if not count:
        raise InputError("no pair came out of this recipe", remedy="check the corpora and the filter")
    close_rows(journal, {"pairs": count, "remarks": remarks})
