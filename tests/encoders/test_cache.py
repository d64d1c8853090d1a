"""The cache: same answers, several processes, a bound on size, and damage that is never served."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import OutputError
from farthing.core.types import Pairs
from farthing.encoders.cache import DATABASE, Cache, open_cache, using_cache
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.metrics.bertscore.bertscore import BertScore

TEXTS = ["the cat sat", "rain", "the bank's warning on Tuesday", ""]


def states(value: float, size: int = 4) -> dict[int, np.ndarray]:
    return {2: np.full((size, 8), value, dtype=np.float32)}


def test_what_is_put_is_got(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(b"a", {1: np.eye(3, dtype=np.float32), 2: np.zeros((0, 5), dtype=np.float32)})
    found = cache.get(b"a", [1, 2])
    assert found is not None
    assert found[1].tolist() == np.eye(3).tolist()
    assert found[2].shape == (0, 5)
    assert cache.get(b"a", [1, 3]) is None
    assert cache.get(b"b", [1]) is None


def test_a_second_run_encodes_nothing_and_gives_the_same(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    model = str(tiny_model("bert"))
    plain = BertScore(model=model, layer=2).score(Pairs.of(TEXTS, TEXTS[::-1]))
    with using_cache(tmp_path):
        first = BertScore(model=model, layer=2).score(Pairs.of(TEXTS, TEXTS[::-1]))
        again = BertScore(model=model, layer=2)
    again.engine.encoder = Unused(again.engine.encoder)  # type: ignore[assignment]
    assert first.segments == pytest.approx(plain.segments, abs=0)
    assert again.score(Pairs.of(TEXTS, TEXTS[::-1])).segments == pytest.approx(plain.segments, abs=0)


class Unused:
    """An encoder that must not be run."""

    def __init__(self, encoder: object) -> None:
        self.encoder = encoder

    def __getattr__(self, name: str) -> object:
        assert name != "run", "the cache did not answer"
        return getattr(self.encoder, name)


def test_signatures_are_kept_apart(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    one, two = (Engine(load_encoder(tiny_model(family)), cache=cache) for family in ("bert", "albert"))
    assert cache.key(one.fields(), [1, 2]) != cache.key(two.fields(), [1, 2])
    windowed = Engine(one.encoder, long="window", cache=cache)
    assert cache.key(one.fields(), [1, 2]) != cache.key(windowed.fields(), [1, 2])


def test_damage_is_recomputed_and_never_served(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(b"a", states(1))
    cache.close()
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute("UPDATE entries SET data = zeroblob(128)")
    cache = Cache(tmp_path)
    assert cache.get(b"a", [2]) is None
    cache.put(b"a", states(1))
    assert cache.get(b"a", [2]) is not None


@pytest.mark.parametrize("damage", ["start", "middle", "cut"])
def test_a_damaged_file_starts_anew(tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path)
    for number in range(300):
        cache.put(f"{number}".encode(), states(number, 40))
    cache.close()
    path = tmp_path / DATABASE
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    else:
        begin = 0 if damage == "start" else 4096
        content[begin : begin + 20_000] = b"\xff" * 20_000
    path.write_bytes(content)
    cache = Cache(tmp_path)
    for number in range(300):
        found = cache.get(f"{number}".encode(), [2])
        assert found is None or (found[2] == number).all()
    cache.put(b"new", states(7))
    again = cache.get(b"new", [2])
    assert again is not None


def test_the_size_is_bounded_and_the_longest_unused_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=400_000)
    cache.put(b"old", states(1, 100))
    for number in range(1000):
        cache.put(f"{number}".encode(), states(2, 100))
        if number % 20 == 0:  # it is old, but never long unused
            assert cache.get(b"old", [2]) is not None
    cache.flush()
    assert cache.size() <= 400_000
    assert cache.get(b"0", [2]) is None
    assert cache.get(b"999", [2]) is not None
    cache.close()
    assert (tmp_path / DATABASE).stat().st_size < 3_000_000


WRITER = """
import sys, numpy as np
from pathlib import Path
from farthing.encoders.cache import Cache
cache = Cache(Path(sys.argv[1]))
for number in range(400):
    cache.put(f"{number}".encode(), {2: np.full((4, 8), number, dtype=np.float32)})
    found = cache.get(f"{(number * 7) % 400}".encode(), [2])
    assert found is None or (found[2] == (number * 7) % 400).all()
cache.close()
"""


def test_several_processes_at_once(tmp_path: Path) -> None:
    workers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)]) for _ in range(3)]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0, 0]
    cache = Cache(tmp_path)
    for number in range(400):
        found = cache.get(f"{number}".encode(), [2])
        assert found is not None
        assert (found[2] == number).all()


def test_a_file_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE new (x)")
    other.execute("BEGIN")
    other.execute("SELECT * FROM new").fetchall()  # it reads, so the kind of the journal cannot be changed now
    release = threading.Timer(0.3, other.execute, ["COMMIT"])
    release.start()
    cache = Cache(tmp_path)
    release.join()
    cache.put(b"a", states(2, 3))
    cache.close()
    other.close()
    assert [path.name for path in tmp_path.iterdir() if "damaged" in path.name] == []


def test_a_file_that_stays_locked_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farthing.encoders.cache._PATIENCE", 0.1)
    other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(OutputError, match="cannot be opened: database is locked"):
        Cache(tmp_path)
    assert (tmp_path / DATABASE).exists()  # it is another process's, not damaged


def test_a_locked_file_is_a_miss_and_stays(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(b"a", states(2, 3))
    cache.flush()
    cache._database.execute("PRAGMA busy_timeout=10")
    other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # an entry that is read is marked as used, which must wait
    assert cache.get(b"a", [2]) is None
    other.execute("COMMIT")
    assert cache.get(b"a", [2]) is not None


def test_no_cache_unless_asked_for(tmp_path: Path) -> None:
    assert open_cache(None) is None
    with using_cache(None):
        assert open_cache(None) is None
    with using_cache(tmp_path):
        assert open_cache(None) is not None


def test_the_command_gives_the_same_with_a_cache(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    from farthing.app.cli import main

    texts = str(tmp_path / "s.txt")
    Path(texts).write_text("\n".join(text for text in TEXTS if text))
    command = ["score", texts, "-r", texts, "-m", f"bertscore(model={tiny_model('bert')}, layer=2)"]
    plain = main._run(list(command))
    for _ in range(2):
        assert main._run([*command, "--cache", str(tmp_path / "cache")]) == plain
    assert (tmp_path / "cache" / DATABASE).exists()
