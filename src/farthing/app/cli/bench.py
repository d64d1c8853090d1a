"""`farthing bench`: what do metrics cost, and what are they worth?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from farthing.app.cli import common
from farthing.app.cli.meta.options import ResultOptions
from farthing.app.cli.typed import Argument, Option
from farthing.core.registry import DEFAULT
from farthing.files.inputs import split

if TYPE_CHECKING:
    from farthing.bench.data import BenchData
    from farthing.bench.plan import BenchPlan
    from farthing.bench.training_rows import TrainingContender
    from farthing.core.types import Pairs


@dataclass(frozen=True, slots=True)
class BenchDataOptions:
    """The files and their columns."""

    data: Annotated[
        list[str],
        Argument(help="Texts, with human scores for quality: jsonl, tsv, csv (.gz too) or parquet.", completes="file"),
    ]
    human: Annotated[str | None, Option("--human", help="Column of human scores; none: measure costs alone.")] = None
    by: Annotated[str | None, Option("--by", help="Column of the groups, such as lp; none puts all in one.")] = None
    groups: Annotated[str | None, Option("--groups", help="Only these groups: cs-en,de-en or '*-en'.")] = None
    candidate: common.CandidateColumn = None
    reference: common.ReferenceColumns = None
    source: common.SourceColumn = None
    rows: Annotated[int | None, Option("--rows", help="Use so many rows, evenly spread.", min=1)] = None

    def read(self) -> list[BenchData]:
        """Read all data sets."""
        from farthing.bench.data import read_bench_data
        from farthing.core.columns import Columns
        from farthing.meta.read.human import HumanColumns

        text = Columns(self.candidate, tuple(split(self.reference)), self.source)
        columns = HumanColumns(text, group=self.by, scores=(self.human,) if self.human else ())
        groups = split(self.groups)
        return [read_bench_data(path, columns, limit=self.rows, groups=groups) for path in self.data]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What is measured, and how often."""

    repeats: Annotated[int, Option("--repeats", help="Rounds; each measures all in fresh processes.", min=1)] = 5
    part: Annotated[int, Option("--part", help="Segments for batch sizes, steps and tricks.", min=1)] = 400
    batches: Annotated[str, Option("--batches", help="Segments that a metric is given at a time.")] = "1,4,16,64"
    systems: Annotated[str, Option("--systems", help="How many systems are scored together.")] = "1,5,50"
    steps: Annotated[bool, Option("--steps", help="Measure the time of each step.")] = True
    tricks: Annotated[bool, Option("--tricks", help="Measure unsorted and sorted batches, and the cache.")] = True
    statistic: Annotated[str, Option("--statistic", help="Quality, as in farthing meta correlate.")] = "pearson"
    scenario: Annotated[str, Option("--scenario", help="SEGMENTSxPAIRSxSYSTEMS to extrapolate to.")] = "30000x5x50"
    watts: Annotated[
        float | None, Option("--watts", help="Power of the device; by default 15, or 300 on a GPU.", min=0.001)
    ] = None
    grid: Annotated[float, Option("--grid", help="kg of CO2 per kWh.", min=0)] = 0.386

    def plan(self) -> BenchPlan:
        """Return the plan, or a sentence that says what is wrong with it."""
        from farthing.bench.plan import BenchPlan, read_scenario, whole_numbers

        return BenchPlan(
            self.repeats,
            self.part,
            whole_numbers("--batches", self.batches),
            whole_numbers("--systems", self.systems),
            self.steps,
            self.tricks,
            self.statistic,
            read_scenario(self.scenario),
            self.watts,
            self.grid,
        )


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """Whose training is measured."""

    train: Annotated[
        str | None, Option("--train", help="Encoders whose training is measured, with commas between.")
    ] = None
    adapters: Annotated[
        str | None, Option("--adapters", help="Measure training with these adapters, too: pfeiffer,lora or all.")
    ] = None
    batch: Annotated[int, Option("--batch", help="Pairs per step of training.", min=1)] = 16

    def contenders(self, texts: Pairs) -> list[TrainingContender]:
        """Return what is trained on the texts."""
        from farthing.bench.training_rows import adapter_methods, training_contenders

        return training_contenders(split(self.train), texts, self.batch, adapter_methods(split(self.adapters)))


def bench(
    data: BenchDataOptions,
    planned: PlanOptions,
    training: TrainingOptions,
    results: ResultOptions,
    metrics: Annotated[str | None, common.MetricsOption] = None,
    encoders: Annotated[
        str | None, Option("--encoders", help="Encoders of the metrics that name none, with commas between.")
    ] = None,
    command: Annotated[
        list[str] | None,
        Option(
            "--command",
            help='Another program: name="program {candidates} {references} {sources} {scores}"; may be given again.',
        ),
    ] = None,
    plot: Annotated[Path | None, Option("--plot", help="Draw quality against time and memory: png, pdf, svg.")] = None,
    quiet: common.Quiet = False,
) -> str:
    """Measure what metrics cost and what they are worth: time, memory, size, energy, agreement with people.

    Examples:
      farthing bench wmt16.jsonl -m "chrf,frugalscore(size=nano)" --plot pareto.png -o bench.json
      farthing bench wmt16.jsonl -m bertscore --encoders ./minilm,./e5-small --repeats 3
      farthing bench wmt16.jsonl -m chrf --train ./minilm --adapters all
      farthing bench wmt16.jsonl --command bert-score="bert-score -r {references} -c {candidates} -s --lang en"
    """
    from farthing.bench.bench import bench as run
    from farthing.bench.contenders import contenders, expanded
    from farthing.bench.peers import Peer
    from farthing.report.bench_document import bench_document
    from farthing.report.bench_tables import bench_tables
    from farthing.report.pareto import check_pareto, draw_pareto
    from farthing.report.results import Results

    for path in data.data:
        results.check(path, [plot])
    peers, wanted = [Peer.of(text) for text in command or ()], metrics or (None if command else DEFAULT)
    specs, plan, sets = expanded(wanted, split(encoders)) if wanted else [], planned.plan(), data.read()
    for peer in peers:
        peer.check_program()
    if plot:
        check_pareto(plot, sets)
    trained = training.contenders(sets[0].judgements.texts)
    found = run(contenders(specs, peers, sets), plan, trained)
    if plot:
        draw_pareto(plot, found)
    return results.show(Results(bench_tables(found), bench_document(found)))
