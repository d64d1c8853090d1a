"""What the export costs a student: its agreement with people before and after, in 8 bits (and a table of 4).

    python benchmarks/students_precision.py RECIPE WORK STUDENT SHARED MODELS [--limit ROWS]

WORK is the folder in which `farthing learn student RECIPE` kept the trained weights, STUDENT a folder that it wrote,
SHARED the folder with the developers' data, MODELS the one with the starting weights. A student that reads English is
asked about WMT16 to-English; one for many languages also about English-Russian and STS-B; one that compares with
sources about MLQE-PE and the Indian languages. `--limit` reads about so many rows per language.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from farthing.core.types import Pairs
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.match.make import Maker
from farthing.learn.match.model import Judge
from farthing.learn.match.recipe import read_student_recipe
from farthing.learn.match.tokens import ContextualTokens
from farthing.learn.match.training import ONLY, judged
from farthing.learn.study.languages import QUESTIONS, read_rows, with_people
from farthing.students.match import MatchStudent


def questions(student: MatchStudent) -> list[str]:
    """The names of the questions that a student is asked."""
    if student.against == "source":
        return ["mlqe", "indic"]
    return ["wmt16_to_english"] if student.reads else ["wmt16_to_russian", "wmt16_to_english", "stsb"]


def trained(given: argparse.Namespace, name: str) -> tuple[Judge, Tokenizer]:
    """The judge in full precision: the student, or the one that compares with sources."""
    maker = Maker(read_student_recipe(given.recipe), given.shared / "data", given.models, given.work, print)
    panel = maker.panel()
    panel.load_state_dict(load_file(given.work / "student.safetensors"))
    for one in map(panel.judge, panel.judges):
        if isinstance(one.tokens, ContextualTokens):
            one.tokens.fast = False
    return panel.judge(name), Tokenizer(maker.start)


def texts(pairs: Pairs) -> tuple[list[str], list[str]]:
    """Candidates, and what they are compared with."""
    against = [references[0] for references in pairs.references] if pairs.sources is None else list(pairs.sources)
    return list(pairs.candidates), against


def full_scores(judge: Judge, tokenizer: Tokenizer, pairs: Pairs) -> np.ndarray:
    """The scores in full precision; with a reference nothing is above equal texts."""
    found = judged(judge, tokenizer, *texts(pairs))
    return found if pairs.sources is not None else np.minimum(found, float(judge.head.top.detach()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("recipe", "work", "student", "shared", "models"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    torch.set_num_threads(1)
    student = MatchStudent(given.student)
    judge, tokenizer = trained(given, "source" if student.against == "source" else ONLY)
    for name in questions(student):
        question, found = QUESTIONS[name], []
        for group, rows in read_rows(given.shared / "data" / "human", question, given.limit).items():
            both = (full_scores(judge, tokenizer, rows.pairs), student.raw(*texts(rows.pairs)))
            found.append([with_people(rows, scores, question.coefficient) for scores in both])
            print(f"{name} {group} {found[-1][0]:.4f} in full, {found[-1][1]:.4f} as exported", flush=True)
        means = np.mean(found, axis=0)
        print(f"{name} mean {means[0]:.4f} in full, {means[1]:.4f} as exported, loss {means[0] - means[1]:.4f}")


if __name__ == "__main__":
    main()
