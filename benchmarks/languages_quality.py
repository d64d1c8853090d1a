"""How well metrics agree with people in many languages, with a reference or without one.

    python benchmarks/languages_quality.py SHARED "frugalscore(size=multi)" "bertscore(model=…, layer=8)" --json FILE
    python benchmarks/languages_quality.py SHARED "frugalscore(size=source)" "xmoverscore(model=…)" "sentsim(model=…)"

SHARED is the folder with the developers' data. A metric that needs sources is asked the questions without references,
any other metric the rest. Kendall is tau-b between the systems of one segment, mean over segments, without human
translations; p is that of a paired bootstrap over segments against chrF, and "pooled" is the surplus of agreeing pairs
over all segments without ties. `xnli` is the Pearson correlation with `frugalscore(size=small)` of the same pair in
English. `--limit` reads about so many rows per language, to try things out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.learn.study.languages import QUESTIONS, LanguageAnswer, ask, needs_source, same_in_english

TEACHER, RIVAL = "frugalscore(size=small)", "chrf"
XNLI, PAIRS_OF_XNLI = "xnli", 500
Figures = dict[str, dict[str, float]]


def with_mean(values: Mapping[str, float]) -> dict[str, float]:
    """The values and, if there are several, their mean."""
    return {**values, "mean": float(np.mean(list(values.values())))} if len(values) > 1 else dict(values)


def figures(name: str, answer: LanguageAnswer) -> Figures:
    """The parts of an answer by their names."""
    found = {name: with_mean(answer.values)}
    if answer.pooled:
        found[f"{name} pooled"] = with_mean(answer.pooled)
    if answer.gains:
        found[f"{name} above {RIVAL}"] = {group: gain.difference for group, gain in answer.gains.items()}
        found[f"{name} p"] = {group: gain.p_value for group, gain in answer.gains.items()}
    return found


def asked(shared: Path, name: str, metric: Metric, rival: Metric | None, limit: int | None) -> Figures:
    """Ask one question."""
    if name == XNLI:
        pairs = min(limit or PAIRS_OF_XNLI, PAIRS_OF_XNLI)
        teacher = load_pairs_metric(TEACHER)
        return {XNLI: with_mean(same_in_english(shared / "data" / "corpora", metric, teacher, limit=pairs))}
    return figures(name, ask(shared / "data" / "human", QUESTIONS[name], metric, rival, limit))


def measured(shared: Path, metric: Metric, rival: Metric | None, wanted: list[str], limit: int | None) -> Figures:
    """Ask a metric all questions that are meant for it, and print every answer at once."""
    sourced, found = needs_source(metric), Figures()
    meant = [name for name in wanted if (QUESTIONS[name].sourced if name != XNLI else False) == sourced]
    for name in meant:
        try:
            answer = asked(shared, name, metric, None if sourced else rival, limit)
        except UsageError as error:  # a student that does not read the language
            print(f"  {name}: {error}", flush=True)
            continue
        for part, values in answer.items():
            print(f"  {part:24}", ", ".join(f"{key} {value:.3f}" for key, value in values.items()), flush=True)
        found |= answer
    return found


def keep(path: Path, spec: str, found: Figures) -> None:
    """Add the numbers of a metric to a file."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    kept[spec] = {**kept.get(spec, {}), **found}
    path.write_text(json.dumps(kept, indent=2) + "\n")


def main() -> None:
    names = [*QUESTIONS, XNLI]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("metrics", nargs="+")
    parser.add_argument("--json", type=Path, help="add the numbers to this file")
    parser.add_argument("--only", nargs="+", default=names, choices=names)
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    rival = load_pairs_metric(RIVAL)
    for spec in given.metrics:
        print(spec, flush=True)
        metric = load_pairs_metric(spec)
        found = measured(given.shared, metric, None if spec == RIVAL else rival, given.only, given.limit)
        if given.json:
            keep(given.json, spec, found)


if __name__ == "__main__":
    main()
