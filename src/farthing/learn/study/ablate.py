"""Which source of pairs is worth it? Leave out each in turn, train, and see what changes (the paper's Figure 1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from farthing.core.errors import InputError, UsageError
from farthing.files.write import write_text
from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.scores import correlation, torch_scores
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.dataset import held_out, tokenised
from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable, read_pairs
from farthing.learn.train.plots import plot_ablation

TEST = 2000  # pairs that stay out of every run, to measure the agreement with the teacher on


@dataclass(frozen=True, slots=True)
class Left:
    """A run without one source ("" is the run with all of them).

    :param human: Pearson with people, averaged over the data sets; None without any
    :param teacher: Pearson with the teacher on pairs of all sources that no run trained on
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
    say: Callable[[str], None] = lambda text: None,
) -> list[Left]:
    """Train with all sources, then without each; every run has the same number of pairs.

    Finished runs are kept in the target folder, so that a stopped ablation goes on.
    """
    table = read_pairs(pairs, scored=True)
    sources = sorted(set(table.columns.get("source", ["only"])))
    if len(sources) < 2:
        raise InputError("all pairs come from one source", path=str(pairs), remedy="mix at least two sources")
    rest, test_rows = held_out(table.documents, 0.1, TEST, settings.seed)
    train, test = table.rows(rest), table.rows(test_rows)
    size = size or largest_size(train, sources)
    place = Path(target)
    place.mkdir(parents=True, exist_ok=True)
    found = []
    for left in ["", *sources]:
        say(f"training {f'without {left}' if left else 'with all sources'}")
        chosen = balanced(train, [name for name in sources if name != left], size, settings.seed)
        found.append(_run(place / (f"without-{left}" if left else "all"), left, chosen, test, start, settings, human))
    write_text(place / "ablation.json", json.dumps([asdict(one) for one in found], indent=2) + "\n")
    plot_ablation(changes(found), place / "ablation.png")
    return found


def largest_size(table: PairTable, sources: Sequence[str]) -> int:
    """As many pairs as every run can have: leaving one source out, the others must fill its place."""
    counts = [list(table.columns["source"]).count(source) for source in sources]
    return min(counts) * (len(sources) - 1)


def balanced(table: PairTable, sources: Sequence[str], size: int, seed: int) -> PairTable:
    """The same number of pairs from every source."""
    column = np.asarray(table.columns["source"])
    chosen = []
    for number, source in enumerate(sources):
        rows = np.flatnonzero(column == source)
        wanted = size * (number + 1) // len(sources) - size * number // len(sources)
        if len(rows) < wanted:
            raise UsageError(f"{source} has only {len(rows)} pairs where {wanted} are wanted: lower --size")
        chosen.append(np.random.default_rng([seed, number]).permutation(rows)[:wanted])
    return table.rows(np.sort(np.concatenate(chosen)))


def _run(
    folder: Path,
    left: str,
    train: PairTable,
    test: PairTable,
    start: Start,
    settings: CrossSettings,
    human: Sequence[Judged],
) -> Left:
    from transformers import AutoModelForSequenceClassification

    note = folder.with_suffix(".json")
    if note.exists():
        return Left(**json.loads(note.read_text(encoding="utf-8")))
    distil_table(train, folder, start, settings, overwrite=True)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()

    def scores(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
        rows = tokenised(folder, candidates, references, settings.limit)
        return torch_scores(model, rows, model.config.pad_token_id or 0)

    teacher = correlation(test.scores, scores(test.candidates, test.references))
    people = []
    for one in human:
        candidates, references, judged = one.flat()
        people.append(correlation(judged, scores(candidates, references)))
    found = Left(left, len(train), float(np.mean(people)) if people else None, teacher)
    write_text(note, json.dumps(asdict(found)) + "\n")
    return found


def changes(found: Sequence[Left]) -> dict[str, float]:
    """For every source the change in percent without it: with people where they were asked, else the teacher."""

    def value(one: Left) -> float:
        return one.teacher if one.human is None else one.human

    whole = value(found[0])
    return {f"{one.source}": 100 * (value(one) - whole) / abs(whole) for one in found[1:]}
