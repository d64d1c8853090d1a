"""What a report shows."""

from __future__ import annotations

from farthing.files.run import Run
from farthing.report.page.gather import run_content


def test_the_best_system_depends_on_the_direction(tested_run: Run) -> None:
    content = run_content(tested_run)
    chrf, ter = content.measures[1:]
    scores = {label: {n: content.scores[n, label].corpus for n in content.systems} for label in ("chrf", "ter")}
    assert content.best(chrf) == {max(scores["chrf"], key=lambda n: scores["chrf"][n])}
    assert content.best(ter) == {min(scores["ter"], key=lambda n: scores["ter"][n])}
    assert content.rows == 4
    assert content.segment_measures() == list(content.measures)
