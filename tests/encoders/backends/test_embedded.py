"""The encoder of a student: one array or one text at a time, threads that must not matter, metrics over its vectors."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import farthing
from farthing.align.greedy import greedy
from farthing.core.errors import ModelError, SpecError, UsageError
from farthing.encoders.backends.embedded import LAYER, EmbeddedEncoder
from farthing.encoders.engine import Engine
from farthing.encoders.folder.describe import describe
from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.load import load_encoder


def test_texts_in_one_array_have_the_same_tokens() -> None:
    encoder = EmbeddedEncoder(EMBEDDED / "nano", "nano")
    contents = encoder.tokenizer.rows(["The cat sat on the mat.", "Rain", "A dog, and a cat."])
    read = encoder.together(contents)
    assert read is not None
    for rows in ([0, 1, 2], [2, 0, 2]):
        together = read(np.array(rows)).single()
        for single, one in zip(encoder.encode([contents[row] for row in rows]), together, strict=True):
            assert (single.vectors == one.vectors).all()
            assert (single.weights == one.weights).all()


def test_a_graph_does_not_read_some_texts_when_they_are_asked_for() -> None:
    encoder = EmbeddedEncoder(EMBEDDED / "tiny", "tiny")
    assert encoder.together(encoder.tokenizer.rows(["Rain"])) is None


def test_nothing_gives_nothing(student_folder: Path) -> None:
    assert EmbeddedEncoder(student_folder, "tiny").encode([]) == []


@pytest.mark.parametrize("size", ["nano", "tiny", "small"])
def test_the_engine_reads_the_very_vectors_of_the_student(size: str) -> None:
    encoder = load_encoder(size)
    assert isinstance(encoder, EmbeddedEncoder)
    texts = ["The cat sat on the mat.", "A dog was there.", "The dog sat on a mat.", "Rain"]
    wanted = encoder.encode(encoder.tokenizer.contents(texts))
    read = dict(Engine(encoder, threads=2).encode(texts, [LAYER]))
    for text, (vectors, _) in zip(texts, wanted, strict=True):
        assert read[text].states[LAYER][read[text].content] == pytest.approx(vectors, abs=1e-6)


@pytest.mark.parametrize(("size", "name"), [("nano", "nano@1"), ("small", "small@3")])
def test_bertscore_over_a_student_is_greedy_matching_of_its_vectors(size: str, name: str) -> None:
    candidate, reference = "The cat sat on the mat.", "A cat was sitting on a mat!"
    encoder = EmbeddedEncoder(EMBEDDED / size, size)
    first, second = (one.vectors for one in encoder.encode(encoder.tokenizer.contents([candidate, reference])))
    precision, recall = greedy(first, second, np.ones(len(first)), np.ones(len(second)))
    found = farthing.load(f"bertscore(model={size})").score(farthing.Pairs.of([candidate], [reference]))
    assert found.parts["precision"] == pytest.approx([precision], abs=1e-5)
    assert found.parts["recall"] == pytest.approx([recall], abs=1e-5)
    assert f"model:{name}|weights:{encoder.weights_hash}" in str(found.signature)
    assert "backend:embedded" in str(found.signature)


def test_other_metrics_run_over_a_student() -> None:
    found = farthing.load("moverscore(model=nano)").score(farthing.Pairs.of(["a cat", "a dog"], ["a cat", "the sea"]))
    assert found.segments[0] > found.segments[1]


def test_a_batch_of_several_rows_is_read_row_by_row() -> None:
    encoder = EmbeddedEncoder(EMBEDDED / "tiny", "tiny")
    rows = np.array([[101, 1996, 4937, 102], [101, 1037, 3899, 102]])
    [together] = encoder.run(rows, None, [LAYER])
    alone = [encoder.run(row[None], None, [LAYER])[0][0] for row in rows]
    assert (together == np.stack(alone)).all()
    with pytest.raises(ModelError, match="takes no padding"):
        encoder.run(rows, np.ones_like(rows), [LAYER])


@pytest.mark.parametrize("size", ["nano", "tiny", "small"])
def test_a_student_is_described(size: str) -> None:
    facts, encoder = describe(EMBEDDED / size), EmbeddedEncoder(EMBEDDED / size, size)
    assert (facts.backend, facts.layers, facts.dimension) == ("embedded", 1, encoder.dimension)
    assert facts.weights == encoder.weights_hash
    assert facts.longest == encoder.tokenizer.limit


def test_only_students_are_detected(student_folder: Path, tmp_path: Path) -> None:
    assert EmbeddedEncoder.detects(student_folder)
    (student_folder / "config.json").write_text('{"farthing": {"kind": "cross"}}')
    assert not EmbeddedEncoder.detects(student_folder)
    with pytest.raises(ModelError, match="it has no token vectors"):
        EmbeddedEncoder(student_folder, "tiny")


def test_it_runs_whole_and_on_the_cpu() -> None:
    with pytest.raises(SpecError, match="runs on the CPU and cannot cut models"):
        EmbeddedEncoder.build(EMBEDDED / "nano", "nano", leading_space=True, cut=1, device="cpu")
    with pytest.raises(SpecError, match="runs on the CPU and cannot cut models"):
        EmbeddedEncoder.build(EMBEDDED / "nano", "nano", leading_space=True, cut=None, device="cuda")
    assert EmbeddedEncoder.build(EMBEDDED / "nano", "mine", leading_space=True, cut=None, device="cpu").name == "mine"


def test_a_broken_graph_is_named(student_folder: Path) -> None:
    (student_folder / "config.json").write_text('{"farthing": {"kind": "match"}}')
    (student_folder / "encoder.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelError, match=r"encoder\.onnx cannot be loaded"):
        EmbeddedEncoder(student_folder, "tiny")


def test_full_precision_is_a_second_graph(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EMBEDDED / "tiny", tmp_path / "tiny"))
    shutil.copyfile(EMBEDDED / "small" / "tokenizer.json", folder / "tokenizer.json")
    with pytest.raises(
        ModelError, match=r"tiny has no graph in fp32 \(encoder.fp32.onnx\) on this machine: pass model="
    ):
        EmbeddedEncoder(folder, "mine", precision="fp32")
    shutil.copyfile(EMBEDDED / "small" / "encoder.onnx", folder / "encoder.fp32.onnx")  # any other graph
    usual, full = EmbeddedEncoder(folder, "mine"), EmbeddedEncoder(folder, "mine", precision="fp32")
    assert (usual.path.name, full.path.name) == ("encoder.onnx", "encoder.fp32.onnx")
    assert (usual.fields()["dtype"], full.fields()["dtype"]) == ("int8", "fp32")
    small = EmbeddedEncoder(EMBEDDED / "small", "small")
    assert full.weights_hash == small.weights_hash != usual.weights_hash
    [found], [wanted] = (encoder.encode([[1, 2, 3, 4, 1, 5]]) for encoder in (full, small))
    assert (found.vectors == wanted.vectors).all()


def test_tables_have_one_precision(student_folder: Path) -> None:
    with pytest.raises(UsageError, match="has tables instead of a graph and computes in fp32 already"):
        EmbeddedEncoder(student_folder, "mine", precision="fp32")


def test_the_name_in_a_signature_has_the_version_of_an_own_student(student_folder: Path) -> None:
    assert EmbeddedEncoder(EMBEDDED / "nano", "nano").fields()["model"] == "nano@1"
    assert EmbeddedEncoder(student_folder, "nano").fields()["model"] == "nano"
