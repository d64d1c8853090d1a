"""Charts as SVG text: axes, lines, points and areas. Colours are classes of the style sheet, light or dark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

COLORS = 8  #: how many colours of systems the style sheet has
Point = tuple[float, float]
_SHIFTS = (-5, 13, -18, 26, -31, 39, -44)  # of a name below its point; first above a line that comes from the left
_WIDE = 500  # pictures that are wider may fill the page


def axis_ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return round numbers between two others, about `count` of them.

    >>> axis_ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    span = (high - low) or 1.0
    rough = 10.0 ** math.floor(math.log10(span / count))
    step = next(one * rough for one in (1, 2, 5, 10) if span / (one * rough) <= count + 1e-9)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Axis:
    """From numbers to places on the page.

    :param log: equal factors are equally far apart
    :param places: names of the places 0, 1, 2 …, which are printed instead of numbers
    """

    low: float
    high: float
    name: str = ""
    log: bool = False
    places: Sequence[str] = ()

    @classmethod
    def around(cls, values: Iterable[float], name: str = "", *, log: bool = False) -> Axis:
        """Make an axis with room for all values and a margin."""
        known = [math.log10(value) if log else value for value in values]
        low, high = min(known), max(known)
        margin = 0.06 * (high - low) or (0.3 if log else 0.5)
        ends = low - margin, high + margin
        return cls(10 ** ends[0], 10 ** ends[1], name, True) if log else cls(*ends, name)

    def part(self, value: float) -> float:
        """Return where a value is: 0 at the start of the axis, 1 at its end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / ((self.high - self.low) or 1.0)

    def marks(self) -> list[tuple[float, str]]:
        """Return what is printed at the axis, and where."""
        if self.places:
            return list(enumerate(self.places))
        if not self.log:
            return [(value, f"{value:g}") for value in axis_ticks(self.low, self.high)]
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
        return [(value, f"{value:g}") for value in values if self.low <= value <= self.high]


@dataclass(frozen=True, slots=True)
class Plot:
    """A frame with two axes."""

    x: Axis
    y: Axis
    wide: int = 420
    high: int = 300
    left: int = 44
    right: int = 14
    top: int = 14
    bottom: int = 36

    def place(self, point: Point) -> Point:
        """Return where a point stands, in units of the picture."""
        x = self.left + self.x.part(point[0]) * (self.wide - self.left - self.right)
        y = self.high - self.bottom - self.y.part(point[1]) * (self.high - self.top - self.bottom)
        return round(x, 1), round(y, 1)

    def axes(self) -> list[str]:
        """Draw the grid, the numbers and the names of the axes."""
        floor, shapes = self.high - self.bottom, []
        for value, text in self.x.marks():
            x, _ = self.place((value, self.y.low))
            shapes.append(f'<path class="axis" d="M{x:g} {self.top}V{floor}"/>')
            shapes.append(f'<text x="{x:g}" y="{floor + 14}" text-anchor="middle">{escape(text)}</text>')
        for value, text in self.y.marks():
            _, y = self.place((self.x.low, value))
            shapes.append(f'<path class="axis" d="M{self.left} {y:g}H{self.wide - self.right}"/>')
            shapes.append(f'<text x="{self.left - 5}" y="{y + 4:g}" text-anchor="end">{text}</text>')
        if self.x.name:
            place = f'x="{self.wide - self.right}" y="{self.high - 5}" text-anchor="end"'
            shapes.append(f"<text {place}>{escape(self.x.name)} →</text>")
        if self.y.name:
            shapes.append(f'<text x="{self.left + 4}" y="{self.top + 10}">↑ {escape(self.y.name)}</text>')
        return shapes

    def line(self, points: Sequence[Point], kind: str) -> str:
        """Draw a line through points."""
        return f'<path class="{kind}" d="M{"L".join(f"{x:g} {y:g}" for x, y in map(self.place, points))}"/>'

    def steps(self, points: Sequence[Point], kind: str) -> str:
        """Draw a line that goes to the right first, then up."""
        places = [self.place(point) for point in points]
        path = f"M{places[0][0]:g} {places[0][1]:g}" + "".join(f"H{x:g}V{y:g}" for x, y in places[1:])
        return f'<path class="{kind}" d="{path}"/>'

    def cloud(self, points: Sequence[Point], kind: str, size: float = 4) -> str:
        """Draw many small points as one path."""
        path = "".join(f"M{x:g} {y:g}h0" for x, y in map(self.place, points))
        return f'<path class="{kind}" stroke-linecap="round" stroke-width="{size:g}" d="{path}"/>'

    def point(self, point: Point, kind: str, title: str) -> str:
        """Draw one point that says what it is."""
        x, y = self.place(point)
        return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="4.5"><title>{escape(title)}</title></circle>'

    def name(self, point: Point, text: str, taken: list[tuple[float, float, float]]) -> str:
        """Write a name beside a point, away from names that are `taken`, to which it is added."""
        x, y = self.place(point)
        wide = 6.2 * len(text)
        spots = [(side, y + shift) for shift in _SHIFTS for side in (x + 8, x - 8 - wide)]
        free = (spot for spot in spots if self._inside(spot, wide) and not _covered(spot, wide, taken))
        spot = next(free, spots[0])
        taken.append((*spot, wide))
        return f'<text class="name" x="{spot[0]:g}" y="{spot[1]:g}">{escape(text)}</text>'

    def _inside(self, spot: Point, wide: float) -> bool:
        left, base = spot
        return left >= 0 and left + wide <= self.wide and self.top < base < self.high - self.bottom


def _covered(spot: Point, wide: float, taken: Sequence[tuple[float, float, float]]) -> bool:
    left, base = spot
    return any(abs(base - y) < 12 and x < left + wide and left < x + other for x, y, other in taken)


def figure(shapes: Iterable[str], wide: int, high: int, title: str) -> str:
    """Put shapes into a figure with a caption, which is also read out in the place of the picture."""
    picture = f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="{escape(title)}">{"".join(shapes)}</svg>'
    kind = "chart wide" if wide > _WIDE else "chart"
    return f'<figure class="{kind}">{picture}<figcaption>{escape(title)}</figcaption></figure>'


def color_class(place: int) -> str:
    """Return the class of a system's colour."""
    return f"c{place % COLORS}"
