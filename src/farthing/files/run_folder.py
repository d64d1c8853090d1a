"""What the folder of a run holds, by name, and whether a folder may become that of a run."""

from __future__ import annotations

import shutil
from pathlib import Path

from farthing.core.errors import OutputError

MANIFEST = "manifest.json"
PREPARED = "prepared.json"
SHARDS = "shards"
RESULTS = "results.json"  # what was computed from all rows, written when the run is complete
FINISHED = "finished.parquet"  # segments of metrics that change them once all rows are known
ALIGNED = "alignments.parquet"  # which tokens match, of the segments that differ most
REJECTS = "rejects.jsonl"  # rows that were skipped, with their reasons
BILL = "bill.json"  # what a judge was paid, which depends on how often the run was interrupted
PARTS = "parts"  # what a command keeps before its rows are known, such as the runs of single metrics
_FILES = (RESULTS, FINISHED, ALIGNED, REJECTS, PREPARED, BILL, MANIFEST)


def check_free(folder: Path, overwrite: bool) -> None:
    """Raise an error if the folder holds anything but an earlier run; remove that run if it is to be overwritten."""
    if not folder.exists():
        return
    is_run = folder.is_dir() and (folder / MANIFEST).is_file()
    if not is_run and (not folder.is_dir() or not _is_unborn(folder)):
        raise OutputError(f"{folder}: already exists and is not a run; name another folder")
    if is_run and overwrite:
        shutil.rmtree(folder / PARTS, ignore_errors=True)
        for path in [*(folder / SHARDS).glob("*.parquet"), *(folder / name for name in _FILES)]:
            path.unlink(missing_ok=True)


def _is_unborn(folder: Path) -> bool:
    """Tell whether a folder is empty but for what a process left that was killed before it wrote the manifest."""
    return all(path.name.startswith(f".{MANIFEST}.") or path == folder / SHARDS for path in folder.iterdir())


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of a process that was killed while it wrote; see :func:`files.write.replacing`."""
    found = [path for name in _FILES for path in folder.glob(f".{name}.*")]
    for path in [*found, *(folder / SHARDS).glob(".*.parquet.*")]:
        path.unlink(missing_ok=True)
