"""Token distillation from annotated pairs: the teacher's token vectors first, then a head on the scores."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from farthing.core.digest import digest_json
from farthing.core.errors import InputError
from farthing.core.progress import Log, silent_log
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import check_new, claim_run, new_folder
from farthing.learn.data.examples import Examples
from farthing.learn.data.store import PairTable
from farthing.learn.data.tables import read_any_pairs
from farthing.learn.match.calibration import floor_of
from farthing.learn.match.export import write_judge
from farthing.learn.match.model import Judge
from farthing.learn.match.settings import MatchSettings
from farthing.learn.match.token_distillation import distil_tokens, first_table, lessons, token_settings
from farthing.learn.match.tokens import ContextualTokens, load_transformer
from farthing.learn.match.training import judged, train_judge
from farthing.students.match import MatchStudent

SKIP_WIDTH = 128  # numbers per token vector
LEAST_PAIRS = 4  # with fewer pairs no scale can be found


@dataclass(frozen=True, slots=True)
class TokenDistillation:
    """How to distil tokens.

    :param teacher: a finished student of the kind match or static, or its name
    :param student: the encoder to start from
    :param depth: keep only its first layers
    """

    teacher: str
    student: str
    depth: int | None = None
    epochs: float = 3
    rate: float = 1e-3
    seed: int = 1


def distil_by_tokens(
    pairs: str | Path,
    target: str | Path,
    plan: TokenDistillation,
    *,
    overwrite: bool = False,
    log: Log = silent_log,
) -> float:
    """Learn the teacher's vectors on the texts of annotated pairs, then a head on their scores; write the student.

    Checkpoints lie beside it, in `<target>.run`, from which the same call resumes an interrupted run.

    :returns: the correlation of the finished student with the scores
    """
    place = Path(target)
    check_new(place, overwrite)
    folder = locate(plan.student)
    locate(plan.teacher)
    table = read_any_pairs(pairs, scored=True, log=log)
    if len(table) < LEAST_PAIRS or np.ptp(table.scores) < 1e-9:
        raise InputError(f"at least {LEAST_PAIRS} pairs with different scores are needed", path=str(pairs))
    run = place.with_name(f"{place.name}.run")
    claim_run(run, [asdict(plan), digest_json([table.candidates, table.references, table.scores.tolist()])])
    judge = _learned(table, folder, plan, run, log)
    scores = judged(judge, Tokenizer(folder), table.candidates, table.references)
    others = [*table.references[len(table) // 2 :], *table.references[: len(table) // 2]]
    unrelated = judged(judge, Tokenizer(folder), table.candidates, others)
    with new_folder(place, overwrite) as made:
        floor = floor_of(unrelated, float(judge.head.top.detach()))
        write_judge(judge, folder, made, floor=floor, about={"teacher": plan.teacher})
    shutil.rmtree(run)
    return float(np.corrcoef(scores, table.scores)[0, 1])


def _learned(table: PairTable, folder: Path, plan: TokenDistillation, run: Path, log: Log) -> Judge:
    torch.manual_seed(plan.seed)
    tokenizer = Tokenizer(folder)
    tokens = ContextualTokens(load_transformer(folder, plan.depth), torch.zeros(tokenizer.size, SKIP_WIDTH))
    texts = list(dict.fromkeys([*table.candidates, *table.references]))
    given = lessons(MatchStudent(locate(plan.teacher)), tokenizer, texts, SKIP_WIDTH)
    tokens.start(*map(torch.from_numpy, first_table(given)))
    distil_tokens(tokens, tokenizer, given, token_settings(plan.epochs, plan.rate, plan.seed), run / "tokens", log)
    judge = Judge(tokens, hidden=8)
    scores = (table.scores - table.scores.mean()) / table.scores.std()
    data = Examples(table.candidates, table.references, scores, np.ones(len(table)))
    settings = MatchSettings(epochs=1, head_rate=2e-3, parts=False, seed=plan.seed)
    train_judge(judge, tokenizer, data, settings, run / "head", log=log)
    return judge
