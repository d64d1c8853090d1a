"""Make a student by its recipe: teachers, their scores, token distillation, training, calibration, export."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import new_folder
from farthing.files.write import replacing
from farthing.learn.data.examples import Examples
from farthing.learn.data.judgements import read_judged
from farthing.learn.match.calibration import floor_of
from farthing.learn.match.export import write_student
from farthing.learn.match.model import Judge
from farthing.learn.match.recipe import JudgeRecipe, StudentRecipe
from farthing.learn.match.token_distillation import distil_tokens, first_table, lessons, read_sentences
from farthing.learn.match.tokens import ContextualTokens, StaticTokens, load_transformer
from farthing.learn.match.training import fit, judged
from farthing.learn.pairs.drawn import TextPair, drawn
from farthing.students import surface
from farthing.students.match import Student

UNRELATED = 1000  # pairs that set the lower end of the scale
ASKED = 2000  # pairs that a teacher judges at a time
WIDTH = 128  # numbers a token vector, where the recipe does not say
Log = Callable[[str], None]


class Maker:
    """Follows one recipe.

    :param root: the folder below which the recipe's data files are
    :param models: the folder below which its models are; names that are not there are looked up as usual
    :param work: where judges and labels are kept as they are finished, so that a stopped run goes on
    """

    def __init__(self, recipe: StudentRecipe, root: Path, models: Path | None, work: Path, log: Log) -> None:
        self.recipe, self.root, self.models, self.work, self.log = recipe, root, models, work, log
        work.mkdir(parents=True, exist_ok=True)

    def folder(self, name: str) -> Path:
        """A model's folder."""
        beside = self.models / name if self.models else None
        return beside if beside and beside.is_dir() else locate(name)

    def make(self, target: Path, *, overwrite: bool = False) -> None:
        """Everything, up to the student's folder, which appears whole or not at all."""
        recipe = self.recipe
        human = [self._human(number) for number in range(len(recipe.human))]
        often = [part for part, one in zip(human, recipe.human, strict=True) for _ in range(one.repeat)]
        labelled = self._labelled(human)
        start = self.folder(recipe.student.start)
        student = self._student(Tokenizer(start), labelled)
        self._trained("student", student, recipe.student, Examples.joined([*often, *labelled]))
        pairs = drawn("unrelated", self.root / recipe.unrelated, UNRELATED, recipe.seed + 100)
        values = judged(student, Tokenizer(start), [a for a, _ in pairs], [b for _, b in pairs])
        floor = floor_of(values, float(student.head.top.detach()))
        with new_folder(target, overwrite) as folder:
            write_student(student, start, folder, floor=floor, about=dict(recipe.about))
        self.log(f"wrote {target}")

    def _human(self, number: int) -> Examples:
        one, without = self.recipe.human[number], [self.root / name for name in self.recipe.human[number].without]
        judged = read_judged(
            self.root / one.file, by=one.by or "none", only=one.only, without=without, least=1, log=self.log
        )
        return Examples.judged(judged, count=one.count, weight=one.weight, seed=self.recipe.seed + number)

    def _labelled(self, human: list[Examples]) -> list[Examples]:
        """Drawn pairs with the mean of the teachers' scores, source by source."""
        parts = self.recipe.drawn
        if not parts:
            return []
        sets = [
            drawn(
                one.kind, self.root / one.file, one.count, self.recipe.seed + 10 + n, one.most_words,
                [self.root / name for name in one.without],
            )
            for n, one in enumerate(parts)
        ]  # fmt: skip
        teachers = range(len(self.recipe.teachers))
        found = []
        for one, pairs in zip(parts, sets, strict=True):
            labels = np.mean([self._opinion(number, human, pairs) for number in teachers], axis=0)
            weights = np.full(len(pairs), one.weight)
            found.append(Examples([a for a, _ in pairs], [b for _, b in pairs], labels, weights))
        return found

    def _opinion(self, number: int, human: list[Examples], pairs: list[TextPair]) -> np.ndarray:
        """What one teacher says of the drawn pairs; kept, since it is dear."""
        digest = hashlib.sha256("\0".join(f"{a}\t{b}" for a, b in pairs).encode()).hexdigest()[:12]
        path = self.work / f"teacher{number}-{digest}.npy"  # another draw is another file
        if not path.exists():
            found = self._asked(number, human, pairs)
            with replacing(path) as stream:
                np.save(stream, found, allow_pickle=False)
        kept: np.ndarray = np.load(path, allow_pickle=False)
        return kept

    def _asked(self, number: int, human: list[Examples], pairs: list[TextPair]) -> np.ndarray:
        teacher = self.recipe.teachers[number]
        folder = self.folder(teacher.start)
        self.log(f"teacher {number + 1} scores {len(pairs)} pairs")
        if teacher.finished:
            return asked(Student(folder).raw, pairs)
        judge = self.judge(teacher, "match")
        self._trained(f"teacher{number}", judge, teacher, Examples.joined(human))
        return asked(lambda first, second: judged(judge, Tokenizer(folder), first, second), pairs)

    def _student(self, tokenizer: Tokenizer, labelled: list[Examples]) -> Judge:
        """The student as it begins to learn scores: after token distillation, where the recipe wants it."""
        recipe, plan = self.recipe, self.recipe.distillation
        judge = self.judge(recipe.student, recipe.kind)
        if recipe.student.continues is not None:
            judge.load_state_dict(load_file(self.work / f"teacher{recipe.student.continues - 1}.safetensors"))
        if plan is None or (self.work / "student.safetensors").exists():
            return judge
        texts = read_sentences(self.root / plan.corpus, plan.sentences, recipe.seed)
        own = [text for part in labelled for text in (*part.candidates, *part.references)]
        texts += [own[place] for place in np.random.default_rng(recipe.seed).permutation(len(own))[: plan.sentences]]
        width = recipe.student.width or WIDTH
        given = lessons(Student(self.folder(plan.teacher)), tokenizer, texts, width)
        self.log(f"token distillation: {len(given)} sentences")
        if recipe.kind == "static" or recipe.student.skip:
            judge.tokens.start(*map(torch.from_numpy, first_table(given)))
        distil_tokens(
            judge.tokens, tokenizer, given, epochs=plan.epochs, rate=plan.rate, seed=recipe.seed, log=self.log
        )
        return judge

    def judge(self, start: JudgeRecipe, kind: str) -> Judge:
        """A judge that has learned nothing yet."""
        torch.manual_seed(start.training.seed)
        folder = self.folder(start.start)
        tokens: ContextualTokens | StaticTokens
        if kind == "static":
            tokens = StaticTokens(Tokenizer(folder).size, start.width or WIDTH, window=start.window)
        else:
            skip = torch.zeros(Tokenizer(folder).size, start.width or WIDTH) if start.skip else None
            tokens = ContextualTokens(load_transformer(folder, start.depth), skip)
        return Judge(tokens, len(surface.NAMES), start.hidden)

    def _trained(self, name: str, judge: Judge, start: JudgeRecipe, pairs: Examples) -> None:
        """Train, or read what an earlier run has trained."""
        path = self.work / f"{name}.safetensors"
        if path.exists():
            judge.load_state_dict(load_file(path))
            return
        self.log(f"{name}: {len(pairs)} pairs, {start.training.epochs} epochs")
        tokenizer, goes_on = Tokenizer(self.folder(start.start)), start.continues is not None
        fit(judge, tokenizer, pairs, start.training, self.log, keep_head=goes_on)
        save_file({key: value.contiguous() for key, value in judge.state_dict().items()}, path)


def asked(teacher: Callable[[list[str], list[str]], np.ndarray], pairs: list[TextPair]) -> np.ndarray:
    """What a teacher says of many pairs; those of one reference together, so that it is read once."""
    order = sorted(range(len(pairs)), key=lambda row: (pairs[row][1], row))
    found = np.empty(len(pairs))
    for begin in range(0, len(order), ASKED):
        rows = order[begin : begin + ASKED]
        found[rows] = teacher([pairs[row][0] for row in rows], [pairs[row][1] for row in rows])
    return found
