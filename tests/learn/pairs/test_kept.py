"""Training pairs in a folder; interruptions are in tests/test_resumed.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import InputError, OutputError
from farthing.files import rows
from farthing.learn.data.store import PARTIAL, read_pairs
from farthing.learn.pairs import denoising
from farthing.learn.pairs.kept import keep_pairs
from farthing.learn.pairs.mix import draw
from farthing.learn.pairs.recipe import PairFilter, Recipe


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("".join(f"the cat number {row} sat on {row * 7 % 13} green mats\n" for row in range(60)))
    return path


def test_the_folder_has_the_pairs_of_the_file(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "SHARD", 16)
    sources = {"perturbation": {"corpus": str(corpus)}, "random": {"corpus": str(corpus), "weight": 3}}
    recipe = Recipe(sources, size=90)
    whole, remarks = draw(recipe)
    done: list[int] = []
    assert keep_pairs(recipe, tmp_path / "run", done.append) == (len(whole), remarks)
    assert sum(done) == len(whole)
    found = read_pairs(tmp_path / "run")
    assert (found.columns, found.notes) == (whole.columns, whole.notes)
    assert PARTIAL not in found.notes
    assert keep_pairs(recipe, tmp_path / "run", done.append) == (len(whole), remarks)  # read, not drawn
    assert sum(done) == len(whole)


def test_another_recipe_or_corpus_is_refused(corpus: Path, tmp_path: Path) -> None:
    recipe = Recipe({"random": {"corpus": str(corpus)}}, size=20)
    keep_pairs(recipe, tmp_path / "run")
    with pytest.raises(OutputError, match="its recipe differ"):
        keep_pairs(Recipe({"random": {"corpus": str(corpus)}}, size=21), tmp_path / "run")
    corpus.write_text(corpus.read_text() + "one more line\n")
    with pytest.raises(OutputError, match="its input differ"):
        keep_pairs(recipe, tmp_path / "run")
    assert keep_pairs(recipe, tmp_path / "run", overwrite=True)[0] == 20


def test_remarks_are_kept_and_nothing_is_an_error(corpus: Path, tmp_path: Path) -> None:
    few = Recipe({"random": {"corpus": str(corpus)}}, size=20_000)
    count, remarks = keep_pairs(few, tmp_path / "few")
    assert remarks == [f"random had only {count} usable pairs of the 20000 that were wanted"]
    nothing = Recipe({"random": {"corpus": str(corpus)}}, size=5, filter=PairFilter(min_words=90, max_words=90))
    with pytest.raises(InputError, match="no pair came out"):
        keep_pairs(nothing, tmp_path / "nothing")


def test_generated_texts_are_kept_until_the_run_is_complete(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that was interrupted is not asked again for what it has answered."""
    from farthing.language.generations import Generations

    asked: list[str] = []

    class Model:
        mask_token, name, folder = "[MASK]", "model", Path("model")

        def __init__(self, model: str, *, cache: Path | None = None, longest: int = 0) -> None:
            self.cache = Generations(cache)

        def generate(self, texts: list[str]) -> list[str]:
            answers = self.cache.find("model", texts)
            for text in texts:
                if text not in answers:
                    if len(asked) == 40:
                        asked.append(text)
                        raise KeyboardInterrupt
                    asked.append(text)
                    answers[text] = text.replace("[MASK]", "word")
                    self.cache.keep("model", {text: answers[text]})
            return [answers[text] for text in texts]

    monkeypatch.setattr(denoising, "Seq2Seq", Model)
    monkeypatch.setattr(rows, "SHARD", 16)
    recipe = Recipe({"denoising": {"corpus": str(corpus), "model": "m", "longest": 12}}, size=64)
    with pytest.raises(KeyboardInterrupt, match="is kept in"):
        keep_pairs(recipe, tmp_path / "run")
    assert PARTIAL in read_pairs(tmp_path / "run").notes
    keep_pairs(recipe, tmp_path / "run")
    assert len(asked) == len(set(asked)) + 1  # but for the one that was interrupted
    assert not (tmp_path / "run" / "parts").exists()
    assert len(read_pairs(tmp_path / "run")) == 64
