"""What a student is, for people: its kind, languages, layers and size, without loading it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from farthing.encoders.backends.embedded import FILES as ENCODERS
from farthing.encoders.backends.embedded import LAYER, EmbeddedEncoder
from farthing.encoders.folder.describe import parameter_count
from farthing.encoders.folder.graph import graph_facts
from farthing.encoders.folder.layout import CONFIG, ModelFolder
from farthing.encoders.tokens.tokenize import Tokenizer, read_json
from farthing.students.layout import FACTS, StudentFolder
from farthing.students.regressor import EstimatorShape

KINDS_IN_WORDS = {
    "cross": "cross (reads both texts of a pair as one)",
    "match": "match (reads each text alone, then matches tokens)",
    "static": "static (looks tokens up in tables, then matches them)",
    "estimator": "estimator (one vector per text, then a head over them)",
}


@dataclass(frozen=True, slots=True)
class StudentFacts:
    """The facts that `farthing models info` shows of a student.

    :param version: of its weights
    :param against: what it compares candidates with: "reference", "source", or both
    :param languages: codes of the languages that it reads, or that it was measured in if it reads all
    :param layers: how many layers its transformer has; 0 for tables
    :param layer: the layer that other metrics can use, as bertscore(model=…, layer=…); None if there is none
    :param shares: the student beside it whose encoder and tokenizer, or whose tokenizer alone, it uses; None if it has
        its own
    :param bytes: the size of its own files
    :param weights: the digest in the signature of frugalscore
    :param encoder_weights: the digest in the signatures of other metrics over its token vectors
    """

    folder: Path
    kind: str
    against: str
    version: int
    languages: str
    layers: int
    layer: int | None
    dimension: int | None
    parameters: int | None
    shares: str | None
    bytes: int
    precision: str
    weights: str
    encoder_weights: str | None
    tokenizer: str
    longest: int


def is_student(folder: Path) -> bool:
    """Tell whether a folder says that it holds a student."""
    return isinstance(read_json(folder / CONFIG, missing_ok=True).get(FACTS), dict)


def student_facts(path: Path) -> StudentFacts:
    """Read the facts of a student's folder."""
    folder = StudentFolder.read(path)
    encoder = EmbeddedEncoder(path, folder.name) if folder.kind in ENCODERS else None
    graphs = [graph_facts(file) for file in folder.weights if file.is_file() and file.suffix == ".onnx"]
    reads = folder.facts.get("reads", folder.facts.get("measured"))
    shared = folder.facts.get("encoder", folder.facts.get("tokenizer"))
    return StudentFacts(
        folder=path,
        kind=KINDS_IN_WORDS[folder.kind],
        against=_against(folder),
        version=folder.version,
        languages=", ".join(map(str, reads)) if isinstance(reads, list) else "not stated",
        layers=sum(graph.layers for graph in graphs) if graphs else ModelFolder(path).layers,
        layer=LAYER if encoder else None,
        dimension=encoder.dimension if encoder else ModelFolder(path).dimension,
        parameters=student_parameters(folder),
        shares=str(shared) if shared else None,
        bytes=folder.bytes,
        precision=folder.precision,
        weights=folder.digest,
        encoder_weights=encoder.weights_hash if encoder else None,
        tokenizer=Tokenizer(path).hash,
        longest=folder.limit,
    )


def _against(folder: StudentFolder) -> str:
    """Say what a student compares candidates with; an estimator may need both."""
    if folder.kind != "estimator":
        return folder.against
    return " and ".join(EstimatorShape.told(folder.facts, folder.path).inputs)


def student_parameters(folder: StudentFolder) -> int | None:
    """Count the numbers in all files of weights, the head's too; None if there are no such files."""
    files = [file for file in folder.weights if file.is_file()]
    graphs = sum(graph_facts(file).parameters for file in files if file.suffix == ".onnx")
    stored = sum(parameter_count(file) for file in files if file.suffix == ".safetensors")
    return graphs + stored if files else None
