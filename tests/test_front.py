"""The public door: every name is there, nothing heavy is imported for it, and it takes what people have."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pytest

import farthing


def test_every_public_name_is_there() -> None:
    assert len(farthing.__all__) <= 40
    for name in farthing.__all__:
        assert getattr(farthing, name) is not None
    assert set(dir(farthing)) == set(farthing.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        farthing.nothing  # noqa: B018


def test_the_api_page_names_every_public_name() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in farthing.__all__ if f"`{name}" not in page] == []


def test_importing_the_door_imports_nothing_heavy() -> None:
    code = "import sys, farthing; print(sorted({'numpy', 'torch', 'pyarrow', 'onnxruntime'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_reference_or_several() -> None:
    one = farthing.score(["a b"], ["a c"], metric="chrf").corpus
    two = farthing.score(["a b"], [["a c", "a b"]], metric="chrf").corpus
    assert one < two == 100


def test_a_set_metric_takes_texts_lists_or_vectors() -> None:
    random = np.random.default_rng(0)
    generated, corpus = random.normal(size=(30, 4)), random.normal(size=(40, 4))
    assert 0 <= farthing.score(generated, corpus, metric="impar").corpus <= 1  # type: ignore[arg-type]
    with pytest.raises(farthing.MissingInput, match="corpus"):
        farthing.score(["a"], metric="impar")


def test_statistics_come_with_the_scores() -> None:
    scores = farthing.score(["the cat", "a dog"], ["the cat", "a dog"], metric="bleu")
    assert scores.statistics is not None
    assert len(scores.statistics) == 2


def test_compare_tests_against_the_baseline() -> None:
    systems = {"good": ["the cat sat", "dogs run"] * 20, "bad": ["x", "y"] * 20}
    found = farthing.compare(systems, ["the cat sat", "dogs run"] * 20, metrics="chrf", baseline="bad", resamples=200)
    assert found.baseline == "bad"
    assert found.rows[0].cells[0].significant
    assert found.rows[1].cells[0].paired is None


def test_read_takes_records() -> None:
    pairs = farthing.read([{"mt": "a", "ref1": "b", "ref2": "c", "src": "d"}], system="mine")
    assert (pairs.candidates, pairs.references, pairs.sources, pairs.system) == (["a"], [("b", "c")], ["d"], "mine")


def test_progress_on_request(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from farthing.report import progress

    monkeypatch.setattr(progress, "LINES_EVERY", 0.0)
    farthing.score(["a cat"], ["the cat"], metric="chrf")
    assert capsys.readouterr() == ("", "")
    farthing.score(["a cat"], ["the cat"], metric="chrf", progress=True)
    assert "scoring 1/1" in capsys.readouterr().err
    farthing.compare({"a": ["a cat"], "b": ["cats"]}, ["the cat"], metrics="chrf", progress=True)
    assert "resampling 2/2" in capsys.readouterr().err


CANDIDATES, REFERENCES = ["the cat sat", "dogs run"], ["the cat sat down", "a dog runs"]


def test_the_third_place_is_the_metric() -> None:
    expected = farthing.score(CANDIDATES, REFERENCES, metric="chrf").corpus
    assert farthing.score(CANDIDATES, REFERENCES, "chrf").corpus == expected
    assert farthing.score(CANDIDATES, REFERENCES, farthing.load("chrf")).corpus == expected
    assert float(farthing.score(CANDIDATES, REFERENCES, "chrf")) == expected
    assert farthing.compare({"a": CANDIDATES}, REFERENCES, "chrf").scores("chrf").corpus == expected
    for wrong in (["a source", "another one"], np.array(["a", "b"]), 3, [3], CANDIDATES):
        with pytest.raises(farthing.UsageError, match=r"sources are passed as sources="):
            farthing.score(CANDIDATES, REFERENCES, wrong)  # type: ignore[call-overload]
        with pytest.raises(farthing.UsageError, match=r"sources are passed as sources="):
            farthing.compare({"a": CANDIDATES}, REFERENCES, wrong)  # type: ignore[arg-type]


def test_several_metrics_give_a_comparison() -> None:
    loaded = farthing.load("chrf", word_order=2)
    found = farthing.score(CANDIDATES, REFERENCES, ["bleu", loaded, "ter,chrf"])
    assert found.labels == ("bleu", "chrf(word_order=2)", "ter", "chrf")
    for label in found.labels:
        assert found.scores(label).corpus == farthing.score(CANDIDATES, REFERENCES, label).corpus
    assert farthing.score(CANDIDATES, REFERENCES, ("bleu",)).labels == ("bleu",)
    with pytest.raises(farthing.UsageError, match=r"pass a list, metric=\['bleu', 'chrf'\]"):
        farthing.score(CANDIDATES, REFERENCES, "bleu,chrf")
    with pytest.raises(farthing.UsageError, match="chrf is asked for twice"):
        farthing.score(CANDIDATES, REFERENCES, ["chrf", farthing.load("chrf")])
    with pytest.raises(farthing.UsageError, match="is empty"):
        farthing.score(CANDIDATES, REFERENCES, [])


def test_metrics_of_pairs_and_of_sets_side_by_side() -> None:
    texts = [f"{word} number {place}" for place, word in enumerate(["cat", "dog", "bird"] * 4)]
    found = farthing.score(texts, texts[::-1], ["chrf", "fid(model=nano)"])
    assert found.labels == ("chrf", "fid")
    assert found.scores("fid").corpus == farthing.load("fid", model="nano").score(texts, texts[::-1]).corpus


def test_options_are_keywords_of_load() -> None:
    keyed, written = farthing.load("chrf", word_order=2, beta=np.int64(3)), farthing.load("chrf(word_order=2, beta=3)")
    assert str(keyed.score(CANDIDATES, REFERENCES).signature) == str(written.score(CANDIDATES, REFERENCES).signature)
    with pytest.raises(farthing.SpecError, match="sets 'beta' twice"):
        farthing.load("chrf(beta=3)", beta=2)
    with pytest.raises(farthing.UnknownName, match="unknown option of chrf 'word_oder'; did you mean 'word_order'"):
        farthing.load("chrf", word_oder=2)
    with pytest.raises(farthing.ModelError):
        farthing.load("bertscore", model=Path("no/such/folder"))
    with pytest.raises(farthing.SpecError, match="beta is of type object"):
        farthing.load("chrf", beta=object())


def test_systems_come_in_many_forms() -> None:
    import pandas

    systems = {"a": CANDIDATES, "b": REFERENCES}
    expected = farthing.compare(systems, REFERENCES, "chrf").to_dict()
    frame = pandas.DataFrame({**systems, "reference": REFERENCES})
    pairs = [farthing.Pairs.of(texts, REFERENCES, system=name) for name, texts in systems.items()]
    for given in (frame, {**systems, "reference": REFERENCES}, pairs, dict(zip("ab", pairs, strict=True))):
        assert farthing.compare(given, metrics="chrf").to_dict() == expected
    assert farthing.compare(frame, REFERENCES, "chrf").to_dict() == expected
    for wrong in ([CANDIDATES, REFERENCES], CANDIDATES, None, "a"):
        with pytest.raises(farthing.UsageError, match="pass a dict from the name of each system to its outputs"):
            farthing.compare(wrong, REFERENCES)  # type: ignore[arg-type]


def test_read_takes_tables() -> None:
    import pandas

    frame = pandas.DataFrame({"x": CANDIDATES, "y": REFERENCES})
    pairs = farthing.read(frame, candidate="x", reference="y", system="mine")
    assert (pairs.candidates, pairs.system) == (CANDIDATES, "mine")
    assert farthing.score(pairs, metric="chrf").corpus == farthing.score(CANDIDATES, REFERENCES, "chrf").corpus
    for wrong in (None, 3, {"a"}, ["a", "b"]):
        with pytest.raises(farthing.FarthingError, match="dicts"):
            farthing.read(wrong)


WORKERS = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import farthing


class Length(farthing.Metric):
    about = farthing.MetricInfo("length", "characters", "none", (0, None))

    def __init__(self, *, power: float = 1.0) -> None:
        self.power = power

    def score_pairs(self, pairs):
        lengths = np.array([float(len(text)) for text in pairs.candidates]) ** self.power
        return farthing.Scores(float(lengths.mean()), lengths, farthing.Signature("length"))


if __name__ == "__main__":
    farthing.register("metric", "length", Length)
    texts = ["the cat sat", "dogs run"], ["the cat sat down", "a dog runs"]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        for spec in ("chrf(word_order=2, normalise=lower)", "frugalscore(size=tiny)", "length(power=2.0)"):
            metric = farthing.load(spec)
            found = pool.submit(metric.score, *texts).result()
            assert found.segments.tolist() == metric.score(*texts).segments.tolist(), spec
            assert str(found.signature) == str(metric.score(*texts).signature), spec
    print("equal")
"""


def test_metrics_and_scores_travel_to_worker_processes(tmp_path: Path) -> None:
    script = tmp_path / "workers.py"
    script.write_text(WORKERS, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "equal", done.stderr


def test_a_metric_that_no_other_process_can_load_says_so() -> None:
    class Local(farthing.Metric):
        """Nothing."""

        about = farthing.MetricInfo("local", "", "", (0, 1))

        def score_pairs(self, pairs: farthing.Pairs) -> farthing.Scores:
            return farthing.Scores(0.0, np.zeros(len(pairs)), farthing.Signature("local"))

    with pytest.raises(farthing.UsageError, match=r"load it by its spec, farthing.load\('local'\)"):
        pickle.dumps(Local())
    farthing.register("metric", "local", Local)
    with pytest.raises(farthing.UsageError, match="define the class at the top of a module"):
        pickle.dumps(farthing.load("local"))


def test_an_encoder_and_its_counts_survive(tiny_model: Callable[..., Path]) -> None:
    metric = farthing.load("bertscore", model=str(tiny_model("bert")), layer=2, idf=True)
    assert isinstance(metric, farthing.Metric)
    pairs = farthing.Pairs.of(CANDIDATES, REFERENCES)
    state = metric.prepare([[farthing.Pairs.of(CANDIDATES, ["the the dog", "rain"])]])
    assert state is not None
    for one in (metric, metric.prepared(state)):
        again = pickle.loads(pickle.dumps(one))
        assert again.score(pairs).segments.tolist() == one.score(pairs).segments.tolist()  # type: ignore[union-attr]
        assert str(again.score(pairs).signature) == str(one.score(pairs).signature)


def test_the_systems_of_a_table_are_compared(tmp_path: Path) -> None:
    rows = [
        {"system": system, "id": number, "mt": text, "ref": "a cat"}
        for number in range(3)
        for system, text in (("good", "a cat"), ("bad", "the dog"))
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    frame = pandas.DataFrame(rows)
    frame.to_csv(tmp_path / "long.csv", index=False)
    for table in (rows, columns, frame, pyarrow.table(columns), tmp_path / "long.csv", str(tmp_path / "long.csv")):
        result = farthing.compare(table, metrics="chrf")
        assert [row.system for row in result.rows] == ["good", "bad"]
        assert result.rows[0].cells[0].scores.corpus == 100
        assert len(farthing.read(table)) == 6
    with pytest.raises(farthing.InputError, match="system 'bad' lacks 1 of 3 segments"):
        farthing.compare(rows[:-1], metrics="chrf")
    with pytest.raises(farthing.InputError, match="no such file"):
        farthing.compare("nothing.csv")
