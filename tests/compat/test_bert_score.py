"""The twin of bert_score: same arguments, same results as the installed package."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bert_score
import pytest
import torch

from farthing.compat import bert_score as twin
from farthing.core.errors import ModelError, UsageError

CANDIDATES = ["the cat sat on the mat", "rain", "nobody expected the old bridge"]
REFERENCES = ["a dog sat on the carpet", "the rain", "the bridge survived"]


def both(call: Callable[[Any], Any]) -> tuple[Any, Any]:
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        return call(twin), call(bert_score)


def same(ours: Any, theirs: Any) -> None:
    for one, two in zip(ours, theirs, strict=True):
        assert one.dtype == two.dtype == torch.float32
        assert one.shape == two.shape
        assert torch.allclose(one, two, atol=2e-5)


@pytest.mark.parametrize("options", [{}, {"idf": True}, {"all_layers": True}, {"batch_size": 2}])
def test_the_function(tiny_model: Callable[..., Path], options: dict[str, Any]) -> None:
    model = str(tiny_model("bert"))
    same(*both(lambda m: m.score(CANDIDATES, REFERENCES, model_type=model, num_layers=3, nthreads=0, **options)))


def test_the_class(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    model, baseline = str(tiny_model("distilbert")), tmp_path / "b.tsv"
    baseline.write_text("LAYER,P,R,F\n0,.1,.1,.1\n1,.1,.2,.3\n2,.2,.3,.4\n3,.1,.1,.1\n")

    def run(module: Any) -> Any:
        scorer = module.BERTScorer(
            model, num_layers=2, idf=True, idf_sents=REFERENCES, nthreads=0, lang="en",
            rescale_with_baseline=True, baseline_path=str(baseline),
        )  # fmt: skip
        return scorer.score(CANDIDATES, [[a, b] for a, b in zip(REFERENCES, REFERENCES[::-1], strict=True)])

    same(*both(run))


def test_given_weights(tiny_model: Callable[..., Path]) -> None:
    model = str(tiny_model("bert"))
    weights: dict[int, float] = defaultdict(lambda: 2.0, {2: 0.0, 3: 0.0, 9: 0.5})
    same(*both(lambda m: m.score(CANDIDATES, REFERENCES, model_type=model, num_layers=2, idf=weights, nthreads=0)))


def test_the_hash_has_the_same_shape(tiny_model: Callable[..., Path]) -> None:
    model = str(tiny_model("bert"))
    ours, theirs = both(
        lambda m: m.score(CANDIDATES, REFERENCES, model_type=model, num_layers=2, return_hash=True, nthreads=0)[1]
    )
    assert ours.partition("_version=")[0] == theirs.partition("_version=")[0]


def test_several_references_with_all_layers(tiny_model: Callable[..., Path]) -> None:
    """The package slices the wrong axis here; ours agrees with it layer by layer instead."""
    model = str(tiny_model("bert"))
    several = [[text, "rain"] for text in REFERENCES]
    ours = twin.score(CANDIDATES, several, model_type=model, num_layers=3, all_layers=True)
    _, theirs = both(lambda m: m.score(CANDIDATES, several, model_type=model, num_layers=2, nthreads=0))
    same([part[2] for part in ours], theirs)


def test_mistakes_are_sentences(tiny_model: Callable[..., Path]) -> None:
    model = str(tiny_model("bert"))
    with pytest.raises(UsageError, match="lang or model_type"):
        twin.BERTScorer()
    with pytest.raises(UsageError, match="idf_sents"):
        twin.BERTScorer(model, num_layers=2, idf=True).score(CANDIDATES, REFERENCES)
    with pytest.raises(ModelError, match="there is no baseline"):
        twin.BERTScorer(model, num_layers=2, lang="EN", rescale_with_baseline=True)
    with pytest.raises(UsageError, match="3 candidates but 1 references"):
        twin.score(CANDIDATES, ["a"], model_type=model, num_layers=2)


def test_the_plot(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    scorer = twin.BERTScorer(str(tiny_model("bert")), num_layers=2)
    scorer.plot_example("the cat", "the dog sat", str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_verbose_shows_progress_on_standard_error(
    tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from farthing.compat.bert_score import BERTScorer
    from farthing.report import progress

    monkeypatch.setattr(progress, "LINES_EVERY", 0.0)
    scorer = BERTScorer(model_type=str(tiny_model("bert")), num_layers=1)
    silent = scorer.score(["a cat", "a dog"], ["the cat", "a dog"])
    assert capsys.readouterr() == ("", "")
    shown = scorer.score(["a cat", "a dog"], ["the cat", "a dog"], verbose=True)
    found = capsys.readouterr()
    assert found.out == ""
    assert "encoding 3/3" in found.err
    assert all(torch.equal(one, two) for one, two in zip(silent, shown, strict=True))


def test_columns_of_any_kind_and_other_processes(tiny_model: Callable[..., Path]) -> None:
    import pickle

    import pandas

    scorer = twin.BERTScorer(str(tiny_model("bert")), num_layers=2, idf=True, idf_sents=pandas.Series(REFERENCES))
    expected = scorer.score(CANDIDATES, REFERENCES)
    columns = [(pandas.Series(CANDIDATES), pandas.Series(REFERENCES)), (iter(CANDIDATES), iter(REFERENCES))]
    for candidates, references in columns:
        same(scorer.score(candidates, references), expected)
    same(pickle.loads(pickle.dumps(scorer)).score(CANDIDATES, REFERENCES), expected)
    model = str(tiny_model("bert"))
    found = twin.score(iter(CANDIDATES), pandas.Series(REFERENCES), model_type=model, num_layers=2, idf=True)
    same(found, expected)
    for wrong in (None, "a", {"a"}):
        with pytest.raises(UsageError, match="cands is"):
            twin.score(wrong, REFERENCES, model_type=model, num_layers=2)  # type: ignore[arg-type]
