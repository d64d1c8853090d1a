"""What a judge costs: estimated before the first call, counted after the last, against the bill for all rows."""

from __future__ import annotations

from dataclasses import dataclass

from farthing.judge.budget import Cost, Price


@dataclass(frozen=True, slots=True)
class Bill:
    """What is or will be spent.

    :param spent: what the calls cost; before the first call, what they are expected to
    :param full: what all rows would have cost
    :param kept: how many verdicts were there already
    :param rejected: how many rows were asked for in vain
    :param before: how many of the calls an earlier run with the same texts and judge made
    """

    spent: Cost
    full: Cost
    rows: int
    texts: int
    kept: int = 0
    rejected: int = 0
    price: Price | None = None
    expected: bool = False
    before: int = 0

    def lines(self) -> list[str]:
        """Return it in sentences."""
        share = self.spent.calls / self.rows if self.rows else 0.0
        start = "would spend" if self.expected else "spent"
        same = f", {self.rows - self.texts} of which repeat the texts of others" if self.texts < self.rows else ""
        lines = [f"{start} {_told(self.spent, self.price)}: {share:.1%} of the {self.rows} rows{same}"]
        if self.before:
            lines.append(f"{self.before} of these calls were made before")
        if self.full.tokens:
            lines.append(f"all rows: about {_told(self.full, self.price)}")
        if self.kept:
            lines.append(f"{self.kept} verdicts were kept from before and cost nothing")
        if self.rejected:
            lines.append(f"{self.rejected} texts got no verdict")
        return lines

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        money = {} if self.price is None else {"money": self.price.of_cost(self.spent)}
        spent = {"calls": self.spent.calls, "tokens_in": self.spent.tokens_in, "tokens_out": self.spent.tokens_out}
        rest = {"rows": self.rows, "texts": self.texts, "kept": self.kept, "rejected": self.rejected}
        rest |= {"calls_before": self.before}
        return {**spent, **money, "full_calls": self.full.calls, "full_tokens": self.full.tokens, **rest}


def _told(cost: Cost, price: Price | None) -> str:
    calls = f"{cost.calls} call{'' if cost.calls == 1 else 's'}"
    tokens = f" and {cost.tokens} tokens" if cost.tokens else ""
    return f"{calls}{tokens}" + (f" ({price.of_cost(cost):.4g} in money)" if price else "")
