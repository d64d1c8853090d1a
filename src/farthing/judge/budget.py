"""A budget in calls, tokens or money that is never exceeded: what a call may cost at most is set aside before it."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from farthing.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Cost:
    """What was, or may be, spent."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.calls + other.calls, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.calls - other.calls, self.tokens_in - other.tokens_in, self.tokens_out - other.tokens_out)


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in any currency: those that are read, and those that are written."""

    per_million_in: float
    per_million_out: float

    @classmethod
    def of(cls, text: str) -> Price:
        """Read a price such as 2.5/10, or one number for both.

        >>> Price.of("2.5/10")
        Price(per_million_in=2.5, per_million_out=10.0)
        """
        try:
            numbers = [float(part) for part in text.split("/")]
        except ValueError:
            numbers = []
        if len(numbers) not in (1, 2) or min(numbers) < 0:
            raise UsageError(f"--price {text} is no price per million tokens: write 2.5/10 for 2.5 in and 10 out")
        return cls(numbers[0], numbers[-1])

    def of_cost(self, cost: Cost) -> float:
        """Return what tokens cost."""
        return (cost.tokens_in * self.per_million_in + cost.tokens_out * self.per_million_out) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that may be spent; what is None has no limit."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        if self.money is not None and self.price is None:
            raise UsageError("a budget in money needs the price of tokens: --price 2.5/10 (per million, in and out)")

    def allows(self, cost: Cost) -> bool:
        """Tell whether all of this may be spent."""
        return (
            (self.calls is None or cost.calls <= self.calls)
            and (self.tokens is None or cost.tokens <= self.tokens)
            and (self.money is None or self.price is None or self.price.of_cost(cost) <= self.money)
        )


class Purse:
    """Counts what is spent, from several threads.

    :param spent: what an earlier, interrupted run has spent already
    """

    def __init__(self, budget: Budget, spent: Cost | None = None) -> None:
        self.budget, self.earlier = budget, spent or Cost()
        self._spent, self._held = self.earlier, Cost()
        self._change = threading.Condition()

    @property
    def spent(self) -> Cost:
        """What was spent so far, earlier runs included."""
        with self._change:
            return self._spent

    def take(self, most: Cost) -> bool:
        """Set aside what a call may cost at most; False if the budget does not allow it.

        If only the reserves of calls that are still running stand in the way, it waits for them.
        """
        with self._change:
            while not self.budget.allows(self._spent + self._held + most):
                if self._held == Cost() or not self.budget.allows(self._spent + most):
                    return False
                self._change.wait()
            self._held += most
            return True

    def settle(self, most: Cost, cost: Cost) -> None:
        """Replace what was set aside by what a call did cost."""
        with self._change:
            self._held -= most
            self._spent += cost
            self._change.notify_all()
