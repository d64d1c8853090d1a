"""Students that share an encoder, and those that compare with sources: against copies, and put together by hand."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from farthing.core.errors import MissingInput, ModelError
from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.types import Pairs
from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.encoders.folder.describe import describe
from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.load import load_encoder
from farthing.students.crossed import crossed_scores
from farthing.students.facts import student_facts
from farthing.students.head import GAPS
from farthing.students.language_gap import language_gaps
from farthing.students.layout import StudentFolder, add_facts
from farthing.students.match import MatchStudent
from farthing.students.surface import surface_gaps

Folders = tuple[Path, Path]
ENGLISH = {"small": 512, "tiny": 512, "nano": 4096}  # the most tokens of a text
OUTPUTS = ["the cat sat", "a dog ran far", "The mat", "the cat sat on the mat", "кот", ""]
SOURCES = ["the cat ran", "a dog", "The mat", "der Hund, wie er war", "the cat", "the dog"]


def scores(folder: Path, candidates: Sequence[str], sources: Sequence[str]) -> list[float]:
    pairs = Pairs(candidates, [[]] * len(candidates), sources)
    [scored] = MatchStudent(folder).score_systems([pairs])
    found: list[float] = scored.segments.tolist()
    return found


def test_shared_parts_are_as_good_as_copies(sharing_folders: Folders) -> None:
    multi, source = sharing_folders
    found, fields = scores(source, OUTPUTS, SOURCES), MatchStudent(source).fields()
    facts = student_facts(source)
    copy = source.with_name("copy")
    shutil.copytree(source, copy)
    for name in ("encoder.onnx", "tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(multi / name, copy / name)
    config = json.loads((copy / "config.json").read_text())
    del config["farthing"]["encoder"]
    (copy / "config.json").write_text(json.dumps(config))
    assert scores(copy, OUTPUTS, SOURCES) == found
    assert MatchStudent(copy).fields() == fields
    assert fields["limit"] == 9  # of the tokenizer_config.json beside
    own = student_facts(copy)
    assert replace(facts, folder=copy, shares=None, bytes=own.bytes) == own
    assert (facts.shares, facts.against, facts.encoder_weights) == (
        "multi",
        "source",
        student_facts(multi).encoder_weights,
    )
    assert facts.bytes == sum((source / name).stat().st_size for name in ("config.json", "head.safetensors"))
    assert StudentFolder.read(source).exported


def test_files_of_its_own_come_first(sharing_folders: Folders) -> None:
    multi, source = sharing_folders
    shared = MatchStudent(source).fields()
    (source / "tokenizer.json").write_text((multi / "tokenizer.json").read_text().replace('"far"', '"near"'))
    own = MatchStudent(source).fields()
    assert {name for name in shared if shared[name] != own[name]} == {"tokenizer"}
    shutil.copyfile(source / "head.safetensors", multi / "head.safetensors")
    (source / "head.safetensors").unlink()
    with pytest.raises(ModelError, match=r"source/head\.safetensors cannot be read"):
        MatchStudent(source)  # a head is never shared
    assert StudentFolder.read(source).digest == "unknown"


@pytest.mark.parametrize("name", ["../multi", "a/b", "/multi", "a\\b", "..", ".", "", "c:multi", 3, ["multi"]])
def test_only_a_plain_name_is_followed(sharing_folders: Folders, name: object) -> None:
    _, source = sharing_folders
    add_facts(source, encoder=name)
    with pytest.raises(ModelError, match=r"encoder=.* is not the plain name of a folder beside it"):
        MatchStudent(source)


def test_a_missing_folder_is_named(sharing_folders: Folders) -> None:
    multi, source = sharing_folders
    multi.rename(multi.with_name("many"))
    for open_it in (MatchStudent, student_facts, describe):
        with pytest.raises(
            ModelError, match=r"source shares the encoder of 'multi', but there is no folder .*multi: put"
        ):
            open_it(source)
    add_facts(source, encoder="many")
    assert MatchStudent(source).fields()["limit"] == 9


def test_a_folder_is_found_from_within(sharing_folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sharing_folders[1])
    assert MatchStudent(Path()).fields() == MatchStudent(sharing_folders[1]).fields()


def test_each_student_has_weights_of_its_own(sharing_folders: Folders) -> None:
    multi, source = sharing_folders
    [first], [second] = (EmbeddedEncoder(folder, "x").encode([[1, 2, 3]]) for folder in sharing_folders)
    assert (first.vectors == second.vectors).all()
    assert not np.allclose(first.weights, second.weights)
    assert load_encoder(source).fields()["weights"] == load_encoder(multi).fields()["weights"]
    add_facts(source, weights="verdict")
    with pytest.raises(ModelError, match=r"has no output 'verdict' \(there are: weights, vectors, source\)"):
        MatchStudent(source)


def by_hand(folder: Path, candidate: str, other: str) -> float:
    """The design in plain numpy: gaps of aligned tokens, of the surface, of the languages; the head; the scale."""
    student, head = MatchStudent(folder), load_file(folder / "head.safetensors")
    first, second = student.encoder.encode(student.tokenizer.contents([candidate, other]))
    a, b = first.weights / first.weights.sum(), second.weights / second.weights.sum()
    similarity = first.vectors @ second.vectors.T
    forth, back = 1 - similarity.max(axis=1), 1 - similarity.max(axis=0)
    c, s = (weights @ one.vectors for weights, one in ((a, first), (b, second)))
    c, s = c / np.linalg.norm(c), s / np.linalg.norm(s)
    p, r = 1 - a @ forth, 1 - b @ back
    spread = [np.sqrt(a @ forth**2 + 1e-8) - 1e-4, np.sqrt(b @ back**2 + 1e-8) - 1e-4]
    gaps = [1 - p, 1 - r, 1 - 2 * p * r / (p + r), *spread, 1 - c @ s]
    x = np.array([*gaps, *surface_gaps([candidate], [other])[0], *language_gaps([candidate], [other])[0]])
    x = x / head["scale"]
    value = head["top"] + head["linear"] @ x
    value += head["out"] @ (np.tanh(head["hidden"] @ x + head["hidden_bias"]) - np.tanh(head["hidden_bias"]))
    straight = 100 * (value - head["floor"]) / (head["ceiling"] - head["floor"])
    return min(100 - np.log1p(np.exp(100 - straight)), 99.99) if straight > 0 else float(straight)


def test_a_source_student_by_hand(sharing_folders: Folders) -> None:
    _, source = sharing_folders
    pairs = list(zip(OUTPUTS, SOURCES, strict=True))[:-1]
    wanted = [by_hand(source, *pair) for pair in pairs]
    assert scores(source, OUTPUTS[:-1], SOURCES[:-1]) == pytest.approx(wanted, abs=1e-3)
    assert len({round(score, 3) for score in wanted}) == len(wanted)


def test_a_score_depends_neither_on_mates_nor_on_order_nor_on_references(sharing_folders: Folders) -> None:
    _, source = sharing_folders
    together = scores(source, OUTPUTS, SOURCES)
    assert [scores(source, [one], [other])[0] for one, other in zip(OUTPUTS, SOURCES, strict=True)] == pytest.approx(
        together, abs=1e-9
    )
    assert scores(source, OUTPUTS[::-1], SOURCES[::-1]) == pytest.approx(together[::-1], abs=1e-9)
    pairs = [Pairs(OUTPUTS, [[text] for text in OUTPUTS], SOURCES), Pairs(SOURCES, [[]] * len(SOURCES), SOURCES)]
    with_references, _ = MatchStudent(source).score_systems(pairs)
    assert with_references.segments.tolist() == pytest.approx(together, abs=1e-9)


def test_a_copy_of_the_source_is_nothing_special(sharing_folders: Folders) -> None:
    """Its score is that of no difference and of its mean vectors, and even the best score is below 100."""
    _, source = sharing_folders
    text = "the cat sat"
    [copied], [spaced] = scores(source, [text], [text]), scores(source, [" the  cat sat"], [text])
    assert copied == pytest.approx(by_hand(source, text, text), abs=1e-3)
    assert spaced == pytest.approx(copied)
    arrays = load_file(source / "head.safetensors")
    save_file({**arrays, "ceiling": np.array(-0.999, np.float32)}, source / "head.safetensors")
    assert max(scores(source, [text, "a dog"], [text, "the mat"])) == 99.99


def test_an_empty_text_scores_lowest(sharing_folders: Folders) -> None:
    _, source = sharing_folders
    add_facts(source, lowest=-500.0)
    found = scores(source, ["", " ", "the cat", "", "a dog"], ["the cat", "the cat", "", "", "the dog"])
    assert found[:4] == [-500.0] * 4
    assert found[4] > -500
    assert scores(source, [""], [""]) == [-500.0]


def test_sources_are_asked_for(sharing_folders: Folders) -> None:
    with pytest.raises(MissingInput, match="source compares with sources: give them"):
        MatchStudent(sharing_folders[1]).score_systems([Pairs(["the cat"], [["the cat"]])])


def test_tokens_are_aligned_with_those_of_the_source(sharing_folders: Folders) -> None:
    _, source = sharing_folders
    student = MatchStudent(source)
    found = student.align("the cat sat", "a cat on")
    assert (found.candidate_tokens, found.reference_tokens) == (("the", "cat", "sat"), ("a", "cat", "on"))
    assert found.matches[1] == 1
    assert found.parts["score"] == scores(source, ["the cat sat"], ["a cat on"])[0]


GERMAN = "Wir waren gestern alle sehr müde und hungrig."


@pytest.mark.parametrize("place", [0, 1])
def test_a_language_that_was_not_measured_is_noted_and_scored(sharing_folders: Folders, place: int) -> None:
    folder = sharing_folders[place]
    texts = ["the cat", GERMAN, "42", "the dog ran"], ["a cat", "the mat", "the", "Я вижу кота."]
    pairs = Pairs(texts[0], [[text] for text in texts[1]], texts[1])
    [before] = MatchStudent(folder).score_systems([pairs])
    add_facts(folder, measured=["en", "fr"], characters={"far": 0.8, "power": 2.0})
    [after] = MatchStudent(folder).score_systems([pairs])
    assert after.segments.tolist() == before.segments.tolist()
    assert before.notes == ()
    [note] = after.notes
    assert (note.kind, note.rows) == ("unmeasured", (1, 3))
    add_facts(folder, measured=["en", "de", "ru"])
    [other] = MatchStudent(folder).score_systems([pairs])
    assert other.notes == ()


def test_long_sources_are_noted(sharing_folders: Folders) -> None:
    _, source = sharing_folders
    pairs = Pairs(["the cat", "the cat"], [[], []], ["the mat", "the " * 30])
    [scored] = MatchStudent(source).score_systems([pairs])
    assert [(note.kind, note.rows) for note in scored.notes] == [("windows", (1,))]


def test_equal_texts_score_100_against_references(sharing_folders: Folders) -> None:
    multi, _ = sharing_folders
    [scored] = MatchStudent(multi).score_systems([Pairs(["the  cat", "кот"], [["the\u3000cat"], ["кот!"]])])
    assert scored.segments[0] == 100.0
    assert scored.segments[1] < 100


def test_lists_score_as_their_pairs(sharing_folders: Folders) -> None:
    lists = [NBest(OUTPUTS, SOURCES, "the mat"), NBest(["a dog", "Hund"], ["a dog", "der Hund"], "a dog ran")]
    for folder in sharing_folders:
        student = MatchStudent(folder)
        [expected] = student.score_systems([crossed_pairs(lists)])
        found = crossed_scores(student, lists)
        assert found.segments == pytest.approx(expected.segments, abs=1e-4)  # pairs: single precision
        assert found.notes == expected.notes
    with pytest.raises(MissingInput, match="compares with sources"):
        crossed_scores(MatchStudent(sharing_folders[1]), [NBest(OUTPUTS, SOURCES)])


@pytest.mark.parametrize(
    "features", [["languages"], ["surface", "colours"], ["surface", "case", "languages"], "surface", []]
)
def test_unknown_features_are_named(sharing_folders: Folders, features: object) -> None:
    add_facts(sharing_folders[0], features=features)
    with pytest.raises(ModelError, match="has the unknown features"):
        MatchStudent(sharing_folders[0])


def test_a_head_of_another_student_is_refused(sharing_folders: Folders) -> None:
    multi, _ = sharing_folders
    add_facts(multi, features=["surface"])
    columns = len(GAPS) + 26
    with pytest.raises(ModelError, match=f"reads {columns + 2} features, but the student has {columns}"):
        MatchStudent(multi)


def test_the_signature_tells_what_is_compared(sharing_folders: Folders) -> None:
    multi, source = (MatchStudent(folder).fields() for folder in sharing_folders)
    assert "against" not in multi
    assert source["against"] == "source"
    assert multi["weights"] != source["weights"]
    assert multi["tokenizer"] == source["tokenizer"]


def test_a_tokenizer_alone_is_shared(student_folder: Path) -> None:
    """The limit stays the student's own, whatever the tokenizer_config.json of the other one says."""
    before = MatchStudent(student_folder).fields()
    other = student_folder.with_name(f"{student_folder.name}-other")
    other.mkdir()
    (student_folder / "tokenizer.json").rename(other / "tokenizer.json")
    (other / "tokenizer_config.json").write_text('{"model_max_length": 7}')
    add_facts(student_folder, tokenizer=other.name)
    assert MatchStudent(student_folder).fields() == before
    assert StudentFolder.read(student_folder).tokenizer == other / "tokenizer.json"
    facts = student_facts(student_folder)
    assert (facts.shares, facts.longest, facts.tokenizer) == (other.name, 12, before["tokenizer"])


def test_a_tokenizer_comes_before_that_of_a_shared_encoder(sharing_folders: Folders) -> None:
    multi, source = sharing_folders
    other = multi.with_name("other")
    other.mkdir()
    changed = (multi / "tokenizer.json").read_text().replace('"far"', '"near"')
    (other / "tokenizer.json").write_text(changed)
    shared = MatchStudent(source).fields()
    add_facts(source, tokenizer="other")
    found = MatchStudent(source).fields()
    assert {name for name in shared if shared[name] != found[name]} == {"tokenizer"}


@pytest.mark.parametrize("name", ["../other", "a/b", "..", "", 3])
def test_only_a_plain_name_of_a_tokenizer_is_followed(student_folder: Path, name: object) -> None:
    (student_folder / "tokenizer.json").unlink()
    add_facts(student_folder, tokenizer=name)
    with pytest.raises(ModelError, match=r"tokenizer=.* is not the plain name of a folder beside it"):
        MatchStudent(student_folder)
    add_facts(student_folder, tokenizer="nowhere")
    with pytest.raises(ModelError, match=r"shares the tokenizer of 'nowhere', but there is no folder .*: put it there"):
        MatchStudent(student_folder)


def test_the_english_students_store_their_tokenizer_once() -> None:
    """The digest is that of the copies which they had."""
    assert [path.parent.name for path in sorted(EMBEDDED.glob("*/tokenizer.json")) if path.parent.name in ENGLISH] == [
        "small"
    ]
    students = {size: MatchStudent(EMBEDDED / size) for size in ENGLISH}
    assert {student.fields()["tokenizer"] for student in students.values()} == {"be50c3628f2b"}
    assert {size: student.tokenizer.limit for size, student in students.items()} == ENGLISH
