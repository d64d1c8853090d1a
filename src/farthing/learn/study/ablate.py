"""Which source of pairs helps? Leave out each in turn, train, and see what changes (the paper's Figure 1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import InputError, UsageError
from farthing.core.progress import Log, silent_log
from farthing.files.write import write_text
from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.scores import correlation, torch_scores
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.dataset import held_out, tokenised
from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable
from farthing.learn.data.tables import read_any_pairs
from farthing.learn.train.plots import plot_ablation

TEST = 2000  # pairs that no run trains on, to measure the agreement with the teacher


@dataclass(frozen=True, slots=True)
class Ablation:
    """A run without one source; the run with all of them has no name.

    :param human: Pearson's correlation with people, averaged over the data sets; None without any
    :param teacher: Pearson's correlation with the teacher on pairs of all sources that no run trained on
    """

    source: str
    pairs: int
    human: float | None
    teacher: float


def ablate(
    pairs: str | Path,
    target: str | Path,
    start: Start,
    settings: CrossSettings,
    *,
    human: Sequence[Judged] = (),
    size: int | None = None,
    log: Log = silent_log,
) -> list[Ablation]:
    """Train with all sources, then without each; every run has the same number of pairs.

    Finished runs are kept in the target folder, so that the same call resumes an interrupted ablation.

    :param human: data sets to measure the agreement with people on
    :param size: pairs of each run, by default as many as possible
    """
    table = read_any_pairs(pairs, scored=True)
    sources = sorted(set(table.texts("source"))) if "source" in table.columns else []
    if len(sources) < 2:
        raise InputError("all pairs come from one source", path=str(pairs), remedy="mix at least two sources")
    rest, test_rows = held_out(table.documents, 0.1, TEST, settings.seed)
    train, test = table.rows(rest), table.rows(test_rows)
    size = size or largest_size(train, sources)
    place = Path(target)
    place.mkdir(parents=True, exist_ok=True)
    runs = []
    for left in ["", *sources]:
        log(f"training {f'without {left}' if left else 'with all sources'}")
        rows = balanced(train, [name for name in sources if name != left], size, settings.seed)
        runs.append(_run(place / (f"without-{left}" if left else "all"), left, rows, test, start, settings, human))
    write_text(place / "ablation.json", json.dumps([asdict(one) for one in runs], indent=2) + "\n")
    plot_ablation(changes(runs), place / "ablation.png")
    return runs


def largest_size(table: PairTable, sources: Sequence[str]) -> int:
    """Return the most pairs that every run can have: without one source, the others must fill its place."""
    counts = [list(table.columns["source"]).count(source) for source in sources]
    return min(counts) * (len(sources) - 1)


def balanced(table: PairTable, sources: Sequence[str], size: int, seed: int) -> PairTable:
    """Draw the same number of pairs from every source."""
    column = np.asarray(table.columns["source"])
    drawn = []
    for number, source in enumerate(sources):
        rows = np.flatnonzero(column == source)
        wanted = size * (number + 1) // len(sources) - size * number // len(sources)
        if len(rows) < wanted:
            raise UsageError(f"{source} has only {len(rows)} pairs, but {wanted} are needed: lower --size")
        drawn.append(np.random.default_rng([seed, number]).permutation(rows)[:wanted])
    return table.rows(np.sort(np.concatenate(drawn)))


def _run(
    folder: Path,
    left: str,
    train: PairTable,
    test: PairTable,
    start: Start,
    settings: CrossSettings,
    human: Sequence[Judged],
) -> Ablation:
    from transformers import AutoModelForSequenceClassification

    note = folder.with_suffix(".json")
    if note.exists():
        return Ablation(**json.loads(note.read_text(encoding="utf-8")))
    distil_table(train, folder, start, settings, overwrite=True)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()

    def scores(candidates: Sequence[str], references: Sequence[str]) -> Segments:
        rows = tokenised(folder, candidates, references, settings.limit)
        return torch_scores(model, rows, model.config.pad_token_id or 0)

    teacher = correlation(test.scores, scores(test.candidates, test.references))
    people = []
    for one in human:
        candidates, references, judged = one.flat()
        people.append(correlation(judged, scores(candidates, references)))
    finished = Ablation(left, len(train), float(np.mean(people)) if people else None, teacher)
    write_text(note, json.dumps(asdict(finished)) + "\n")
    return finished


def changes(runs: Sequence[Ablation]) -> dict[str, float]:
    """Return for every source the change in percent without it: of the agreement with people, or with the teacher."""

    def value(one: Ablation) -> float:
        return one.teacher if one.human is None else one.human

    whole = value(runs[0])
    return {one.source: 100 * (value(one) - whole) / abs(whole) for one in runs[1:]}


def ablation_rows(runs: Sequence[Ablation]) -> list[dict[str, str]]:
    """Lay the runs out as a table, with the change that leaving a source out makes."""
    change = changes(runs)
    return [
        {
            "left out": one.source or "nothing",
            "pairs": str(one.pairs),
            "with people": "-" if one.human is None else f"{one.human:.4f}",
            "with the teacher": f"{one.teacher:.4f}",
            "change %": f"{change[one.source]:+.2f}" if one.source else "",
        }
        for one in runs
    ]
