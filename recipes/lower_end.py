"""Write the lower end of the scale into the folder of a finished student, as `farthing learn student` does at its end.

    python recipes/lower_end.py recipes/small.toml ../shared/data src/farthing/models/small

Only config.json changes: the facts that the recipe names, the lowest score over the calibration set, the scale of texts
that the student cannot read, and those of precision and recall (for `focus`). The weights stay as they are.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from farthing.learn.match.make import Maker
from farthing.learn.match.recipe import read_student_recipe
from farthing.students.layout import StudentFolder, add_facts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("student", type=Path)
    given = parser.parse_args()
    recipe = read_student_recipe(given.recipe)
    add_facts(given.student, **recipe.about)
    with tempfile.TemporaryDirectory() as work:
        Maker(recipe, given.data, None, Path(work)).calibrate(given.student)
    print(dict(StudentFolder.read(given.student).facts))


if __name__ == "__main__":
    main()
