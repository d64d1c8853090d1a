"""The card of a student that a recipe made: what it learned from, who gave the scores, and under which licence.

Farthing's own students get longer cards, with what was measured of them; see `farthing.students.card`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from farthing.core.progress import silent_log
from farthing.files.write import write_text
from farthing.learn.data.provenance import TEACHER, teacher_facts
from farthing.learn.match.panel import Assignment
from farthing.learn.match.recipe import StudentRecipe
from farthing.learn.match.recipe_tables import HumanPairs
from farthing.students.card import facts_table, licence_text
from farthing.students.layout import CARD, StudentFolder

_LIMITS = (
    "It knows what the scores that it learned from say, and inherits their faults.",
    "Measure it on texts that it never saw: `farthing meta correlate`.",
)
_TOLD = ("version", "reads", "licence", "judge")  # facts that have places of their own


def write_made_card(folder: Path, recipe: StudentRecipe, root: Path, human: Sequence[Assignment]) -> None:
    """Write card.md into a finished student's folder."""
    student = StudentFolder.read(folder)
    other = "-s src.txt" if student.against == "source" else "-r ref.txt"
    learned = {one.file: _learned(one, root, part) for one, part in zip(recipe.human, human, strict=True)}
    parts = [
        "# A student of scores",
        f"A student of the kind {student.kind}, made by `farthing learn student`.",
        facts_table("What it is", _identity(student, recipe)),
        facts_table("What it learned from", learned),
        "## Limits\n\n" + "\n".join(f"- {line}" for line in _LIMITS),
        f"## Licence\n\n{licence_text(student.facts)}",
        f'## Use\n\n    farthing score hyp.txt {other} -m "frugalscore(model=FOLDER)"',
    ]
    write_text(folder / CARD, "\n\n".join(parts) + "\n")


def _identity(student: StudentFolder, recipe: StudentRecipe) -> dict[str, object]:
    about = {name: value for name, value in recipe.about.items() if name not in _TOLD and isinstance(value, str)}
    return {
        "compares with": student.against,
        "reads": ", ".join(student.reads) or None,
        "scores by": student.facts.get("judge"),
        "started from": Path(recipe.student.start).name or None,
        "layers kept": recipe.student.depth,
        "weights": student.digest,
        **about,
    }


def _learned(one: HumanPairs, root: Path, part: Assignment) -> str:
    """Say how many pairs a table gave, which scores were learned, and who gave them if the table tells."""
    scores = ", ".join(one.human) or "score"
    teacher = teacher_facts([str(root / one.file)], silent_log).get(TEACHER)
    return f"{len(part.examples)} pairs, {scores}" + (f", by {teacher}" if teacher else "")
