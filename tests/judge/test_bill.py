"""Bills in sentences."""

from __future__ import annotations

from farthing.judge.bill import Bill
from farthing.judge.budget import Cost, Price


def test_a_bill_tells_what_was_spent_of_what() -> None:
    bill = Bill(Cost(10, 2000, 50), Cost(100, 20_000, 1600), 100, 90, 3, 1, Price(10, 20))
    assert bill.lines() == [
        "spent 10 calls and 2050 tokens (0.021 in money): 10.0% of the 100 rows, "
        "10 of which repeat the texts of others",
        "all rows: about 100 calls and 21600 tokens (0.232 in money)",
        "3 verdicts were kept from before and cost nothing",
        "1 texts got no verdict",
    ]
    assert bill.to_dict()["money"] == 0.021


def test_an_estimate_says_would() -> None:
    assert Bill(Cost(1), Cost(5), 5, 5, expected=True).lines() == ["would spend 1 call: 20.0% of the 5 rows"]


def test_calls_of_earlier_runs_are_told() -> None:
    bill = Bill(Cost(8), Cost(20), 20, 20, before=5)
    assert bill.lines() == ["spent 8 calls: 40.0% of the 20 rows", "5 of these calls were made before"]
    assert bill.to_dict()["calls_before"] == 5
