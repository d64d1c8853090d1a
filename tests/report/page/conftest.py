"""A small run with everything that a report shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.files.run import Run, read_run
from farthing.scoring.score import choose, score

REFERENCES = [["The cat sat.", "A cat was sitting."], ["Dogs run fast."], ["It rains.", "Rain falls."], ["No."]]
OUTPUTS = {
    "one": ["The dog sat.", "A dog runs.", "It RAINS today.", "No."],
    "two": ["The cat sat.", "", "Rain </script> falls.", "Yes."],
    "three": ["The cat.", "Dogs run fast.", "It rains.", "No."],
}
IDS = ["a", "b", "c", "d"]


def pairs_of(name: str) -> Pairs:
    return Pairs(OUTPUTS[name], REFERENCES, ids=IDS, system=name)


@pytest.fixture(scope="session")
def make_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    """Score some of the systems: `make_run("name", "bleu,chrf", ["one", "two"], test="bootstrap")`."""

    def made(folder: str, specs: str, systems: list[str], **options: object) -> Run:
        path: Path = tmp_path_factory.mktemp("runs") / folder
        score(choose(specs), Given([pairs_of(name) for name in systems]), run=path, **options)  # type: ignore[arg-type]
        return read_run(path)

    return made


@pytest.fixture(scope="session")
def tested_run(make_run: Callable[..., Run]) -> Run:
    """Three systems, three metrics, tests, marks and alignments."""
    specs = "frugalscore(size=nano),chrf,ter"
    return make_run("tested", specs, ["one", "two", "three"], test="bootstrap", explain=True, align=2)
