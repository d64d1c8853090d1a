"""`farthing learn export`: from a trained folder to one that scores with onnxruntime alone."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from farthing.core.columns import SOURCE, Columns
from farthing.core.errors import MissingExtra, ModelError, UnknownName, UsageError
from farthing.encoders.backends.pretrained import load_tokenizer
from farthing.encoders.batching import batches
from farthing.encoders.folder.layout import CONFIG, GRAPH
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import new_folder
from farthing.learn.cross.export.bert import BertGraph, shape_of
from farthing.learn.cross.export.check import Agreement, check_export
from farthing.learn.cross.export.generic import traced, with_integers
from farthing.learn.cross.export.precision import HalfGraph, IntegerGraph, measure
from farthing.learn.cross.scores import correlation, has_types, torch_scores
from farthing.learn.data.dataset import tokenised
from farthing.learn.data.humans import Judged
from farthing.learn.data.store import SCORE, PairTable
from farthing.learn.data.tables import read_any_pairs
from farthing.learn.train.layers import count_parameters
from farthing.learn.train.processes import quiet_transformers
from farthing.students.card import cross_card
from farthing.students.cross import CrossStudent
from farthing.students.layout import CARD, TOKENIZER, StudentFolder, add_facts
from farthing.students.pair_ids import PairIds, as_batch
from farthing.students.runners import TorchRunner

if TYPE_CHECKING:
    from transformers import PreTrainedModel

StudentPrecision: TypeAlias = Literal["fp32", "fp16", "int8"]
PRECISIONS = ("fp32", "fp16", "int8")
MOST_PAIRS = 1000  # that the check uses
UNKNOWN_LICENCE = "unknown: say which licence the weights and data that it was made from allow"
NO_LIMIT = 10**6  # tokens; the model's own limit still holds


def export(
    student: str,
    target: str | Path,
    *,
    precision: StudentPrecision = "fp32",
    pairs: str | Path | None = None,
    human: Judged | None = None,
    licence: str | None = None,
    overwrite: bool = False,
) -> Agreement:
    """Write the exported folder, or refuse if it deviates from the original.

    :param pairs: pairs to check on and to measure ranges and speed with; scored ones give the teacher's agreement
    :param human: judged pairs, to measure the agreement with people
    :param licence: for the card; by default what the folder says
    """
    if precision not in PRECISIONS:
        raise UnknownName("precision", precision, PRECISIONS)
    if precision == "int8" and pairs is None:
        raise UsageError("int8 needs pairs to measure its ranges on: give --pairs (annotated ones are best)")
    _needs_onnx()
    quiet_transformers()
    folder = locate(student)
    model = _trained_model(folder)
    table = read_any_pairs(pairs, columns=_columns(folder)) if pairs is not None else None
    rows = _check_rows(folder, table)
    original = torch_scores(model, rows, Tokenizer(folder).pad)
    with new_folder(Path(target), overwrite) as place:
        (place / GRAPH).write_bytes(_graph(model, folder, precision, rows, place))
        _copy_tokenizer(folder, place)
        shutil.copy2(folder / CONFIG, place / CONFIG)
        add_facts(place, kind="cross", precision=precision)
        exported = CrossStudent(place, threads=1)
        agreement = check_export(exported, original, rows, precision)
        facts = {**_facts(folder, model, precision, agreement, licence), **_agreements(exported, place, table, human)}
        add_facts(place, **facts)
        (place / CARD).write_text(cross_card(Path(target).name, StudentFolder.read(place).facts), "utf-8")
    return agreement


def _columns(folder: Path) -> Columns | None:
    """Name the column that the student compares with, if it is not the references'."""
    return Columns(reference=SOURCE[:1]) if StudentFolder.read(folder).against == "source" else None


def _needs_onnx() -> None:
    try:
        import onnx  # noqa: F401
    except ImportError as error:
        raise MissingExtra("exporting", "learn") from error


def _trained_model(folder: Path) -> PreTrainedModel:
    """Load the trained model, or raise if the folder cannot be a student."""
    if (folder / GRAPH).exists() and not any(folder.glob("*.safetensors")):
        raise ModelError(f"{folder} is already exported: give the folder that farthing learn distil wrote")
    CrossStudent(folder, threads=1)
    return TorchRunner(folder).model


def _check_rows(folder: Path, table: PairTable | None) -> list[PairIds]:
    """Choose the pairs to check on: some of the given ones, or random tokens if none are given."""
    random = np.random.default_rng(1)
    if table is not None:
        places = random.permutation(len(table))[:MOST_PAIRS]
        some = table.rows(places)
        return tokenised(folder, some.candidates, some.references, NO_LIMIT)
    tokenizer = Tokenizer(folder)
    sizes = random.integers(1, 40, size=(128, 2))
    return [
        PairIds(*tokenizer.paired(*(random.integers(5, tokenizer.size, size=one).tolist() for one in pair)))
        for pair in sizes
    ]


def _graph(model: PreTrainedModel, folder: Path, precision: str, rows: Sequence[PairIds], place: Path) -> bytes:
    shape = shape_of(model.config)
    if shape is None:
        return _generic_graph(model, precision, place)
    weights = {name: value.detach().cpu().float().numpy() for name, value in model.state_dict().items()}
    if precision == "int8":
        pad = Tokenizer(folder).pad
        groups = batches([len(row.ids) for row in rows], slack=0.05)
        feeds = (_feed([rows[row] for row in group], pad) for group in groups)
        graph: BertGraph = IntegerGraph(shape, weights, measure(shape, weights, feeds))
    else:
        graph = (HalfGraph if precision == "fp16" else BertGraph)(shape, weights)
    return bytes(graph.build().SerializeToString())


def _generic_graph(model: PreTrainedModel, precision: str, place: Path) -> bytes:
    if precision == "fp16":
        raise UsageError(f"fp16 is for BERT students; export this {model.config.model_type} as fp32 or int8")
    graph = traced(model, has_types(model))
    if precision == "fp32":
        return graph
    try:
        return with_integers(graph, place)
    finally:
        for name in ("float.onnx", "integer.onnx"):
            (place / name).unlink(missing_ok=True)


def _feed(rows: Sequence[PairIds], pad: int) -> dict[str, np.ndarray]:
    return {name: value.astype(np.int32) for name, value in as_batch(rows, pad).items()}


def _copy_tokenizer(folder: Path, place: Path) -> None:
    for name in TOKENIZER:
        if (folder / name).exists():
            shutil.copy2(folder / name, place / name)
    if not (place / "tokenizer.json").exists():
        load_tokenizer(folder).backend_tokenizer.save(str(place / "tokenizer.json"))


def _facts(
    folder: Path, model: PreTrainedModel, precision: str, agreement: Agreement, licence: str | None
) -> dict[str, object]:
    trained = StudentFolder.read(folder).facts
    return {
        "kind": "cross",
        "precision": precision,
        "cut_to_first_row": shape_of(model.config) is not None,
        "parameters": trained.get("parameters", count_parameters(model)),
        "export": asdict(agreement),
        "licence": licence or trained.get("licence", UNKNOWN_LICENCE),
    }


def _agreements(
    exported: CrossStudent, place: Path, table: PairTable | None, human: Judged | None
) -> dict[str, object]:
    """Measure the agreement with the teacher and with people, as far as there are scores of them."""
    facts: dict[str, object] = {}
    if table is not None and SCORE in table.columns:
        rows = tokenised(place, table.candidates[:MOST_PAIRS], table.references[:MOST_PAIRS], NO_LIMIT)
        value = correlation(table.scores[:MOST_PAIRS], exported.scores(rows))
        facts["teacher_agreement"] = {"pairs": len(rows), "pearson": round(value, 4)}
    if human is not None:
        from farthing.metrics.frugalscore import FrugalScore

        scores = np.asarray(FrugalScore(model=str(place), threads=1).score(human.pairs).segments)
        facts["human_agreement"] = {"data": human.name, "pearson": round(human.agreement(scores), 4)}
    return facts
