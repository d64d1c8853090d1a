"""Remapping: learned maps undo known ones, and the command does what it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from farthing.core.errors import InputError, UsageError
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.learn.remap import Moments, learn_remap, mutual_nearest, read_links, read_parallel, word_vectors

SOURCES = ["the cat sat on the mat", "a dog was watching the rain", "the bank's shares fell", "she studied birds"] * 3
TARGETS = ["the mat sat under the cat", "rain was watching the dog", "shares of the bank fell", "birds she studied"] * 3


def engine(tiny_model: Callable[..., Path]) -> Engine:
    return Engine(load_encoder(str(tiny_model("bert"))), threads=1)


def test_clp_is_procrustes_and_umd_the_first_singular_vector() -> None:
    generator = np.random.default_rng(0)
    x, z = generator.normal(size=(50, 6)), generator.normal(size=(50, 6))
    moments = Moments(6)
    moments.add(x[:20], z[:20], [(i, i) for i in range(20)])
    moments.add(x[20:], z[20:], [(i, i) for i in range(30)])
    assert np.allclose(moments.solved("clp", "", 0).table, orthogonal_procrustes(x, z)[0])
    _, _, vt = np.linalg.svd(x - z, full_matrices=False)
    bias = moments.solved("umd", "", 0).table
    assert abs(bias @ vt[0]) == pytest.approx(1)
    assert np.allclose(moments.solved("umd", "", 0)(x) @ bias, 0)


def test_word_vectors_are_means_of_tokens(tiny_model: Callable[..., Path]) -> None:
    found = engine(tiny_model)
    text = "the bank's migration"
    [vectors] = word_vectors(found, [text], 3)
    [encoded] = [encoded for _, encoded in found.encode([text], [3])]
    lengths = [len(ids) for ids in found.encoder.tokenizer.contents(text.split())]
    assert sum(lengths) == encoded.content.stop - encoded.content.start
    rows = np.split(encoded.states[3][encoded.content], np.cumsum(lengths)[:-1])
    assert np.allclose(vectors, [row.mean(axis=0) for row in rows], atol=1e-5)


def test_links_are_given_or_found(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    found = engine(tiny_model)
    links = [
        mutual_nearest(*sides) for sides in zip(*(word_vectors(found, t, 3) for t in (SOURCES, TARGETS)), strict=True)
    ]
    given, count = learn_remap(found, SOURCES, TARGETS, layer=3, links=links)
    own, same = learn_remap(found, SOURCES, TARGETS, layer=3)
    assert count == same == sum(map(len, links))
    assert np.allclose(given.table, own.table)
    assert np.allclose(own.table @ own.table.T, np.eye(32))
    file = tmp_path / "links.txt"
    file.write_text("".join(" ".join(f"{i}-{j}" for i, j in row) + "\n" for row in links))
    assert list(read_links(str(file))) == links


def test_wrong_input_is_a_sentence(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    file = tmp_path / "links.txt"
    file.write_text("0-0\n0:1\n")
    with pytest.raises(InputError, match=r"links.txt:2: not a word alignment"):
        list(read_links(str(file)))
    found = engine(tiny_model)
    with pytest.raises(InputError, match="links word 9"):
        learn_remap(found, ["the cat"], ["the cat"], layer=3, links=[[(9, 0)]])
    with pytest.raises(UsageError, match="1 sources but 2 targets"):
        learn_remap(found, ["the cat"], ["the cat", ""], layer=3)
    with pytest.raises(UsageError, match="no pair of words"):
        learn_remap(found, ["", "the"], ["the", ""], layer=3)


def test_parallel_files(tmp_path: Path) -> None:
    for name, content in (("a", "x\ny\nz\n"), ("b", "1\n2\n3\n"), ("links", "0-0\n\n0-0\n")):
        (tmp_path / name).write_text(content)
    a, b, links = (str(tmp_path / name) for name in ("a", "b", "links"))
    found = read_parallel(a, b, links, 2)
    assert (found.sources, found.targets, found.links) == (["x", "y"], ["1", "2"], [[(0, 0)], []])
    assert read_parallel(a, b).links is None
    (tmp_path / "links").write_text("0-0\n")
    with pytest.raises(UsageError, match="3 sentences but 1 lines of alignment"):
        read_parallel(a, b, links)
