"""`farthing score` with metrics that judge a whole set: vectors, texts, several systems, mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import farthing

ALL = "markevaluate,fid,prd(runs=2),impar"
CORPUS = np.random.default_rng(0).standard_normal((300, 4))
GOOD = np.random.default_rng(1).standard_normal((250, 4))


@pytest.fixture
def vectors(tmp_path: Path) -> None:
    np.save(tmp_path / "corpus.npy", CORPUS)
    np.save(tmp_path / "good.npy", GOOD.astype(np.float32))
    np.save(tmp_path / "flat.npy", GOOD * 0.2)


def test_json_has_the_parts_by_their_names(run, vectors) -> None:
    done = run("score", "good.npy", "flat.npy", "-r", "corpus.npy", "-m", ALL, "--format", "json", "--ci")
    assert (done.returncode, done.stderr) == (0, "")
    results = json.loads(done.stdout)["results"]
    assert [(r["system"], r["metric"]) for r in results[:4]] == [
        ("good.npy", name) for name in ("markevaluate", "fid", "prd", "impar")
    ]
    assert {"petersen", "schnabel_quality", "schnabel_diversity", "capture"} <= set(results[0]["parts"])
    assert {"precision", "recall"} == set(results[2]["parts"]) == set(results[3]["parts"])
    for result in results:
        low, high = result["ci"]
        assert low <= result["corpus"] <= high
        assert result["segments"] is None
    assert results[0]["parts"]["schnabel_diversity"] > results[4]["parts"]["schnabel_diversity"]
    assert results[3]["corpus"] == farthing.score(GOOD.astype(np.float32), CORPUS, metric="impar").corpus


def test_table_shows_quality_and_diversity(run, vectors) -> None:
    done = run("score", "good.npy", "-r", "corpus.npy", "-m", "impar,fid", "--names", "mine")
    assert done.returncode == 0
    assert "impar ↑" in done.stdout
    assert "mine, impar: precision 0." in done.stdout


def test_plot(run, vectors, tmp_path: Path) -> None:
    done = run("score", "good.npy", "flat.npy", "-r", "corpus.npy", "-m", "markevaluate,impar", "--plot", "q.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "q.png").read_bytes().startswith(b"\x89PNG")


def test_texts_of_any_number_beside_a_pair_metric(
    run, write: Callable[..., str], dev_model: Callable[[str], Path]
) -> None:
    write("a.txt", "the cat sat", "a dog ran", "birds sing")
    write("r.txt", "cats sit", "dogs run", "a bird sings")
    write("long.txt", "cats sit", "dogs run", "a bird sings", "stocks fell")
    model = str(dev_model("potion-base-8m"))
    done = run("score", "a.txt", "-r", "r.txt", "-m", "chrf,impar(k=1)", "--encoder", model, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert [result["metric"] for result in json.loads(done.stdout)["results"]] == ["chrf", "impar"]
    done = run("score", "a.txt", "-r", "long.txt", "-m", "impar(k=1)", "--encoder", model)
    assert done.returncode == 0
    done = run("score", "a.txt", "-r", "long.txt", "-m", "chrf,impar(k=1)", "--encoder", model)
    assert done.returncode == 2
    assert "line counts differ" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.npy", "-r", "corpus.npy", "-m", "chrf,impar"], "good.npy holds vectors, but chrf compares texts"),
        (["good.npy", "-r", "corpus.npy", "-m", "impar", "-o", "x.csv"], "no score per segment"),
        (["good.npy", "-r", "corpus.npy", "-m", "fid", "--plot", "x.png"], "--plot shows quality against diversity"),
        (["good.npy", "-r", "corpus.npy", "-m", "impar", "--plot", "x.doc"], "unknown kind of picture"),
        (["good.npy", "-m", "impar"], "needs a corpus"),
        (["good.npy", "-r", "corpus.npy", "-m", "impar(k=400)"], "smaller k"),
        (["good.npy", "-r", "corpus.npy", "-m", "markevaluate(k=[])"], "k="),
        (["one.npy", "-r", "corpus.npy", "-m", "markevaluate"], "1 samples"),
        (["nan.npy", "-r", "corpus.npy", "-m", "fid"], "NaN or infinite number in row 1"),
        (["wide.npy", "-r", "corpus.npy", "-m", "prd"], "9 dimensions"),
        (["pickle.npy", "-r", "corpus.npy", "-m", "prd"], "pickle.npy"),
        (["none.npy", "-r", "corpus.npy", "-m", "prd"], "no such file"),
    ],
)
def test_mistakes_are_one_line(run, vectors, tmp_path: Path, arguments: list[str], message: str) -> None:
    np.save(tmp_path / "one.npy", CORPUS[:1])
    np.save(tmp_path / "nan.npy", CORPUS * np.nan)
    np.save(tmp_path / "wide.npy", np.ones((5, 9)))
    np.save(tmp_path / "pickle.npy", np.array([{}], dtype=object), allow_pickle=True)
    done = run("score", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_sets_are_compared_by_bootstrap(run, vectors) -> None:
    done = run("compare", "good.npy", "flat.npy", "-r", "corpus.npy", "-m", ALL, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["test"]["name"] == "bootstrap"
    good, flat = document["results"][:4], document["results"][4:]
    for first, second in zip(good, flat, strict=True):
        assert second["difference"] == pytest.approx(second["corpus"] - first["corpus"])
        assert second["p_value"] < 0.05
        low, high = second["ci"]
        assert low <= second["corpus"] <= high
    done = run("compare", "good.npy", "flat.npy", "-r", "corpus.npy", "-m", "impar", "--test", "randomization")
    assert done.returncode == 2
    assert "judges a set, not pairs: test it by bootstrap" in done.stderr


def test_python_front_door_takes_texts_and_needs_a_corpus() -> None:
    with pytest.raises(farthing.core.errors.MissingInput, match="corpus"):
        farthing.score(["a"], metric="impar")
