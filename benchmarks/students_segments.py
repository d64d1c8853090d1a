"""Does a metric rank the systems of one segment as experts and GPT-4 do? Kendall's tau, mean over segments.

    python benchmarks/students_segments.py SHARED "frugalscore(size=small)" --rivals chrf "bertscore(model=…, layer=6)"

SHARED is the folder with the developers' data. `mqm20` are experts' judgements of two systems of WMT20, Chinese to
English; `verdicts` are GPT-4's judgements of a dozen systems of WMT22, the mean of its two prompts, of the segments
whose number is divisible by four, from which no student learns. The first number leaves out ties (agreeing pairs less
the others, over both), the second is tau-b, whose difference a paired bootstrap over segments tests.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.learn.study.languages import RESAMPLES, JudgedRows, LanguageQuestion, read_rows
from farthing.learn.study.measure import segment_scores
from farthing.meta.correlation import correlate
from farthing.meta.pairwise import count_pairs
from farthing.meta.significance import bootstrap

PROMPTS = ("gpt4_da", "gpt4_sqm")
HELD_OUT = 4  # segments divisible by it are learned from by nothing
WMT20 = LanguageQuestion("wmt20_mqm_seg", "lp", ("zh-en",), "kendall")


def verdicts(data: Path) -> JudgedRows:
    """Read GPT-4's verdicts of the segments that nothing learns from; a row with one answer has that one."""
    rows = [row for _, row in records(str(data / "judges" / "gemba_wmt22_zhen.jsonl.gz"))]
    answers = [[row["judges"][name] for name in PROMPTS if row["judges"].get(name) is not None] for row in rows]
    kept = [place for place, row in enumerate(rows) if int(row["segment_id"]) % HELD_OUT == 0 and answers[place]]
    pairs = Pairs.of([rows[place]["candidate"] for place in kept], [rows[place]["reference"] for place in kept])
    human = np.array([np.mean(answers[place]) for place in kept])
    systems, segments = ([str(rows[place][name]) for place in kept] for name in ("system", "segment_id"))
    return JudgedRows(pairs, human, systems, segments)


def scored(spec: str, rows: JudgedRows) -> np.ndarray:
    """Return a metric's scores, higher for better, as systems x segments."""
    metric = load_pairs_metric(spec)
    scores = segment_scores(metric, rows.pairs)
    return rows.table(scores if metric.info.higher_is_better else -scores)


def told(human: np.ndarray, scores: np.ndarray) -> str:
    """Tell tau without ties, and tau-b, both as means over segments."""
    counts = count_pairs(human.T, scores.T)
    agree, differ = counts.concordant, counts.discordant
    untied = (agree - differ)[agree + differ > 0] / (agree + differ)[agree + differ > 0]
    return f"{untied.mean():.3f} without ties, tau-b {correlate(human, scores, 'kendall_b', 'item').value:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("metrics", nargs="+")
    parser.add_argument("--rivals", nargs="+", default=["chrf"])
    given = parser.parse_args()
    data = given.shared / "data"
    sets = {"mqm20": read_rows(data / "human", WMT20)["zh-en"], "verdicts": verdicts(data)}
    for name, rows in sets.items():
        human = rows.table(rows.human)
        others = {rival: scored(rival, rows) for rival in given.rivals}
        for rival, table in others.items():
            print(f"{name:9} {rival}: {told(human, table)}")
        for spec in given.metrics:
            own = scored(spec, rows)
            tests = {
                rival: bootstrap(human, own, table, "kendall_b", "item", resamples=RESAMPLES)
                for rival, table in others.items()
            }
            better = ", ".join(
                f"{test.difference:+.3f} p={test.p_value:.4f} against {rival}" for rival, test in tests.items()
            )
            print(f"{name:9} {spec}: {told(human, own)} ({better})", flush=True)


if __name__ == "__main__":
    main()
