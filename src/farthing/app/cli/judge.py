"""`farthing judge`: an expensive judge's verdicts at a part of its price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli import common, typed
from farthing.core.registry import DEFAULT, load_pairs_metric
from farthing.files.inputs import Inputs
from farthing.tables.sheet import terminal_width

if TYPE_CHECKING:
    from farthing.judge.judged import JudgedRun


@dataclass(frozen=True, slots=True)
class BudgetOptions:
    """What may be spent, on which rows, and what is known before."""

    budget: Annotated[
        str, typed.Option("--budget", help="Part of the rows (10%) or number of calls that the judge is asked.")
    ] = "10%"
    most_tokens: Annotated[
        int | None, typed.Option("--most-tokens", min=1, help="The most tokens that calls may cost.")
    ] = None
    most_money: Annotated[
        float | None, typed.Option("--most-money", min=0, help="The most money that calls may cost (with --price).")
    ] = None
    price: Annotated[
        str | None, typed.Option("--price", help="Price of a million tokens, read and written: 2.5/10.")
    ] = None
    policy: Annotated[
        Literal["worst", "uncertain", "random"], typed.Option("--policy", help="Which rows the judge sees.")
    ] = "worst"
    random_share: Annotated[
        float, typed.Option("--random-share", min=0, max=1, help="Part of the calls that is drawn at random.")
    ] = 0.2
    earlier: Annotated[
        str | None,
        typed.Option("--earlier", help="A table with verdicts on other texts of the systems, such as an earlier -o."),
    ] = None
    seed: Annotated[int, typed.Option("--seed", min=0, help="Seed of the draws.")] = 0


@dataclass(frozen=True, slots=True)
class JudgedOptions:
    """How results are shown and where they go."""

    output_format: common.Format = "table"
    digits: common.Digits = None
    output: Annotated[
        str | None,
        typed.Option(
            "-o", "--output", help="Write one row per output to a .parquet, .jsonl, .csv or .tsv file, or to run/."
        ),
    ] = None
    overwrite: common.Overwrite = False

    def folder(self, read: Sequence[str]) -> Path | None:
        """Return the folder of the run, if one was named; a file that cannot be written is refused.

        :param read: the files that are read, which are never overwritten
        """
        from farthing.files.rows import is_folder
        from farthing.files.write import check_not_input, check_table_path

        if self.output is None:
            return None
        check_not_input(self.output, read)
        if is_folder(self.output):
            return Path(self.output)
        check_table_path(self.output)
        return None

    def told(self, found: JudgedRun) -> str:
        """Write the table, if a file was named for it, and return what is printed."""
        from farthing.files.rows import is_folder
        from farthing.files.write import write_table

        if self.output is not None and not is_folder(self.output):
            write_table(self.output, found.columns())
        return found.printed(self.output_format, width=terminal_width(), digits=self.digits)


def judge(
    texts: common.TextOptions,
    spending: BudgetOptions,
    form: JudgedOptions,
    judge: Annotated[
        str,
        typed.Option(
            "--judge", help="The judge: judge(url=…, model=…, prompt=…), judge(command=…) or judge(replay=…)."
        ),
    ],
    student: Annotated[
        str, typed.Option("--student", help="The cheap metric that scores every row.", completes="metric")
    ] = DEFAULT,
    dry_run: Annotated[bool, typed.Option("--dry-run", help="Estimate the bill; ask nobody.")] = False,
    quiet: common.Quiet = False,
) -> str:
    """Judge systems by an expensive judge that sees a part of the rows; a student scores the others.

    Every row gets a score with its origin, every system a mean with an interval that is valid for the policy.

    Examples:
      farthing judge a.txt b.txt -r ref.txt --judge "judge(replay=verdicts.jsonl)" --budget 10% --earlier old.jsonl
      farthing judge hyp.txt -r ref.txt -s src.txt --judge "judge(command='python my_judge.py')" --dry-run
    """
    from farthing.judge.budget import Price
    from farthing.judge.earlier import read_earlier
    from farthing.judge.flow import Allowance, JudgeFlow
    from farthing.judge.kept import judge_into
    from farthing.judge.metric import load_judge
    from farthing.judge.routing import RoutingPlan

    files = Inputs.named(**asdict(texts))
    folder = form.folder([*files.paths(), *filter(None, [spending.earlier])])
    price = Price.of(spending.price) if spending.price else None
    allowance = Allowance(spending.budget, spending.most_tokens, spending.most_money, price)
    flow = JudgeFlow(load_judge(judge), load_pairs_metric(student), files.pairs(), allowance)
    if dry_run:
        return "\n".join(flow.estimate().lines())
    plan = RoutingPlan(0, spending.policy, spending.random_share, seed=spending.seed)
    if folder is not None:
        return form.told(judge_into(folder, flow, plan, spending.earlier, overwrite=form.overwrite))
    return form.told(flow.run(plan, read_earlier(spending.earlier) if spending.earlier else None))
