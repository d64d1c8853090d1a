"""`farthing judge`: an expensive judge's verdicts at a part of its price."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import common, typed
from farthing.core.registry import DEFAULT, load_pairs_metric
from farthing.files.inputs import Inputs
from farthing.tables.sheet import terminal_width


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


def judge(
    texts: common.TextOptions,
    spending: BudgetOptions,
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
    output_format: common.Format = "table",
    digits: common.Digits = None,
    output: Annotated[
        str | None,
        typed.Option(
            "-o", "--output", help="Write one row per output to a .parquet, .jsonl, .csv or .tsv file, or to run/."
        ),
    ] = None,
    overwrite: common.Overwrite = False,
    quiet: common.Quiet = False,
) -> str:
    """Judge systems by an expensive judge that sees a part of the rows; a student scores the others.

    Every row gets a score with its origin, every system a mean with an interval that is valid for the policy.

    Examples:
      farthing judge a.txt b.txt -r ref.txt --judge "judge(replay=verdicts.jsonl)" --budget 10% --earlier old.jsonl
      farthing judge hyp.txt -r ref.txt -s src.txt --judge "judge(command='python my_judge.py')" --dry-run
    """
    from farthing.files.rows import is_folder
    from farthing.files.write import check_not_input, check_table_path, write_table
    from farthing.judge.budget import Price
    from farthing.judge.earlier import read_earlier
    from farthing.judge.flow import Allowance, JudgeFlow
    from farthing.judge.kept import judge_into
    from farthing.judge.metric import load_judge
    from farthing.judge.routing import RoutingPlan

    files = Inputs.named(**asdict(texts))
    folder = Path(output) if output and is_folder(output) else None
    if output and folder is None:
        check_table_path(output)
    if output:
        check_not_input(output, [*files.paths(), *filter(None, [spending.earlier])])
    price = Price.of(spending.price) if spending.price else None
    allowance = Allowance(spending.budget, spending.most_tokens, spending.most_money, price)
    flow = JudgeFlow(load_judge(judge), load_pairs_metric(student), files.pairs(), allowance)
    if dry_run:
        return "\n".join(flow.estimate().lines())
    plan = RoutingPlan(0, spending.policy, spending.random_share, seed=spending.seed)
    if folder is not None:
        found = judge_into(folder, flow, plan, spending.earlier, overwrite=overwrite)
    else:
        found = flow.run(plan, read_earlier(spending.earlier) if spending.earlier else None)
    if output and folder is None:
        write_table(output, found.columns())
    return found.printed(output_format, width=terminal_width(), digits=digits)
