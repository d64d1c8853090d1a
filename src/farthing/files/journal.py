"""A folder that grows shard by shard, so that an interrupted run can be resumed.

    manifest.json           what identifies the run (`about`), and the list of complete shards
    shards/000000.parquet   rows, in the order of the input

A shard is written to a temporary file, flushed to disk and renamed; only then is it added to the manifest. Every shard
in the manifest is therefore complete, and any other shard is written again. Nothing in the folder depends on the time
or on the machine: a run that was interrupted and resumed has the same bytes as one that was never interrupted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.digest import digest_files
from farthing.core.errors import InputError, OutputError
from farthing.files.write import replacing, write_text

if TYPE_CHECKING:
    import pyarrow

MANIFEST = "manifest.json"
SHARDS = "shards"
RESULTS = "results.json"  # what was computed from all rows, written when the run is complete
FINISHED = "finished.parquet"  # segments of metrics that change them once all rows are known
ALIGNED = "alignments.parquet"  # which tokens match, of the segments that differ most
FORMAT = 1  # the version of this layout; a reader refuses any other


class Journal:
    """Shards and their manifest.

    :param about: everything that must be equal for a run to be resumed, as values that JSON can hold
    """

    def __init__(self, folder: Path, about: Mapping[str, object], shards: list[dict[str, object]], complete: bool):
        self.folder, self.about, self.complete = folder, about, complete
        self._shards = shards

    @classmethod
    def open(cls, folder: Path, about: Mapping[str, object], *, overwrite: bool = False) -> Journal:
        """Start a run in a folder, or resume the interrupted run with the same `about` in it."""
        _remove_leftovers(folder)
        known = cls.read(folder) if (folder / MANIFEST).is_file() and not overwrite else None
        if known is None:
            _check_free(folder, overwrite)
            new = cls(folder, _plain(about), [], complete=False)
            new._make()
            return new
        if different := _differences(known.about, _plain(about)):
            raise OutputError(
                f"{folder}: holds another run ({', '.join(different)} differ); name another folder or pass --overwrite"
            )
        return known

    @classmethod
    def read(cls, folder: Path) -> Journal:
        """Read the manifest of a folder."""
        path = folder / MANIFEST
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            if manifest["format"] != FORMAT:
                raise InputError(f"has format {manifest['format']} of a run, expected {FORMAT}", path=str(path))
            return cls(folder, manifest["about"], list(manifest["shards"]), bool(manifest["complete"]))
        except FileNotFoundError:
            raise InputError(f"is not a run: it has no {MANIFEST}", path=str(folder)) from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"cannot be read as the manifest of a run: {error}", path=str(path)) from error

    def __len__(self) -> int:
        """Return the number of complete shards."""
        return len(self._shards)

    def shard(self, number: int) -> pyarrow.Table:
        """Read the rows of a complete shard; raise an error if the file was changed after it was written."""
        import pyarrow
        import pyarrow.parquet

        path = self.folder / str(self._shards[number]["file"])
        try:
            if digest_files([path]) != self._shards[number]["digest"]:
                raise InputError(
                    "was changed after it was written", path=str(path), remedy="score again into another folder"
                )
            with pyarrow.parquet.ParquetFile(path) as file:  # read_table would import pandas if it is installed
                return file.read()
        except (OSError, pyarrow.ArrowException) as error:
            raise InputError(f"cannot be read: {str(error).splitlines()[0]}", path=str(path)) from error

    def add(self, rows: pyarrow.Table) -> None:
        """Write the next shard."""
        import pyarrow.parquet

        path = self.folder / SHARDS / f"{len(self):06}.parquet"
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as stream:
            pyarrow.parquet.write_table(rows, stream, compression="zstd")
        name = path.relative_to(self.folder).as_posix()
        self._shards.append({"file": name, "rows": rows.num_rows, "digest": digest_files([path])})
        self._write()

    def finish(self) -> None:
        """Mark the run as complete."""
        self.complete = True
        self._write()

    def _make(self) -> None:
        """Write the manifest before anything else, so that the folder is a run from its first moment on."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be created: {error.strerror}") from error
        self._write()
        (self.folder / SHARDS).mkdir(exist_ok=True)

    def _write(self) -> None:
        content = {"format": FORMAT, "about": self.about, "complete": self.complete, "shards": self._shards}
        write_text(self.folder / MANIFEST, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _plain(about: Mapping[str, object]) -> dict[str, object]:
    """Return the values as JSON gives them back, so that they can be compared."""
    values: dict[str, object] = json.loads(json.dumps(dict(about)))
    return values


def _differences(known: Mapping[str, object], asked: Mapping[str, object]) -> list[str]:
    return [f"its {name}" for name in sorted({*known, *asked}) if known.get(name) != asked.get(name)]


def _check_free(folder: Path, overwrite: bool) -> None:
    """Raise an error if the folder holds anything but an earlier run; remove that run if it is to be overwritten."""
    if not folder.exists():
        return
    is_run = folder.is_dir() and (folder / MANIFEST).is_file()
    if not is_run and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder}: already exists and is not a run; name another folder")
    if is_run and overwrite:
        written = (folder / name for name in (RESULTS, FINISHED, ALIGNED, MANIFEST))
        for path in [*(folder / SHARDS).glob("*.parquet"), *written]:
            path.unlink(missing_ok=True)


def _remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of a process that was killed while it wrote; see :func:`files.write.replacing`."""
    names = [f".{name}.*" for name in (MANIFEST, RESULTS, FINISHED, ALIGNED)]
    for path in [*(found for name in names for found in folder.glob(name)), *(folder / SHARDS).glob(".*.parquet.*")]:
        path.unlink(missing_ok=True)
