"""Public test sets: from a made-up cache of sacrebleu, and never from the network unless it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
import sacrebleu.dataset
from sacrebleu.dataset import base

from farthing.core.errors import InputError, UnknownName, UsageError
from farthing.files import testsets
from farthing.files.inputs import Inputs
from farthing.files.testsets import resolved
from farthing.scoring.score import choose, score

TEXTS = {"src": ["ein Haus", "zwei"], "ref": ["a house", "two"]}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with two lines of wmt20 in one direction, and a network that must not be used."""
    for name in ("FARTHING_ONLINE", "FARTHING_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    dataset = sacrebleu.dataset.DATASETS["wmt20"]
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(dataset, "_outdir", str(tmp_path / "wmt20"))
    monkeypatch.setattr(dataset, "_rawdir", str(tmp_path / "wmt20" / "raw"))
    (tmp_path / "wmt20").mkdir()
    for field in dataset.fieldnames("de-en"):
        lines = TEXTS.get(field, ["x", "y"])
        (tmp_path / "wmt20" / f"wmt20.de-en.{field}").write_text("".join(line + "\n" for line in lines))

    def forbidden(*_: object, **__: object) -> None:
        pytest.fail("the network was used")

    monkeypatch.setattr("urllib.request.urlopen", forbidden)
    return tmp_path


def test_references_sources_and_signature_come_from_the_cache(cache: Path) -> None:
    (cache / "hyp.txt").write_text("a house\nthree\n")
    inputs = Inputs.named([str(cache / "hyp.txt")], test_set="wmt20", language_pair="de-en")
    [pairs] = inputs.pairs()
    assert (pairs.references, pairs.sources) == ([("a house",), ("two",)], ["ein Haus", "zwei"])
    signature = score(choose("chrf"), inputs).rows[0].cells[0].scores.signature
    assert str(signature).startswith("chrf|test:wmt20|lang:de-en|nrefs:1|")


@pytest.mark.parametrize(
    ("name", "pair", "files", "kind", "message"),
    [
        ("wmt20", "en-de", False, InputError, r"wmt20 \(en-de\) is not on this machine \(allow .* --online"),
        ("wmt19", "en-de", False, InputError, "is not on this machine"),
        ("wmt20", None, False, UsageError, "needs a language pair, such as -l "),
        ("wmt20", "de-xx", False, UnknownName, "unknown language pair of wmt20 'de-xx'"),
        ("wmt200", "de-en", False, UnknownName, "unknown test set 'wmt200'; did you mean 'wmt20'"),
        (None, "de-en", False, UsageError, "name the set, too"),
        ("wmt20", "de-en", True, UsageError, "omit -r and -s"),
    ],
)
def test_mistakes_and_missing_sets_are_one_sentence(
    cache: Path, name: str | None, pair: str | None, files: bool, kind: type[Exception], message: str
) -> None:
    fetch = base.download_file
    with pytest.raises(kind, match=message):
        resolved(name, pair, files)
    assert base.download_file is fetch  # sacrebleu is left as it was


def test_the_network_is_used_if_it_is_asked_for(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def download(url: str, *_: object, **__: object) -> None:
        asked.append(url)
        raise OSError("no route")

    monkeypatch.setattr(base, "download_file", download)
    monkeypatch.setenv("FARTHING_ONLINE", "1")
    with pytest.raises(InputError, match=r"cannot be read: no route"):
        resolved("wmt20", "en-de")
    assert asked


def test_what_breaks_in_sacrebleu_is_one_sentence(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object) -> str:
        raise SystemExit(1)

    monkeypatch.setattr(type(sacrebleu.dataset.DATASETS["wmt20"]), "get_source_file", leave)
    with pytest.raises(InputError, match=r"wmt20 \(de-en\) cannot be read"):
        testsets.resolved("wmt20", "de-en")
