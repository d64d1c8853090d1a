"""How a bench is run: how often, on how much of the data, and what a large evaluation is taken to be."""

from __future__ import annotations

from dataclasses import dataclass, field

from farthing.bench.estimate import CPU_WATTS, GPU_WATTS, GRID, PowerDraw, Scenario
from farthing.core.errors import UsageError
from farthing.meta.correlation import correlate


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What is measured, and how often.

    :param repeats: rounds in which every contender is measured once, in a fresh process
    :param part: how many segments are used for batch sizes, steps and tricks
    :param batches: segments that a metric is given at a time (Tables 6 to 8 of EffEval)
    :param systems: systems that are scored together
    :param steps: measure the time of each step (Table 5)
    :param tricks: measure unsorted and sorted batches, and the cache
    :param statistic: the agreement with people, as in `farthing meta correlate`
    :param watts: the power of the device; by default 15 for a processor and 300 for a GPU
    :param grid: kg of CO2 per kWh
    """

    repeats: int = 5
    part: int = 400
    batches: tuple[int, ...] = (1, 4, 16, 64)
    systems: tuple[int, ...] = (1, 5, 50)
    steps: bool = True
    tricks: bool = True
    statistic: str = "pearson"
    scenario: Scenario = field(default_factory=Scenario)
    watts: float | None = None
    grid: float = GRID

    def __post_init__(self) -> None:
        """Refuse an unknown statistic before hours of work."""
        correlate([1.0, 2.0, 4.0], [1.0, 3.0, 4.0], self.statistic)

    def power(self, *, on_gpu: bool) -> PowerDraw:
        """Return what energy is estimated from."""
        return PowerDraw(self.watts if self.watts is not None else GPU_WATTS if on_gpu else CPU_WATTS, self.grid)


def whole_numbers(flag: str, text: str) -> tuple[int, ...]:
    """Read numbers from 1 with commas between; nothing is no number.

    >>> whole_numbers("--batches", "1,4")
    (1, 4)
    """
    items = [item.strip() for item in text.split(",") if item.strip()]
    if not all(item.isdecimal() and int(item) for item in items):
        raise UsageError(f"{flag} {text} is not a list of whole numbers from 1, such as 1,5,50")
    return tuple(dict.fromkeys(map(int, items)))


def read_scenario(text: str) -> Scenario:
    """Read SEGMENTSxPAIRSxSYSTEMS.

    >>> read_scenario("30000x5x50").outputs
    7500000
    """
    parts = text.split("x")
    if len(parts) != 3 or not all(part.isdecimal() and int(part) for part in parts):
        raise UsageError(f"--scenario {text} is not SEGMENTSxPAIRSxSYSTEMS, such as 30000x5x50")
    return Scenario(*map(int, parts))
