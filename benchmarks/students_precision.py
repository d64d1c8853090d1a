"""What 8 bits cost a student: its agreement with people on WMT16 to-English before and after the export.

    python benchmarks/students_precision.py RECIPE WORK STUDENT SHARED MODELS

WORK is the folder in which `farthing learn student RECIPE` kept the trained weights, STUDENT the folder that it wrote,
SHARED the folder with the developers' data, MODELS the one with the starting weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.match.make import Maker
from farthing.learn.match.recipe import read_student_recipe
from farthing.learn.match.tokens import ContextualTokens
from farthing.learn.match.training import judged
from farthing.learn.study.measure import WMT16, HumanSet
from farthing.students.match import MatchStudent


def before(recipe_path: Path, work: Path, models: Path, candidates: list[str], references: list[str]) -> np.ndarray:
    """The scores in full precision."""
    recipe = read_student_recipe(recipe_path)
    maker = Maker(recipe, Path(), models, work, print)
    judge = maker.judge(recipe.student, recipe.kind)
    judge.load_state_dict(load_file(work / "student.safetensors"))
    if isinstance(judge.tokens, ContextualTokens):
        judge.tokens.fast = False
    found = judged(judge, Tokenizer(maker.folder(recipe.student.start)), candidates, references)
    return np.minimum(found, float(judge.head.top.detach()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("recipe", "work", "student", "shared", "models"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    rows = HumanSet.read(given.shared / "data" / "human", WMT16).to_english()
    candidates, references = list(rows.pairs.candidates), [texts[0] for texts in rows.pairs.references]
    full = before(given.recipe, given.work, given.models, candidates, references)
    eight = MatchStudent(given.student).raw(candidates, references)
    found, groups = [], np.array(rows.groups)
    for pair in sorted({*rows.groups}):
        human = rows.human[groups == pair]
        found.append([float(np.corrcoef(scores[groups == pair], human)[0, 1]) for scores in (full, eight)])
        print(f"{pair} {found[-1][0]:.4f} in full, {found[-1][1]:.4f} in 8 bits")
    means = np.mean(found, axis=0)
    print(f"mean {means[0]:.4f} in full, {means[1]:.4f} in 8 bits, loss {means[0] - means[1]:.4f}")


if __name__ == "__main__":
    main()
