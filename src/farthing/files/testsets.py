"""Public test sets by name, from sacrebleu's collection: from its cache, or downloaded if the network is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from farthing.core.errors import InputError, UnknownName, UsageError
from farthing.core.network import is_online


@dataclass(frozen=True, slots=True)
class PublicSet:
    """The files of a test set in one language pair, and what a signature says about it."""

    references: list[str]
    source: str
    fields: Mapping[str, str]


class _NotCached(Exception):
    """A file would have to be downloaded."""


def resolved(name: str | None, pair: str | None, files: bool = False) -> PublicSet:
    """Find the references and the sources of a test set.

    :param files: references or sources are given, too, which is a mistake
    """
    from sacrebleu.dataset import DATASETS

    if files:
        raise UsageError("-t names a test set with its own references and sources: omit -r and -s, or omit -t")
    if name is None:
        raise UsageError("-l names the language pair of a test set: name the set, too, such as -t wmt20")
    if name not in DATASETS:
        raise UnknownName("test set", name, DATASETS)
    pairs = DATASETS[name].langpairs
    if pair is None:
        raise UsageError(f"-t {name} needs a language pair, such as -l {next(iter(pairs))}")
    if pair not in pairs:
        raise UnknownName(f"language pair of {name}", pair, pairs)
    source, *references = _found(name, pair)
    return PublicSet(references, source, {"test": name, "lang": pair})


def _found(name: str, pair: str) -> list[str]:
    """Return the files of sources and references, as sacrebleu cuts them out of what it has downloaded."""
    from sacrebleu.dataset import DATASETS

    dataset = DATASETS[name]
    try:
        with _only_cached(name):
            return [dataset.get_source_file(pair), *dataset.get_reference_files(pair)]
    except _NotCached:
        raise InputError(
            f"the test set {name} ({pair}) is not on this machine",
            remedy="allow sacrebleu to download it with --online or FARTHING_ONLINE=1",
        ) from None
    except (Exception, SystemExit) as error:  # sacrebleu raises whatever its parsers and the network raise, or leaves
        reason = str(error).strip().splitlines()
        raise InputError(
            f"the test set {name} ({pair}) cannot be read: {reason[0] if reason else type(error).__name__}",
            remedy=f"remove {_folder(name)} and try again",
        ) from error


def _folder(name: str) -> Path:
    from sacrebleu.utils import SACREBLEU_DIR

    return Path(SACREBLEU_DIR) / name


@contextmanager
def _only_cached(name: str) -> Iterator[None]:
    """Keep sacrebleu from downloading anything, unless the user allows it."""
    from sacrebleu.dataset import base

    fetch = base.download_file

    def cached(url: str, place: str, *rest: object, **options: object) -> object:
        if not Path(place).is_file() or not Path(place).stat().st_size:
            raise _NotCached(url)
        return fetch(url, place, *rest, **options)

    if is_online():
        yield
        return
    if not _folder(name).is_dir():
        raise _NotCached(name)
    base.download_file = cached
    try:
        yield
    finally:
        base.download_file = fetch
