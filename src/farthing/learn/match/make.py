"""Make a student by its recipe: teachers, their scores, token distillation, training, calibration, export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import torch

from farthing.core.arrays import Segments
from farthing.core.errors import UsageError
from farthing.core.progress import Log, silent_log
from farthing.encoders.backends.embedded import GraphPrecision
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import new_folder
from farthing.learn.match.building import TOKEN_WIDTH, new_judge, second_judge, start_folder
from farthing.learn.match.calibration import floor_of, write_lower_end
from farthing.learn.match.card import write_made_card
from farthing.learn.match.export import write_judge, write_second_judge
from farthing.learn.match.material import Material, asked, compared_with, examples_of, fixed_targets, gathered, judge_of
from farthing.learn.match.model import Judge
from farthing.learn.match.panel import Assignment, Panel
from farthing.learn.match.recipe import StudentRecipe
from farthing.learn.match.recipe_tables import Against, Distillation, DrawnPairs, JudgeRecipe
from farthing.learn.match.smoothing import usual_rows
from farthing.learn.match.token_distillation import (
    distil_tokens,
    distilled_texts,
    first_table,
    lessons,
    token_settings,
    turned,
)
from farthing.learn.match.tokens import BranchTokens, SharedTokens
from farthing.learn.match.training import ONLY, judged, train_panel
from farthing.learn.match.work import Work, data_key, folder_key, step_key
from farthing.learn.pairs.base import TextPair
from farthing.learn.pairs.drawn import told_of
from farthing.students.match import MatchStudent

NEARLY_ALL = 0.99  # of the translations; what they stay below reads as 100


class Maker:
    """Follows one recipe.

    :param root: the folder that holds the recipe's data files
    :param models: the folder that holds its models; a name that is not in it is looked up as usual
    :param work: the folder of finished steps, from which an interrupted run resumes
    :param step: the name of the student's own training among them
    """

    def __init__(
        self,
        recipe: StudentRecipe,
        root: Path,
        models: Path | None,
        work: Path,
        log: Log = silent_log,
        *,
        step: str = "student",
    ) -> None:
        self.recipe, self.root, self.models, self.log, self.step = recipe, root, models, log, step
        self.earlier = Maker(recipe.after, root, models, work, log, step=f"{step}_before") if recipe.after else None
        self.material = Material(recipe, root, log)
        self.work = Work(work, log)
        self._content = cache(folder_key)

    def folder(self, name: str) -> Path:
        """Find a model's folder."""
        beside = self.models / name if self.models else None
        return beside if beside and beside.is_dir() else locate(name)

    @cached_property
    def start(self) -> Path:
        """The folder that the student starts from, with fewer pieces and a rounded table if the recipe says so."""
        if self.earlier is not None:
            return self.earlier.start
        return start_folder(self.recipe, self.folder(self.recipe.student.start), self.root, self.work, self.log)

    def make(self, target: Path, *, overwrite: bool = False, precision: GraphPrecision = "int8") -> None:
        """Do everything, up to the folders of the student and of the second judge, which appear whole or not at all.

        :param precision: fp32 writes a second graph in full precision beside the usual one
        """
        if precision == "fp32" and self.recipe.kind == "static":
            raise UsageError("a student of the kind static has no graph and computes in fp32: leave out --precision")
        recipe = self.recipe
        human = self.material.human()
        panel = self.panel()
        self._learn(panel, human)
        with new_folder(target, overwrite) as folder:
            self._write(panel, folder, human, precision)
            self.calibrate(folder, human)
            write_made_card(folder, recipe, self.root, human)
        self.log(f"wrote {target}")
        if recipe.source is not None and panel.judge("source").head.started:  # else a later recipe teaches it
            second = target.with_name(recipe.source.folder)
            with new_folder(second, overwrite) as folder:
                self._write_second(panel, folder, target.name, human, precision)
                self.calibrate(folder, human, "source")
            self.log(f"wrote {second}")

    def _write(self, panel: Panel, folder: Path, human: Sequence[Assignment], precision: GraphPrecision) -> None:
        judge, tokens = panel.judge(ONLY), {name: panel.judge(name).tokens for name in panel.judges}
        floor, ceiling = self._ends(judge, human)
        write_judge(
            judge, self.start, folder, floor=floor, ceiling=ceiling, about=self._facts(),
            further={name: one for name, one in tokens.items() if isinstance(one, SharedTokens)},
            shared=self.recipe.source.shared if self.recipe.source else None,
            table_bits=self.recipe.table_bits, precision=precision,
            usual=self._usual(ONLY, human),
        )  # fmt: skip

    def _usual(self, against: Against, human: Sequence[Assignment]) -> list[list[int]]:
        """Return the ids of some texts that outputs were compared with when a judge last learned."""
        maker = self._maker_of(against)
        parts = human if maker is self else maker.material.human()
        return usual_rows((text for part in parts for text in part.examples.references), Tokenizer(self.start))

    def _facts(self) -> dict[str, object]:
        sources = compared_with(self.recipe) == "source"
        return {**self.recipe.about, **({"against": "source"} if sources else {})}

    def _ends(self, judge: Judge, human: Sequence[Assignment]) -> tuple[float, float | None]:
        """Return the values that read as 0 and as 100; None is that of equal texts.

        A source and its output are no equal texts: what nearly all known outputs stay below reads as 100 then.
        """
        unrelated = self._judged(judge, self._maker_of(ONLY).material.unrelated())
        if compared_with(self.recipe) == "reference":
            return floor_of(unrelated, float(judge.head.top.detach())), None
        ceiling = float(np.quantile(self._judged(judge, self.material.related(human)), NEARLY_ALL))
        return floor_of(unrelated, ceiling), ceiling

    def _write_second(
        self, panel: Panel, folder: Path, encoder: str, human: Sequence[Assignment], precision: GraphPrecision
    ) -> None:
        """Write the judge that compares with sources: what nearly all translations stay below reads as 100."""
        judge, about = panel.judge("source"), self.recipe.source.about if self.recipe.source else {}
        ceiling = float(np.quantile(self._judged(judge, self.material.translations()), NEARLY_ALL))
        floor = floor_of(self._judged(judge, self.material.unrelated("source")), ceiling)
        write_second_judge(
            judge, folder, encoder=encoder, floor=floor, ceiling=ceiling, about=about, precision=precision,
            usual=self._usual("source", human),
        )  # fmt: skip

    def calibrate(self, folder: Path, human: Sequence[Assignment] | None = None, against: Against = ONLY) -> None:
        """Write the lower end of the scale into a finished student's folder, by pairs of the recipe's data."""
        human = self.material.human() if human is None else human
        if (maker := self._maker_of(against)) is self:
            write_lower_end(folder, self.material.related(human, against), self.material.unrelated(against))
        else:
            maker.calibrate(folder, against=against)

    def _maker_of(self, against: Against) -> Maker:
        """Return who follows the recipe that a judge last learned from, whose pairs set the judge's scale."""
        return self if self.material.teaches(against) or self.earlier is None else self.earlier._maker_of(against)

    def _judged(self, judge: Judge, pairs: Sequence[TextPair]) -> Segments:
        return judged(judge, Tokenizer(self.start), [a for a, _ in pairs], [b for _, b in pairs])

    def _labelled(self, human: list[Assignment]) -> list[Assignment]:
        """Draw pairs, and give them their score or the mean of the teachers' scores, source by source."""
        labelled = []
        for number, one in enumerate(self.recipe.drawn):
            pairs = self.material.drawn(number)
            targets = fixed_targets(pairs, one)
            asked_for = np.flatnonzero(np.isnan(targets))
            if len(asked_for):
                texts = told_of([pairs[row] for row in asked_for])
                opinions = [self._opinion(teacher, human, texts) for teacher in self._teachers_of(one)]
                targets[asked_for] = np.mean(opinions, axis=0)
            labelled.append(Assignment(judge_of(self.recipe, one.against), examples_of(pairs, targets, one)))
        return labelled

    def _teachers_of(self, one: DrawnPairs) -> list[int]:
        """Return the numbers of the teachers who score some drawn pairs."""
        return [number for number, teacher in enumerate(self.recipe.teachers) if not one.by or teacher.start in one.by]

    def _opinion(self, number: int, human: list[Assignment], pairs: list[TextPair]) -> Segments:
        """Let one teacher score the drawn pairs; the scores are kept, since they are expensive."""
        key = step_key(self._teacher_key(number, human), pairs)
        return self.work.array(f"teacher{number}", key, lambda: self._asked(number, human, pairs))

    def _asked(self, number: int, human: list[Assignment], pairs: list[TextPair]) -> Segments:
        teacher = self.recipe.teachers[number]
        folder = self.folder(teacher.start)
        self.log(f"teacher {number + 1} scores {len(pairs)} pairs")
        if teacher.finished:
            return asked(MatchStudent(folder).raw, pairs)
        judge = self._teacher(number, human)
        return asked(lambda first, second: judged(judge, Tokenizer(folder), first, second), pairs)

    def _teacher(self, number: int, human: list[Assignment]) -> Judge:
        """Train a teacher on the human scores, or load the one that was trained."""
        teacher = self.recipe.teachers[number]
        judge = new_judge(teacher, "match", self.folder(teacher.start))
        key, parts = self._teacher_key(number, human), self._taught(human)
        name = f"teacher{number}"
        panel = Panel({ONLY: judge})
        self.work.trained(name, key, panel, lambda run: self._train(name, panel, teacher, parts, run))
        return judge

    def _taught(self, human: list[Assignment]) -> list[Assignment]:
        return gathered([part for part in human if part.judge == ONLY])

    def _teacher_key(self, number: int, human: list[Assignment]) -> str:
        teacher = self.recipe.teachers[number]
        learned = None if teacher.finished else data_key(self._taught(human))
        return step_key(self._start_key(teacher, self.folder(teacher.start)), learned)

    def _start_key(self, start: JudgeRecipe, folder: Path) -> str:
        return step_key(asdict(start), self._content(folder))

    def _learn(self, panel: Panel, human: list[Assignment]) -> str:
        """Train the student and the second judge in place, or load those that were trained; name what made them."""
        recipe = self.recipe
        repeated = [part for part, one in zip(human, recipe.human, strict=True) for _ in range(one.repeat)]
        labelled = self._labelled(human)
        parts = gathered([*repeated, *labelled])
        texts = distilled_texts(recipe.distillation, self.root, labelled, recipe.seed) if recipe.distillation else []
        second = asdict(recipe.source) if recipe.source else None
        before = [self.earlier._learn(panel, self.earlier.material.human())] if self.earlier else []
        begins = step_key(
            self._start_key(recipe.student, self.start), recipe.kind, second, self._begin_key(human), texts, *before
        )

        def train(run: Path) -> None:
            self._begin(panel.judge(ONLY), human)
            if recipe.distillation:
                self._distil(panel.judge(ONLY), recipe.distillation, texts, begins)
            self._train(self.step, panel, recipe.student, parts, run)

        key = step_key(begins, data_key(parts))
        self.work.trained(self.step, key, panel, train)
        return key

    def _begin_key(self, human: list[Assignment]) -> list[object]:
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

    def _begin(self, judge: Judge, human: list[Assignment]) -> None:
        if (number := self.recipe.student.continues) is not None:
            judge.load_state_dict(self._teacher(self._continued(number), human).state_dict())

    def _distil(self, judge: Judge, plan: Distillation, texts: Sequence[str], key: str) -> None:
        """Let the student learn the teacher's token vectors, or load what it has learned."""
        student, tokenizer, tokens = self.recipe.student, Tokenizer(self.start), judge.tokens
        if isinstance(tokens, SharedTokens | BranchTokens):
            raise UsageError("only the judge that has the transformer learns token vectors")

        def train(run: Path) -> None:
            given = lessons(MatchStudent(self.folder(plan.teacher)), tokenizer, texts, student.width or TOKEN_WIDTH)
            self.log(f"token distillation: {len(given)} sentences")
            if self.recipe.kind == "static" or student.skip:
                tokens.start(*map(torch.from_numpy, first_table(given)))
            else:
                given = turned(given, tokens, tokenizer)
            settings = token_settings(plan.epochs, plan.rate, self.recipe.seed)
            distil_tokens(tokens, tokenizer, given, settings, run, self.log)

        self.work.trained("tokens", key, tokens, train)

    def panel(self) -> Panel:
        """Make the student, and the second judge over its transformer, which have learned nothing yet."""
        recipe, plan = self.recipe, self.recipe.source
        judges: dict[str, Judge] = {ONLY: new_judge(recipe.student, recipe.kind, self.start)}
        if plan is not None:
            # while only the first judge learns, layers that both share may move
            frozen = recipe.training.frozen if self.material.teaches("source") else plan.shared or 0
            judges["source"] = second_judge(judges[ONLY], plan, self.start, frozen)
        return Panel(judges)

    def _train(self, name: str, panel: Panel, start: JudgeRecipe, parts: list[Assignment], run: Path) -> None:
        self.log(f"{name}: {sum(map(len, (part.examples for part in parts)))} pairs, {start.training.epochs:g} epochs")
        folder = self.start if name == self.step else self.folder(start.start)
        keep = start.continues is not None or (name == self.step and self.earlier is not None)
        train_panel(panel, Tokenizer(folder), parts, start.training, run, log=self.log, keep_heads=keep)
