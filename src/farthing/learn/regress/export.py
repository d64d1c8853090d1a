"""Write an estimator so that it scores without torch, with the proof that both agree."""

from __future__ import annotations

import shutil
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import ModelError, UsageError
from farthing.core.types import Pairs
from farthing.encoders.folder.export import Precision, write_export
from farthing.encoders.folder.layout import WEIGHTS
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import check_new, new_folder
from farthing.learn.cross.export.check import Agreement, export_agreement
from farthing.learn.data.humans import Judged
from farthing.students.estimator import EstimatorStudent
from farthing.students.estimator_card import estimator_card
from farthing.students.layout import CARD, HEAD, StudentFolder, add_facts

ROWS = 200  # texts that both score
PRECISIONS: tuple[Precision, ...] = ("fp32", "int8")


def export_estimator(
    student: str | Path,
    target: str | Path,
    *,
    precision: str = "fp32",
    human: Judged | None = None,
    licence: str | None = None,
    overwrite: bool = False,
) -> Agreement:
    """Export an estimator's encoder to ONNX; an export that deviates from the original is not written.

    :param precision: "fp32", or "int8" for weights and products of eight bits
    :param human: rows to compare both on; by default rows of random tokens
    :param licence: for the card; by default the original's
    """
    folder, place = locate(student), Path(target)
    check_new(place, overwrite)
    if precision not in PRECISIONS:
        raise UsageError(f"an estimator is exported as {' or '.join(PRECISIONS)}, not {precision}")
    if not (folder / WEIGHTS).is_file() and "export" in StudentFolder.read(folder).facts:
        raise ModelError(f"{folder} is already exported: give the folder that farthing learn regress wrote")
    original = EstimatorStudent(folder, threads=1)
    rows = human.pairs.part(0, ROWS) if human is not None else random_rows(original)
    expected = scores_of(original, rows)
    with new_folder(place, overwrite) as made:
        written = not (folder / WEIGHTS).is_file()
        layers = None if written else original.regressor.layers
        chosen: Precision = "int8" if precision == "int8" else "fp32"
        write_export(folder, made, name=folder.resolve().name, precision=chosen, layers=layers, written=written)
        shutil.copy2(folder / HEAD, made / HEAD)
        add_facts(made, precision=precision, **({"licence": licence} if licence else {}))
        exported = EstimatorStudent(made, threads=1)
        began = time.process_time()
        agreement = export_agreement(
            scores_of(exported, rows), expected, len(rows), time.process_time() - began, precision
        )
        add_facts(made, export=asdict(agreement))
        (made / CARD).write_text(estimator_card(place.name, StudentFolder.read(made).facts), encoding="utf-8")
    return agreement


def scores_of(student: EstimatorStudent, rows: Pairs) -> Segments:
    """Return one score per row."""
    return student.score_systems([rows])[0].segments


def random_rows(student: EstimatorStudent) -> Pairs:
    """Make rows of random tokens; a text has from 2 to 39 of them."""
    random, tokenizer = np.random.default_rng(1), Tokenizer(student.folder.path, leading_space=False)
    tokens = [tokenizer.token(number) for number in range(min(tokenizer.size, 5000))]
    words = [token.strip("#▁Ġ") for token in tokens]
    known = [word for word in words if word and not word.startswith(("[", "<"))]

    def texts() -> list[str]:
        return [" ".join(random.choice(known, random.integers(2, 40))) for _ in range(ROWS // 2)]

    return Pairs(texts(), [[text] for text in texts()], texts())
