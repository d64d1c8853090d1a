"""Results of a bench as tables: costs and quality, batch sizes, steps, tricks, training."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from farthing.bench.bench import BenchResult
from farthing.bench.estimate import ASSUMPTIONS, FORMULA
from farthing.bench.rows import BenchRow, PassRow
from farthing.bench.training import ALL
from farthing.bench.training_rows import TrainingRow
from farthing.tables.grid import NumberTable

MILLI, MEGA = 1e3, 1e-6
# heading, decimals, value of a row
_COLUMNS: tuple[tuple[str, int, Callable[[BenchRow], float | None]], ...] = (
    ("load s", 2, lambda row: row.load.median),
    ("cold ms", 3, lambda row: MILLI * row.cold.median),
    ("warm ms", 3, lambda row: None if row.warm is None else MILLI * row.warm.median),
    ("low", 3, lambda row: MILLI * (row.warm or row.cold).low),
    ("high", 3, lambda row: MILLI * (row.warm or row.cold).high),
    ("CPU ms", 3, lambda row: None if row.warm_cpu is None else MILLI * row.warm_cpu.median),
    ("per s", 0, lambda row: 1 / row.seconds),
    ("CPU s", 2, lambda row: row.cpu.median),
    ("peak MB", 0, lambda row: MEGA * row.memory.median),
    ("GPU MB", 0, lambda row: None if row.device_memory is None else MEGA * row.device_memory.median),
    ("M param", 2, lambda row: None if row.size.parameters is None else MEGA * row.size.parameters),
    ("disk MB", 1, lambda row: None if row.size.disk is None else MEGA * row.size.disk),
)
_ESTIMATES: tuple[tuple[str, int, Callable[[BenchRow], float | None]], ...] = (
    ("hours", 1, lambda row: row.estimate.hours),
    ("kWh", 3, lambda row: row.estimate.kwh),
    ("kg CO2", 3, lambda row: row.estimate.co2),
)


def bench_tables(found: BenchResult) -> list[NumberTable]:
    """Return every table that has rows."""
    tables = [cost_table(found), estimate_table(found)]
    batches = "Milliseconds per segment if the metric is given so many segments at a time."
    steps = "Milliseconds per segment of each step, on one core."
    tables += [*_wide("batch size", found.rows, lambda row: row.batches, batches)]
    tables += [*_wide("step", found.rows, lambda row: row.steps, steps)]
    tables += [*_tricks(found), *_training(found)]
    return tables


def cost_table(found: BenchResult) -> NumberTable:
    """Return quality and costs; a star marks the fronts."""
    statistic = found.plan.statistic
    columns = [column for column in _COLUMNS if column[0] != "GPU MB" or any(row.device_memory for row in found.rows)]
    headings = [statistic, *(name for name, _, _ in columns)]
    rows = [(row.label, [row.quality, *(of(row) for _, _, of in columns)]) for row in found.rows]
    marked = _marked(found, headings)
    return NumberTable(
        "metric",
        headings,
        rows,
        marked,
        ["", *_cost_notes(found), ""],
        places=[3, *(places for _, places, _ in columns)],
    )


def _marked(found: BenchResult, headings: Sequence[str]) -> frozenset[tuple[int, int]]:
    places = set()
    for cost, heading in (("time", "warm ms"), ("memory", "peak MB")):
        best = [row.label for data in found.data for row in found.front(data.name, cost)]
        places |= {
            (place, headings.index("cold ms" if row.warm is None and cost == "time" else heading))
            for place, row in enumerate(found.rows)
            if row.label in best
        }
    return frozenset(places)


def _cost_notes(found: BenchResult) -> Iterator[str]:
    plan, sizes = found.plan, ", ".join(f"{data.name} {len(data)}" for data in found.data)
    runs = f"Medians of {plan.repeats} interleaved runs, each" if plan.repeats > 1 else "One run"
    yield f"Segments: {sizes}. {runs} in a fresh process."
    yield "load: until the first segment has its score; cold, warm: the first and the second pass, per segment; low,"
    yield "high: of warm; CPU ms: time of all cores of the second pass, per segment; per s: segments per second."
    yield "CPU s, peak: of a process that loads the metric and scores all segments once."
    if any(row.quality is not None for row in found.rows):
        yield f"* on the front of {plan.statistic} and time or memory: no other is at least as good and as cheap."
    yield from (f"{row.label}: {note}" for row in found.rows for note in row.notes)
    yield from (note for data in found.data for note in data.notes)


def estimate_table(found: BenchResult) -> NumberTable:
    """Return what the scenario would take, which is an estimate."""
    scenario, power = found.plan.scenario, sorted({row.watts for row in found.rows})
    rows = [(row.label, [of(row) for _, _, of in _ESTIMATES]) for row in found.rows]
    watts = " or ".join(f"{one:g}" for one in power)
    size = f"{scenario.segments} segments x {scenario.language_pairs} language pairs x {scenario.systems} systems"
    notes = [
        "",
        f"For {size}, at {watts} W and {found.plan.grid:g} kg CO2 per kWh:",
        f"{FORMULA}.",
        *_folded(ASSUMPTIONS),
        "",
    ]
    return NumberTable(
        "estimate",
        [name for name, _, _ in _ESTIMATES],
        rows,
        notes=notes,
        places=[places for _, places, _ in _ESTIMATES],
    )


def _folded(text: str) -> list[str]:
    """Return a sentence in lines of a readable length."""
    return textwrap.wrap(f"{text[0].upper()}{text[1:]}.", 110)


def _wide(
    corner: str, rows: Sequence[BenchRow], passes: Callable[[BenchRow], Sequence[PassRow]], note: str
) -> Iterator[NumberTable]:
    """Return one column per kind of pass."""
    names = list(dict.fromkeys(one.name for row in rows for one in passes(row)))
    order = [*(name for name in names if name != "rest"), *(name for name in names if name == "rest")]
    body = []
    for row in rows:
        seconds = {one.name: MILLI * one.seconds.median for one in passes(row)}
        if seconds:
            body.append((row.label, [seconds.get(name) for name in order]))
    if body:
        yield NumberTable(corner, order, body, notes=["", note, ""])


def _tricks(found: BenchResult) -> Iterator[NumberTable]:
    rows: list[tuple[str, list[float | None]]] = []
    for row in found.rows:
        for one in row.tricks:
            memory = None if one.memory is None else MEGA * one.memory.median
            hours = None if one.estimate is None else one.estimate.hours
            rows.append((f"{row.label}, {one.name}", [MILLI * one.seconds.median, memory, hours]))
    if rows:
        notes = [
            "",
            "ms: per output. unsorted: batches in the order of the input, padded; sorted: by tokens; cache: every text",
            "is known already. So many systems: scored together, with the same references. hours: as estimated above.",
            "",
        ]
        yield NumberTable("trick", ["ms", "peak MB", "hours"], rows, notes=notes, places=[3, 0, 1])


def _training(found: BenchResult) -> Iterator[NumberTable]:
    if not found.training:
        return
    whole = {one.model: one for one in found.training if one.learns == ALL}
    rows: list[tuple[str, list[float | None]]] = [
        (one.label, [*_training_costs(one), *_gains(one, whole.get(one.model))]) for one in found.training
    ]
    notes = [
        "",
        "Tokens per second of both passes, MB per token at the peak of a step, trained parameters in millions. The",
        "last columns compare with training all parameters.",
        "",
    ]
    headings = ["forward", "backward", "MB", "M trained", "forward %", "backward %", "MB %"]
    yield NumberTable("training", headings, rows, notes=notes, places=[0, 0, 3, 2, 0, 0, 0])


def _training_costs(one: TrainingRow) -> list[float]:
    return [one.forward.median, one.backward.median, MEGA * one.memory.median, MEGA * one.trained]


def _gains(one: TrainingRow, whole: TrainingRow | None) -> list[float | None]:
    """Return how much more or less a row has than training all parameters, in percent."""
    if whole is None or whole is one:
        return [None] * 3
    pairs = ((one.forward, whole.forward), (one.backward, whole.backward), (one.memory, whole.memory))
    return [100 * (mine.median / other.median - 1) if other.median else None for mine, other in pairs]
