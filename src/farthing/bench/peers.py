"""Other programs as rows of the bench: any command that reads texts from files, such as bert-score or comet-score.

    --command bert-score="bert-score -r {references} -c {candidates} -s -m roberta-large"

A program loads its model and scores in one go. To tell the two apart, it is run on the first segment alone, too: that
is its time to load, and what more segments add is its time to score.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from farthing.bench.cost import Spent
from farthing.bench.process import last_line, run_command
from farthing.core.errors import MissingInput, UsageError
from farthing.core.types import Pairs

PLACES = ("candidates", "references", "sources", "scores")
_PLACE = re.compile(r"\{(\w*)\}")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Peer:
    """A program with its arguments, in which {candidates}, {references}, {sources} and {scores} stand for files."""

    name: str
    arguments: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Peer:
        """Read `name=command`.

        >>> Peer.of("mine=score.py -c {candidates}").arguments
        ('score.py', '-c', '{candidates}')
        """
        name, equals, command = text.partition("=")
        try:
            arguments = tuple(shlex.split(command))
        except ValueError as error:
            raise UsageError(f"--command {text}: {error}") from None
        if not equals or not name.strip() or not arguments:
            raise UsageError(f'--command {text} is not of the form name="program {{candidates}} {{references}}"')
        peer = cls(name.strip(), arguments)
        peer._check()
        return peer

    def _check(self) -> None:
        unknown = sorted(self.places - set(PLACES))
        if unknown:
            listed = ", ".join(f"{{{name}}}" for name in PLACES)
            raise UsageError(f"--command {self.name}: {{{unknown[0]}}} stands for nothing (there are: {listed})")
        if "candidates" not in self.places:
            raise UsageError(f"--command {self.name}: nothing says where the texts go: write {{candidates}}")

    def check_program(self) -> None:
        """Refuse a program that is not there, before anything is measured."""
        if shutil.which(self.arguments[0]) is None:
            raise UsageError(f"--command {self.name}: there is no program {self.arguments[0]}")

    @property
    def places(self) -> set[str]:
        """The names in braces that the command has."""
        return {name for argument in self.arguments for name in _PLACE.findall(argument)}

    def filled(self, folder: Path) -> list[str]:
        """Return the command for the files of a folder."""
        return [_PLACE.sub(lambda place: str(folder / f"{place[1]}.txt"), argument) for argument in self.arguments]


@dataclass(frozen=True, slots=True)
class PeerRun:
    """What a program took, and the scores that it printed or wrote: None if these cannot be told.

    :param load: on the first segment alone
    :param whole: on all segments
    :param seconds: per segment, without what loading takes
    """

    load: Spent
    whole: Spent
    seconds: float
    scores: tuple[float, ...] | None


def run_peer(peer: Peer, pairs: Pairs, scratch: Path) -> PeerRun:
    """Run a program on the first segment, then on all of them."""
    load, _ = _run(peer, pairs.part(0, 1), scratch / "first")
    whole, scores = _run(peer, pairs, scratch / "whole")
    return PeerRun(load, whole, scoring_seconds(load.seconds, whole.seconds, len(pairs)), scores)


def scoring_seconds(first: float, whole: float, count: int) -> float:
    """Return the seconds per segment without loading; if the runs differ by chance alone, those with loading.

    >>> scoring_seconds(3.0, 5.0, 101)
    0.02
    """
    return (whole - first) / (count - 1) if count > 1 and whole > first else whole / count


def _run(peer: Peer, pairs: Pairs, folder: Path) -> tuple[Spent, tuple[float, ...] | None]:
    folder.mkdir(parents=True, exist_ok=True)
    _write_lines(peer, pairs, folder)
    done = run_command(peer.filled(folder))
    if done.code:
        reason = last_line(done.errors) or last_line(done.output) or "it says nothing"
        raise UsageError(f"the command {peer.name} failed with exit code {done.code}: {reason}")
    written = folder / "scores.txt"
    text = written.read_text(encoding="utf-8") if written.exists() else done.output
    return done.cost, printed_scores(text, len(pairs))


def _write_lines(peer: Peer, pairs: Pairs, folder: Path) -> None:
    """Write the texts that a command asks for, one per line; of several references the first."""
    if "references" in peer.places and not all(pairs.references):
        raise MissingInput(f"the command {peer.name} asks for references, and a row has none")
    if "sources" in peer.places and pairs.sources is None:
        raise MissingInput(f"the command {peer.name} asks for sources, and the data have none")
    references = [row[0] for row in pairs.references] if "references" in peer.places else []
    columns = {"candidates": pairs.candidates, "references": references, "sources": pairs.sources or []}
    for name, texts in columns.items():
        lines = [" ".join(text.splitlines()) for text in texts]
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def printed_scores(text: str, count: int) -> tuple[float, ...] | None:
    """Find one score per segment in what a program printed: the last numbers of so many lines of the same form.

    >>> printed_scores("Segment 0 score: 0.5\\nSegment 1 score: -1\\nscore: 0.1\\n", 2)
    (0.5, -1.0)
    """
    forms: dict[str, list[str]] = defaultdict(list)
    for line in text.splitlines():
        if numbers := _NUMBER.findall(line):
            forms[_NUMBER.sub("#", line).strip()].append(numbers[-1])
    return _only([numbers for form, numbers in forms.items() if form.endswith("#") and len(numbers) == count])


def _only(found: Sequence[Sequence[str]]) -> tuple[float, ...] | None:
    return tuple(map(float, found[0])) if len(found) == 1 else None
