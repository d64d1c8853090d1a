"""The names of Farthing's own students, and the sentences for those that are not here."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

import farthing
from farthing.encoders.folder import locate
from farthing.students.layout import add_facts
from farthing.students.names import Size, is_size, missing_size, size_told

PAIR = ["a cat sat on the mat"], ["the cat sat there"]


def scored(size: str) -> farthing.Scores:
    """Scores of a metric that is loaded anew."""
    metric = farthing.load(f"frugalscore(size={size})")
    assert isinstance(metric, farthing.Metric)
    return metric.score(*PAIR)


@pytest.fixture
def second_nano(with_every_size: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation whose `nano` is in its second version; the first one is kept in the user's cache."""
    root = tmp_path / "models"
    root.mkdir()
    (root / "small").symlink_to(with_every_size / "small")
    for folder, version in ((root / "nano", 2), (tmp_path / "cache" / "nano@1", 1)):
        folder.mkdir(parents=True)
        for file in (with_every_size / "nano").iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / "tokenizer.json").symlink_to(with_every_size / "small" / "tokenizer.json")
        add_facts(folder, version=version)
    for module in ("farthing.encoders.folder.locate", "farthing.metrics.frugalscore"):
        monkeypatch.setattr(f"{module}.EMBEDDED", root)
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path / "cache"))
    return tmp_path


def test_sizes_are_known_by_name() -> None:
    assert all(map(is_size, [*get_args(Size), "base", "nano@3"]))
    assert not any(map(is_size, ["", "large", "./small", "org/small", "frugalscore_tiny_roberta_bert-score"]))


@pytest.mark.parametrize("name", ["huge", "smal", "small@new", "small@1@2", "small@-1"])
def test_what_is_no_size_is_named_with_those_there_are(name: str) -> None:
    assert "(there are: base, multi, nano, small, source, tiny)" in str(missing_size(name))


def test_a_size_in_its_only_version_is_the_size() -> None:
    own = locate.versioned_name("nano", locate.EMBEDDED / "nano")
    plain, named = map(scored, ("nano", own))
    assert plain.corpus == named.corpus
    assert str(plain.signature) == str(named.signature)
    assert plain.signature.fields["model"] == own
    assert size_told(own) == "nano"
    assert size_told("nano@9") == "nano@9"
    assert farthing.load(f"bertscore(model={own})").score(*PAIR).signature.fields["model"] == own


def test_versions_beside_each_other(second_nano: Path) -> None:
    """The newest comes with the package, the one before is in the cache; each score names its own."""
    newest, second, first = map(scored, ("nano", "nano@2", "nano@1"))
    assert [scores.signature.fields["model"] for scores in (newest, second, first)] == ["nano@2", "nano@2", "nano@1"]
    assert newest.corpus == second.corpus == first.corpus  # the weights are the same here
    assert (size_told("nano@1"), size_told("nano@2")) == ("nano@1", "nano")
    with pytest.raises(
        farthing.FarthingError, match=r"^nano@3 is not on this machine, nano@2 is: run `farthing models"
    ):
        farthing.load("frugalscore(size=nano@3)")


def test_a_version_that_is_kept_in_the_package_comes_first(second_nano: Path) -> None:
    root = second_nano / "models"
    (second_nano / "cache" / "nano@1").rename(root / "nano@1")
    assert locate.find_student("nano@1") == root / "nano@1"
    assert locate.find_student("nano") == root / "nano"


def test_a_signature_is_verified_by_its_version(second_nano: Path) -> None:
    from farthing.scoring.verification import verify_signature

    for size in ("nano", "nano@1"):
        verified = verify_signature(str(scored(size).signature))
        assert verified.same, verified
        assert verified.spec == f"frugalscore(size={size})"


def test_base_is_installed_by_itself() -> None:
    if locate.find_student("base"):
        pytest.skip("farthing-base is installed")
    for spec in ("frugalscore(size=base)", "frugalscore(size=base@2)", "bertscore(model=base)"):
        with pytest.raises(farthing.FarthingError, match=r"^the student base comes .*: pip install farthing-base$"):
            farthing.load(spec).score(*PAIR)
    with pytest.raises(farthing.FarthingError, match="pip install farthing-base"):
        locate.pull("base")
