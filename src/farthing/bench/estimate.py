"""What a large evaluation would take: hours from the measured time per segment, energy and CO2 from assumptions.

Nothing here is measured. The defaults are the assumptions of EffEval (Larionov et al. 2023, section 6): a processor
draws 15 W and a GPU 300 W under full load, and the grid is that of the United States, with 0.85 pounds of CO2 per kWh.
"""

from __future__ import annotations

from dataclasses import dataclass

CPU_WATTS, GPU_WATTS = 15.0, 300.0
GRID = 0.386  #: kg of CO2 per kWh
FORMULA = "hours = (load + seconds per segment x segments) / 3600; kWh = watts x hours / 1000; kg CO2 = kWh x grid"
ASSUMPTIONS = (
    "an estimate, not a measurement: the device draws the same power all the time, memory, cooling and the rest of the "
    "machine draw none, and time grows with the number of segments"
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """An evaluation of so many segments, language pairs and systems; by default the one of the paper."""

    segments: int = 30_000
    language_pairs: int = 5
    systems: int = 50

    @property
    def outputs(self) -> int:
        """How many outputs are scored.

        >>> Scenario().outputs
        7500000
        """
        return self.segments * self.language_pairs * self.systems


@dataclass(frozen=True, slots=True)
class PowerDraw:
    """What energy is estimated from.

    :param watts: the power that the device draws
    :param grid: kg of CO2 per kWh
    """

    watts: float = CPU_WATTS
    grid: float = GRID


@dataclass(frozen=True, slots=True)
class ScenarioEstimate:
    """What a scenario would take: `co2` is in kg."""

    hours: float
    kwh: float
    co2: float


def estimated(seconds: float, load: float, scenario: Scenario, power: PowerDraw) -> ScenarioEstimate:
    """Extrapolate a scenario.

    :param seconds: per segment
    :param load: seconds until the first segment can be scored

    >>> paper = estimated(0.034, 0.0, Scenario(), PowerDraw(GPU_WATTS))
    >>> round(paper.hours), round(paper.co2)
    (71, 8)
    """
    hours = (load + seconds * scenario.outputs) / 3600
    kwh = power.watts * hours / 1000
    return ScenarioEstimate(hours, kwh, kwh * power.grid)
