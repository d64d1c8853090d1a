"""The same run by Ray: the same bytes, whoever is killed, with as many actors as cores."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import MissingInput, UsageError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.inputs import Given, Inputs
from farthing.scale.cluster import RayEngine, in_actors, running, started_actors
from farthing.scale.scorer import Scorer
from farthing.scale.worker import Job
from farthing.scoring.engine import LocalEngine, Ready
from farthing.scoring.score import choose, score

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of Ray's own code
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "green", "far"]
CORES = len(os.sched_getaffinity(0))


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """One Ray for all tests of this file, since it takes seconds to start."""
    with running(CORES):
        yield


def texts(count: int, seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, random.integers(2, 7))) for _ in range(count)]


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_has_the_bytes_of_a_local_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From files, which the actors read for themselves, and from memory, whose texts are sent."""
    monkeypatch.chdir(tmp_path)
    for name, seed in (("a.txt", 0), ("ref.txt", 1)):
        Path(name).write_text("\n".join(texts(3000, seed)) + "\n")
    score(choose("chrf"), Inputs(["a.txt"], ["ref.txt"]), run=Path("local"))
    score(choose("chrf"), Inputs(["a.txt"], ["ref.txt"]), run=Path("ray"), engine=RayEngine(CORES))
    assert content(tmp_path / "ray") == content(tmp_path / "local")
    memory = Given([Pairs.of(texts(3000, 0), texts(3000, 1), system="a.txt")])
    score(choose("chrf"), memory, run=tmp_path / "sent", engine=RayEngine(CORES))
    assert content(tmp_path / "sent") == content(tmp_path / "local")


def test_actors_that_are_killed_twice_lose_nothing() -> None:
    stretches = list(Given([Pairs.of(texts(400, 0), texts(400, 1))]).stretches(10))
    metrics = [Ready("chrf", load_pairs_metric("chrf"))]
    expected = [found[0][0].segments.tolist() for found in LocalEngine().map(metrics, stretches)]
    actors = started_actors(Job(metrics), 2)
    found = []
    for number, one in enumerate(in_actors(actors, stretches)):
        found.append(one[0][0].segments.tolist())
        if number in (5, 15):
            os.kill(ray.get(actors[0].process.remote()), signal.SIGKILL)
    assert found == expected


def test_a_mistake_is_a_sentence() -> None:
    with pytest.raises(MissingInput, match="chrf needs a reference"):
        list(RayEngine(1).map([Ready("chrf", load_pairs_metric("chrf"))], [[Pairs(["a"], [[]])]]))


def test_a_cluster_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray itself tries for minutes."""

    def init(**options: object) -> None:
        assert options["address"] == "127.0.0.1:1"
        raise ConnectionError("could not find any running Ray instance")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", init)
    with pytest.raises(UsageError, match="Ray cannot be started or reached: could not find"), running(1, "127.0.0.1:1"):
        pass


def test_the_recipe_for_ray_data() -> None:
    candidates, references = texts(200, 0), texts(200, 1)
    rows = [{"mt": mt, "ref": ref, "n": n} for n, (mt, ref) in enumerate(zip(candidates, references, strict=True))]
    data = ray.data.from_items(rows).map_batches(
        Scorer, fn_constructor_args=("chrf",), batch_size=50, concurrency=1, num_cpus=0.5
    )
    found = {row["n"]: row["chrf"] for row in data.take_all()}
    expected = load_pairs_metric("chrf").score(candidates, references).segments
    assert [found[number] for number in range(200)] == expected.tolist()
