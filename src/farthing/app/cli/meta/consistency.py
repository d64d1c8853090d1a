"""`farthing meta consistency`: does a judge repeat itself?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli.meta.options import DataOptions, PeopleOptions, ResultOptions, Seed
from farthing.app.cli.typed import Option


def consistency(
    data: DataOptions,
    people: PeopleOptions,
    results: ResultOptions,
    judge: Annotated[str, Option("--judge", help="The judge: judge(url=…, model=…, prompt=…) or judge(command=…).")],
    times: Annotated[int, Option("--times", min=1, help="How often each row is asked.")] = 3,
    rows: Annotated[int, Option("--rows", min=3, help="How many rows are drawn.")] = 100,
    preference: Annotated[
        str | None, Option("--preference", help="A prompt that compares two outputs (preference): bias of positions.")
    ] = None,
    seed: Seed = 0,
) -> str:
    """Measure how consistent a judge is: with itself, with people, whatever the length and the order of the outputs.

    Example: farthing meta consistency judged.jsonl --judge "judge(command='python my_judge.py')" --times 5
    """
    from farthing.judge.metric import load_judge
    from farthing.meta.consistency import study_consistency
    from farthing.report.consistency import consistency_document, consistency_table
    from farthing.report.results import Results

    results.check(data.data)
    asked = load_judge(judge)
    judged = data.read(people)
    run = results.opened(judged)
    found = study_consistency(judged, asked, times, rows, seed, people.human, preference)
    if run is not None:
        run.keep(judged)
    return results.show(Results([consistency_table(found)], consistency_document(found, judged.path)), run)
