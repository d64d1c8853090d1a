"""Token distillation as a mode of `farthing learn distil`: token vectors first, then a head on the teacher's scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from farthing.core.errors import InputError
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import check_new, new_folder
from farthing.learn.data.examples import Examples
from farthing.learn.data.store import PairTable, read_pairs
from farthing.learn.match.calibration import floor_of
from farthing.learn.match.export import write_student
from farthing.learn.match.model import Judge
from farthing.learn.match.plan import Plan
from farthing.learn.match.token_distillation import Log, distil_tokens, first_table, lessons
from farthing.learn.match.tokens import ContextualTokens, load_transformer
from farthing.learn.match.training import fit, judged
from farthing.students import surface
from farthing.students.match import Student

WIDTH = 128  # numbers a token vector
LEAST = 4  # pairs, below which no scale can be found


@dataclass(frozen=True, slots=True)
class TokenDistillation:
    """How to distil tokens.

    :param teacher: a finished student of the kind match or static, or its name
    :param student: the encoder to start from
    :param layers: keep only its first layers
    """

    teacher: str
    student: str
    layers: int | None = None
    epochs: int = 3
    rate: float = 1e-3
    seed: int = 1


def distil_by_tokens(
    pairs: str | Path,
    target: str | Path,
    plan: TokenDistillation,
    *,
    overwrite: bool = False,
    log: Log = lambda line: None,
) -> float:
    """Learn the teacher's vectors on the texts of annotated pairs, then a head on their scores; write the student.

    :returns: the correlation of the finished student with the scores
    """
    table = read_pairs(pairs, scored=True)
    check_new(Path(target), overwrite)
    if len(table) < LEAST or np.ptp(table.scores) < 1e-9:
        raise InputError(f"at least {LEAST} pairs of different scores are needed", path=str(pairs))
    folder = locate(plan.student)
    judge = _learned(table, folder, plan, log)
    found = judged(judge, Tokenizer(folder), table.candidates, table.references)
    others = [*table.references[len(table) // 2 :], *table.references[: len(table) // 2]]
    apart = judged(judge, Tokenizer(folder), table.candidates, others)
    with new_folder(Path(target), overwrite) as place:
        floor = floor_of(apart, float(judge.head.top.detach()))
        write_student(judge, folder, place, floor=floor, about={"teacher": plan.teacher})
    return float(np.corrcoef(found, table.scores)[0, 1])


def _learned(table: PairTable, folder: Path, plan: TokenDistillation, log: Log) -> Judge:
    torch.manual_seed(plan.seed)
    tokenizer = Tokenizer(folder)
    tokens = ContextualTokens(load_transformer(folder, plan.layers), torch.zeros(tokenizer.size, WIDTH))
    texts = list(dict.fromkeys([*table.candidates, *table.references]))
    given = lessons(Student(locate(plan.teacher)), tokenizer, texts, WIDTH)
    tokens.start(*map(torch.from_numpy, first_table(given)))
    distil_tokens(tokens, tokenizer, given, epochs=plan.epochs, rate=plan.rate, seed=plan.seed, log=log)
    judge = Judge(tokens, len(surface.NAMES), hidden=8)
    scores = (table.scores - table.scores.mean()) / table.scores.std()
    data = Examples(table.candidates, table.references, scores, np.ones(len(table)))
    fit(judge, tokenizer, data, Plan(epochs=1, head_rate=2e-3, parts=False, seed=plan.seed), log)
    return judge
