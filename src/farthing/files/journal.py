"""A folder that grows shard by shard, so that an interrupted run can be resumed.

    manifest.json                        what identifies the run (`about`), and the list of shards once it is complete
    prepared.json                        what metrics learned of the whole corpus (only if they learned anything)
    shards/000000-1f0c….parquet          rows, in the order of the input

The name of a shard ends in the digest of its content, so that a shard tells by itself whether it is complete: several
processes may write shards in any order, and no list has to be kept while they do. A shard is written to a temporary
file, flushed to disk and renamed. What a crash or a failing disk leaves behind does not match its name; it is removed
and written again. Nothing in the folder depends on the time, on the machine or on the number of processes: a run that
was interrupted and resumed has the same bytes as one that was never interrupted.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.digest import digest, digest_files
from farthing.core.errors import InputError, OutputError
from farthing.files.folders import claim_folder, flush_folder, release_folder
from farthing.files.run_folder import MANIFEST, PREPARED, RESULTS, SHARDS, check_free, remove_leftovers
from farthing.files.write import replacing, write_text

if TYPE_CHECKING:
    import pyarrow

FORMAT = 1  # the version of this layout; a reader refuses any other
_NAME = re.compile(r"(\d{6,})-([0-9a-f]+)\.parquet")
_LOG = logging.getLogger("farthing")


@dataclass(frozen=True, slots=True, order=True)
class ShardFile:
    """One complete shard.

    :param number: its place in the input, from 0
    :param file: its file, relative to the folder of the run
    """

    number: int
    file: str
    rows: int
    digest: str

    @classmethod
    def told(cls, number: int, entry: Mapping[str, object]) -> ShardFile:
        """Read an entry of the manifest."""
        return cls(number, str(entry["file"]), int(str(entry["rows"])), str(entry["digest"]))

    def entry(self) -> dict[str, object]:
        """Return the entry of the manifest."""
        return {"file": self.file, "rows": self.rows, "digest": self.digest}


class Journal:
    """Shards and their manifest.

    :param about: everything that must be equal for a run to be resumed, as values that JSON can hold
    :param prepared: the digest of what metrics learned of the corpus; empty if they learned nothing, or nothing yet
    """

    def __init__(
        self, folder: Path, about: Mapping[str, object], shards: list[ShardFile], complete: bool, prepared: str = ""
    ) -> None:
        self.folder, self.about, self.complete, self.prepared = folder, about, complete, prepared
        self.expected: int | None = None  # how many shards there must be at the end, once that is known
        self._shards = {shard.number: shard for shard in sorted(shards)}

    @classmethod
    def open(cls, folder: Path, about: Mapping[str, object], *, overwrite: bool = False) -> Journal:
        """Start a run in a folder, or resume the interrupted run with the same `about` in it.

        Every shard is checked: one that is damaged is removed, to be written again.
        """
        if folder.is_dir():
            claim_folder(folder)
        known = cls.read(folder) if (folder / MANIFEST).is_file() and not overwrite else None
        if known is not None and (different := _differences(known.about, _plain(about))):
            raise OutputError(
                f"{folder}: holds another run ({', '.join(different)} differ); name another folder or pass --overwrite"
            )
        if known is None:
            check_free(folder, overwrite)
            known = cls(folder, _plain(about), [], complete=False)
            known._make()
        claim_folder(folder)
        remove_leftovers(folder)
        known._drop_damaged()
        return known

    @classmethod
    def read(cls, folder: Path) -> Journal:
        """Read the manifest of a folder; of a run that is not complete, find the shards that are."""
        path = folder / MANIFEST
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            if manifest["format"] != FORMAT:
                raise InputError(f"has format {manifest['format']} of a run, expected {FORMAT}", path=str(path))
            complete = bool(manifest["complete"])
            listed = [ShardFile.told(number, entry) for number, entry in enumerate(manifest["shards"])]
            shards = listed if complete else complete_shards(folder)
            return cls(folder, manifest["about"], shards, complete, str(manifest.get("prepared", "")))
        except FileNotFoundError:
            raise InputError(f"is not a run: it has no {MANIFEST}", path=str(folder)) from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(f"cannot be read as the manifest of a run: {error}", path=str(path)) from error

    def __len__(self) -> int:
        """Return the number of complete shards."""
        return len(self._shards)

    def __contains__(self, number: int) -> bool:
        """Tell whether the shard with this number is complete."""
        return number in self._shards

    def shard(self, place: int) -> pyarrow.Table:
        """Read the rows of one of the complete shards, by its place among them."""
        return self.numbered(list(self._shards)[place])

    def numbered(self, number: int) -> pyarrow.Table:
        """Read the rows of the shard with this number; raise an error if it was changed after it was written."""
        import pyarrow
        import pyarrow.parquet

        path = self.folder / self._shards[number].file
        try:
            if digest_files([path]) != self._shards[number].digest:
                raise InputError(
                    "was changed after it was written", path=str(path), remedy="the same command scores it again"
                )
            with pyarrow.parquet.ParquetFile(path) as file:  # read_table would import pandas if it is installed
                return file.read()
        except (OSError, pyarrow.ArrowException) as error:
            raise InputError(f"cannot be read: {str(error).splitlines()[0]}", path=str(path)) from error

    def add(self, rows: pyarrow.Table) -> None:
        """Write the next shard."""
        number = max(self._shards, default=-1) + 1
        self._shards[number] = write_shard(self.folder, number, rows)

    def prepare(self, states: Mapping[str, object]) -> None:
        """Write what metrics learned of the corpus; raise an error if an interrupted run began with something else."""
        content = json.dumps(dict(states), ensure_ascii=True, sort_keys=True)
        if self.prepared and self.prepared != digest(content):
            raise OutputError(
                f"{self.folder}: the run began with other counts of the corpus; name another folder or pass --overwrite"
            )
        write_text(self.folder / PREPARED, content)
        if not self.prepared:
            self.prepared = digest(content)
            self._write()

    def states(self) -> dict[str, object] | None:
        """Return what metrics learned of the corpus when the run began; None if that is not (or no longer) there."""
        try:
            content = (self.folder / PREPARED).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        found: dict[str, object] | None = json.loads(content) if digest(content) == self.prepared else None
        return found

    def results(self) -> dict[str, object]:
        """Return what was computed from all rows; nothing if the run is not complete."""
        path = self.folder / RESULTS
        try:
            found: dict[str, object] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {error}", path=str(path), remedy="the same command writes it") from error
        return found

    def finish(self) -> None:
        """Mark the run as complete: list the shards in the manifest.

        What was written is read back first; a disk that has lost some of it without a word is found out now.
        """
        self._shards = {shard.number: shard for shard in complete_shards(self.folder)}
        whole = range(len(self._shards) if self.expected is None else self.expected)
        if list(self._shards) != list(whole):
            raise OutputError(
                f"{self.folder}: the disk has lost what was written to it; the same command writes it again"
            )
        flush_folder(self.folder / SHARDS)
        self.complete = True
        self._write()
        flush_folder(self.folder)
        release_folder(self.folder)

    def _make(self) -> None:
        """Write the manifest before anything else, so that the folder is a run from its first moment on."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be created: {error.strerror}") from error
        self._write()
        (self.folder / SHARDS).mkdir(exist_ok=True)

    def _write(self) -> None:
        shards = [shard.entry() for shard in self._shards.values()] if self.complete else []
        content = {
            "format": FORMAT,
            "about": self.about,
            "complete": self.complete,
            **({"prepared": self.prepared} if self.prepared else {}),
            "shards": shards,
        }
        write_text(self.folder / MANIFEST, json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def _drop_damaged(self) -> None:
        """Forget and remove the shards whose content is not what was written."""
        whole = {shard.number: shard for shard in self._shards.values() if _is_whole(self.folder, shard)}
        kept = {self.folder / shard.file for shard in whole.values()}
        for path in sorted((self.folder / SHARDS).glob("*.parquet")):
            if path not in kept:
                _LOG.warning("%s is damaged and is scored again", path)
                path.unlink(missing_ok=True)
        if len(whole) < len(self._shards):
            self._shards, self.complete = whole, False
            self._write()


def write_shard(folder: Path, number: int, rows: pyarrow.Table) -> ShardFile:
    """Write one shard of a run, in this process or any other."""
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(rows, sink, compression="zstd")
    content = sink.getvalue().to_pybytes()
    known = digest(content)
    path = folder / SHARDS / f"{number:06}-{known}.parquet"
    path.parent.mkdir(exist_ok=True)
    with replacing(path) as stream:
        stream.write(content)
    return ShardFile(number, path.relative_to(folder).as_posix(), rows.num_rows, known)


def complete_shards(folder: Path) -> list[ShardFile]:
    """Return the shards of a folder whose content is what their names say."""
    import pyarrow.parquet

    shards: dict[int, ShardFile] = {}
    for path in sorted((folder / SHARDS).glob("*.parquet")):
        told = _NAME.fullmatch(path.name)
        if told is None or digest_files([path]) != told[2]:
            continue
        rows = pyarrow.parquet.read_metadata(path).num_rows
        shards.setdefault(int(told[1]), ShardFile(int(told[1]), f"{SHARDS}/{path.name}", rows, told[2]))
    return list(shards.values())


def _is_whole(folder: Path, shard: ShardFile) -> bool:
    path = folder / shard.file
    return path.is_file() and digest_files([path]) == shard.digest


def _plain(about: Mapping[str, object]) -> dict[str, object]:
    """Return the values as JSON gives them back, so that they can be compared."""
    values: dict[str, object] = json.loads(json.dumps(dict(about)))
    return values


def _differences(known: Mapping[str, object], asked: Mapping[str, object]) -> list[str]:
    return [f"its {name}" for name in sorted({*known, *asked}) if known.get(name) != asked.get(name)]
