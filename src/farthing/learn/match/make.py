"""Make a student by its recipe: teachers, their scores, token distillation, training, calibration, export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np
import torch

from farthing.core.arrays import Segments
from farthing.core.errors import UsageError
from farthing.core.progress import Log, silent_log
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import new_folder
from farthing.learn.data.examples import Examples
from farthing.learn.data.judgements import read_judged
from farthing.learn.match.calibration import floor_of, write_lower_end
from farthing.learn.match.export import write_judge
from farthing.learn.match.model import Judge
from farthing.learn.match.recipe import Distillation, JudgeRecipe, StudentRecipe
from farthing.learn.match.token_distillation import (
    distil_tokens,
    first_table,
    lessons,
    read_sentences,
    token_settings,
)
from farthing.learn.match.tokens import ContextualTokens, StaticTokens, load_transformer
from farthing.learn.match.training import judged, train_judge
from farthing.learn.match.work import Work, data_key, folder_key, step_key
from farthing.learn.pairs.drawn import TextPair, drawn
from farthing.students import surface
from farthing.students.match import MatchStudent

UNRELATED = 1000  # pairs that set the lower end of the scale
RELATED = 1000  # pairs that show how far scores and shared characters go together
ASKED = 2000  # pairs that a teacher scores at a time
TOKEN_WIDTH = 128  # numbers per token vector if the recipe does not say


class Maker:
    """Follows one recipe.

    :param root: the folder that holds the recipe's data files
    :param models: the folder that holds its models; a name that is not in it is looked up as usual
    :param work: the folder of finished steps, from which an interrupted run resumes
    """

    def __init__(
        self, recipe: StudentRecipe, root: Path, models: Path | None, work: Path, log: Log = silent_log
    ) -> None:
        self.recipe, self.root, self.models, self.log = recipe, root, models, log
        self.work = Work(work, log)
        self._content = cache(folder_key)

    def folder(self, name: str) -> Path:
        """Find a model's folder."""
        beside = self.models / name if self.models else None
        return beside if beside and beside.is_dir() else locate(name)

    def make(self, target: Path, *, overwrite: bool = False) -> None:
        """Do everything, up to the student's folder, which appears whole or not at all."""
        recipe = self.recipe
        human = [self._human(number) for number in range(len(recipe.human))]
        repeated = [part for part, one in zip(human, recipe.human, strict=True) for _ in range(one.repeat)]
        labelled = self._labelled(human)
        start = self.folder(recipe.student.start)
        student = self._student(human, labelled, Examples.joined([*repeated, *labelled]))
        pairs = self._unrelated()
        values = judged(student, Tokenizer(start), [a for a, _ in pairs], [b for _, b in pairs])
        floor = floor_of(values, float(student.head.top.detach()))
        with new_folder(target, overwrite) as folder:
            write_judge(student, start, folder, floor=floor, about=dict(recipe.about))
            self.calibrate(folder, human)
        self.log(f"wrote {target}")

    def calibrate(self, folder: Path, human: Sequence[Examples] | None = None) -> None:
        """Write the lower end of the scale into a finished student's folder, by pairs of the recipe's data."""
        if human is None:
            human = [self._human(number) for number in range(len(self.recipe.human))]
        write_lower_end(folder, self._related(human), self._unrelated())

    def _unrelated(self) -> list[TextPair]:
        return drawn("unrelated", self.root / self.recipe.unrelated, UNRELATED, self.recipe.seed + 100)

    def _related(self, human: Sequence[Examples]) -> list[TextPair]:
        """Draw pairs that people judged, or, if there are none, pairs of the first source that the teachers judged."""
        pairs = [pair for part in human for pair in zip(part.candidates, part.references, strict=True)]
        pairs = pairs or self._drawn(0)
        order = np.random.default_rng(self.recipe.seed).permutation(len(pairs))[:RELATED]
        return [pairs[place] for place in order]

    def _human(self, number: int) -> Examples:
        one = self.recipe.human[number]
        without = [self.root / name for name in one.without]
        pairs = read_judged(
            self.root / one.file, by=one.by or "none", only=one.only, without=without, least=1, log=self.log
        )
        return Examples.judged(pairs, count=one.count, weight=one.weight, seed=self.recipe.seed + number)

    def _labelled(self, human: list[Examples]) -> list[Examples]:
        """Draw pairs, and give them the mean of the teachers' scores, source by source."""
        labelled = []
        for number, one in enumerate(self.recipe.drawn):
            pairs = self._drawn(number)
            opinions = [self._opinion(teacher, human, pairs) for teacher in range(len(self.recipe.teachers))]
            weights = np.full(len(pairs), one.weight)
            labelled.append(Examples([a for a, _ in pairs], [b for _, b in pairs], np.mean(opinions, axis=0), weights))
        return labelled

    def _drawn(self, number: int) -> list[TextPair]:
        one = self.recipe.drawn[number]
        return drawn(
            one.kind, self.root / one.file, one.count, self.recipe.seed + 10 + number, one.most_words,
            [self.root / name for name in one.without],
        )  # fmt: skip

    def _opinion(self, number: int, human: list[Examples], pairs: list[TextPair]) -> Segments:
        """Let one teacher score the drawn pairs; the scores are kept, since they are expensive."""
        key = step_key(self._teacher_key(number, human), pairs)
        return self.work.array(f"teacher{number}", key, lambda: self._asked(number, human, pairs))

    def _asked(self, number: int, human: list[Examples], pairs: list[TextPair]) -> Segments:
        teacher = self.recipe.teachers[number]
        folder = self.folder(teacher.start)
        self.log(f"teacher {number + 1} scores {len(pairs)} pairs")
        if teacher.finished:
            return asked(MatchStudent(folder).raw, pairs)
        judge = self._teacher(number, human)
        return asked(lambda first, second: judged(judge, Tokenizer(folder), first, second), pairs)

    def _teacher(self, number: int, human: list[Examples]) -> Judge:
        """Train a teacher on the human scores, or load the one that was trained."""
        teacher = self.recipe.teachers[number]
        judge = self.judge(teacher, "match")
        key, pairs = self._teacher_key(number, human), Examples.joined(human)
        name = f"teacher{number}"
        self.work.trained(name, key, judge, lambda run: self._train(name, judge, teacher, pairs, run))
        return judge

    def _teacher_key(self, number: int, human: list[Examples]) -> str:
        teacher = self.recipe.teachers[number]
        learned = None if teacher.finished else data_key(Examples.joined(human))
        return step_key(self._start_key(teacher), learned)

    def _start_key(self, start: JudgeRecipe) -> str:
        return step_key(asdict(start), self._content(self.folder(start.start)))

    def _student(self, human: list[Examples], labelled: list[Examples], pairs: Examples) -> Judge:
        """Train the student, or load the one that was trained."""
        recipe = self.recipe
        judge = self.judge(recipe.student, recipe.kind)
        texts = self._texts(recipe.distillation, labelled) if recipe.distillation else []
        begins = step_key(self._start_key(recipe.student), recipe.kind, self._begin_key(human), texts)

        def train(run: Path) -> None:
            self._begin(judge, human)
            if recipe.distillation:
                self._distil(judge, recipe.distillation, texts, begins)
            self._train("student", judge, recipe.student, pairs, run)

        self.work.trained("student", step_key(begins, data_key(pairs)), judge, train)
        return judge

    def _begin_key(self, human: list[Examples]) -> list[object]:
        """Name what the student's own table of the recipe does not tell about how it starts to learn scores."""
        number, plan = self.recipe.student.continues, self.recipe.distillation
        teacher = None if number is None else self._teacher_key(self._continued(number), human)
        tokens = [asdict(plan), self._content(self.folder(plan.teacher))] if plan else None
        return [teacher, tokens, self.recipe.seed]

    def _continued(self, number: int) -> int:
        """Check which teacher (from 1) the student continues, and count from 0."""
        teachers = self.recipe.teachers
        if not 1 <= number <= len(teachers) or teachers[number - 1].finished:
            raise UsageError(f"the student continues teacher {number}, which the recipe does not train")
        return number - 1

    def _begin(self, judge: Judge, human: list[Examples]) -> None:
        if (number := self.recipe.student.continues) is not None:
            judge.load_state_dict(self._teacher(self._continued(number), human).state_dict())

    def _texts(self, plan: Distillation, labelled: list[Examples]) -> list[str]:
        """Draw the texts of token distillation: sentences of the corpus, then texts of the drawn pairs."""
        texts = read_sentences(self.root / plan.corpus, plan.sentences, self.recipe.seed)
        own = [text for part in labelled for text in (*part.candidates, *part.references)]
        order = np.random.default_rng(self.recipe.seed).permutation(len(own))[: plan.sentences]
        return texts + [own[place] for place in order]

    def _distil(self, judge: Judge, plan: Distillation, texts: Sequence[str], key: str) -> None:
        """Let the student learn the teacher's token vectors, or load what it has learned."""
        student, tokenizer = self.recipe.student, Tokenizer(self.folder(self.recipe.student.start))

        def train(run: Path) -> None:
            given = lessons(MatchStudent(self.folder(plan.teacher)), tokenizer, texts, student.width or TOKEN_WIDTH)
            self.log(f"token distillation: {len(given)} sentences")
            if self.recipe.kind == "static" or student.skip:
                judge.tokens.start(*map(torch.from_numpy, first_table(given)))
            settings = token_settings(plan.epochs, plan.rate, self.recipe.seed)
            distil_tokens(judge.tokens, tokenizer, given, settings, run, self.log)

        self.work.trained("tokens", key, judge.tokens, train)

    def judge(self, start: JudgeRecipe, kind: str) -> Judge:
        """Make a judge that has learned nothing yet."""
        torch.manual_seed(start.training.seed)
        folder = self.folder(start.start)
        tokens: ContextualTokens | StaticTokens
        if kind == "static":
            tokens = StaticTokens(Tokenizer(folder).size, start.width or TOKEN_WIDTH, window=start.window)
        else:
            skip = torch.zeros(Tokenizer(folder).size, start.width or TOKEN_WIDTH) if start.skip else None
            tokens = ContextualTokens(load_transformer(folder, start.depth), skip)
        return Judge(tokens, len(surface.NAMES), start.hidden)

    def _train(self, name: str, judge: Judge, start: JudgeRecipe, pairs: Examples, run: Path) -> None:
        self.log(f"{name}: {len(pairs)} pairs, {start.training.epochs:g} epochs")
        tokenizer, continues = Tokenizer(self.folder(start.start)), start.continues is not None
        train_judge(judge, tokenizer, pairs, start.training, run, log=self.log, keep_head=continues)


def asked(teacher: Callable[[list[str], list[str]], Segments], pairs: Sequence[TextPair]) -> Segments:
    """Score many pairs by a teacher; those of one reference together, so that it is read once."""
    order = sorted(range(len(pairs)), key=lambda row: (pairs[row][1], row))
    scores = np.empty(len(pairs))
    for begin in range(0, len(order), ASKED):
        rows = order[begin : begin + ASKED]
        scores[rows] = teacher([pairs[row][0] for row in rows], [pairs[row][1] for row in rows])
    return scores
