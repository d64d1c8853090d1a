"""Budgets from many threads: never exceeded by one call."""

from __future__ import annotations

import random
import threading

import pytest

from farthing.core.errors import UsageError
from farthing.judge.budget import Budget, Cost, Price, Purse


@pytest.mark.parametrize("budget", [Budget(calls=57), Budget(tokens=1000), Budget(money=0.01, price=Price(10, 20))])
def test_threads_cannot_exceed_it(budget: Budget) -> None:
    purse, most = Purse(budget), Cost(1, 40, 10)
    made: list[Cost] = []

    def work(seed: int) -> None:
        chance = random.Random(seed)
        while purse.take(most):
            cost = Cost(1, chance.randint(1, 40), chance.randint(1, 10))
            made.append(cost)
            purse.settle(most, cost)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert purse.spent == sum(made, Cost())
    assert budget.allows(purse.spent)
    assert not budget.allows(purse.spent + most)


def test_what_was_spent_before_counts() -> None:
    purse = Purse(Budget(calls=3), Cost(2))
    assert purse.take(Cost(1))
    purse.settle(Cost(1), Cost(1))
    assert not purse.take(Cost(1))
    assert purse.spent == Cost(3)


def test_prices() -> None:
    assert Price.of("3") == Price(3, 3)
    assert Price(2, 10).of_cost(Cost(1, 500_000, 100_000)) == pytest.approx(2.0)
    for text in ("x", "1/2/3", "-1"):
        with pytest.raises(UsageError, match="no price"):
            Price.of(text)
    with pytest.raises(UsageError, match="needs the price"):
        Budget(money=1)
