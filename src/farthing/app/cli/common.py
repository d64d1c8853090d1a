"""Options and habits that commands share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.core.errors import UnknownName, UsageError
from farthing.files.inputs import Inputs, Source
from farthing.scoring.comparison import Comparison, PrintedForm
from farthing.scoring.engine import using_engine
from farthing.scoring.output import Target
from farthing.scoring.score import Chosen

MetricsOption = typed.Option(
    "-m",
    "--metrics",
    help="Metrics, such as bleu,chrf or 'bertscore(model=small)'; may be given again.",
    joined=True,
    completes="metric",
    also=("--metric", "--scorer"),
)
Metrics = Annotated[str, MetricsOption]
CandidateColumn = Annotated[
    str | None, typed.Option("--candidate", help="Column of the candidates in a table.", file_flag="")
]
CandidateColumns = Annotated[
    list[str] | None,
    typed.Option(
        "--candidate", help="Column of the candidates in a table; several columns are several systems.", file_flag=""
    ),
]
ReferenceColumns = Annotated[
    str | None, typed.Option("--reference", help="Columns of the references, with commas between.", file_flag="-r")
]
SourceColumn = Annotated[str | None, typed.Option("--source", help="Column of the sources.", file_flag="-s")]
Format = Annotated[PrintedForm, typed.Option("--format", "-f", help="Form of the result.")]
Digits = Annotated[
    int | None,
    typed.Option(
        "--digits", help="Decimals of the printed scores; by default 2 or 4, as suits the scale.", min=0, max=17
    ),
]
Output = Annotated[
    str | None,
    typed.Option(
        "-o",
        "--output",
        help="Write one row per segment to a .parquet, .jsonl, .csv or .tsv file, or the whole run to a FOLDER/.",
    ),
]
WithTexts = Annotated[
    bool, typed.Option("--with-texts", help="Texts, ids and signatures beside the scores that -o writes.")
]
Plot = Annotated[
    Path | None, typed.Option("--plot", help="Draw quality against diversity (set metrics): png, pdf, svg.")
]
Resegment = Annotated[
    bool, typed.Option("--resegment", help="Cut the outputs, in lines of any kind, at the references' segments.")
]
Overwrite = Annotated[bool, typed.Option("--overwrite", help="Replace what already exists.")]
CacheFolder = Annotated[
    str | None, typed.Option("--cache", help="Folder that keeps encodings from one run to the next.")
]
FailUnder = Annotated[
    list[str] | None,
    typed.Option("--fail-under", help="Exit with code 3 if a score is worse than this: chrf=60; may be given again."),
]
EncoderName = Annotated[
    str | None,
    typed.Option("--encoder", help="Encoder of the metrics that name none: small, tiny, nano, multi or a model."),
]
Seed = Annotated[int, typed.Option("--seed", help="Seed of the resampling.")]
Quiet = Annotated[bool, typed.Option("--quiet", "-q", help="Show no progress.")]  # obeyed by typed.run


@dataclass(frozen=True, slots=True)
class TextOptions:
    """The systems' outputs and what they are judged against."""

    systems: Annotated[
        list[str],
        typed.Argument(
            help="One file per system: txt, tsv, csv, jsonl, json (.gz … too) or parquet; - is stdin.",
            completes="file",
            also=("--hyp", "--hyps", "--hypothesis", "--hypotheses", "--candidates", "--cand", "--systems",
                  "--input", "--pred", "--predictions"),
        ),
    ]  # fmt: skip
    references: Annotated[
        list[str] | None,
        typed.Option(
            "-r",
            "--ref",
            help="A file of references; may be given again.",
            completes="file",
            also=("--refs", "--references", "--reference-file", "--target", "--targets"),
        ),
    ] = None
    source_file: Annotated[
        str | None,
        typed.Option("-s", "--src", help="A file of sources.", completes="file", also=("--sources", "--source-file")),
    ] = None
    candidate: CandidateColumns = None
    reference: ReferenceColumns = None
    source: SourceColumn = None
    names: Annotated[str | None, typed.Option("--names", help="Names of the systems, with commas between.")] = None
    stdin_format: Annotated[
        str, typed.Option("--stdin-format", help="Format of standard input: txt, tsv, csv, jsonl, json or parquet.")
    ] = "txt"
    documents: Annotated[
        str | None,
        typed.Option(
            "--documents",
            help="Column or file of document ids: resample whole documents; none: not even if a column is called doc.",
        ),
    ] = None
    system: Annotated[
        str | None, typed.Option("--system", help="Column of the systems in a table; none: the table is one system.")
    ] = None
    test_set: Annotated[
        str | None, typed.Option("-t", "--test-set", help="A public test set, such as wmt20, instead of -r and -s.")
    ] = None
    language_pair: Annotated[
        str | None, typed.Option("-l", "--language-pair", help="Language pair of the test set, such as en-de.")
    ] = None


@dataclass(frozen=True, slots=True)
class KeptOptions:
    """What a run keeps, and whether it may replace an earlier one."""

    explain: Annotated[
        bool,
        typed.Option(
            "--explain", help="Keep in the run (-o FOLDER/) which words are likely wrong or missing, and alignments."
        ),
    ] = False
    align: Annotated[
        int | None,
        typed.Option(
            "--align", min=0, help="Keep alignments of so many segments that differ most; 200 with --explain."
        ),
    ] = None
    overwrite: Overwrite = False

    @property
    def asked(self) -> bool:
        """Whether a run keeps more than texts and scores."""
        return self.explain or bool(self.align)

    def target(self, output: str | None, chosen: Sequence[Chosen], files: Inputs, with_texts: bool) -> Target:
        """Tell where the result goes besides the terminal."""
        if not (output or with_texts or self.asked):
            return Target()
        return Target.of(output, chosen, files.paths(), with_texts, self.asked)


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Where the scoring is done."""

    engine: Annotated[
        Literal["local", "ray"], typed.Option("--engine", help="Score on this machine, or on a cluster of Ray.")
    ] = "local"
    address: Annotated[
        str | None, typed.Option("--address", help="Address of the cluster; without one, Ray is started here.")
    ] = None
    workers: Annotated[
        int | None, typed.Option("--workers", min=1, help="Processes that score; by default one per core.")
    ] = None

    def around(self) -> AbstractContextManager[None]:
        """Return a context in which this engine scores."""
        if self.address and self.engine == "local":
            raise UsageError("--address names a cluster of Ray: add --engine ray")
        asked = {"workers": self.workers, "address": self.address}
        return using_engine(self.engine, **{name: value for name, value in asked.items() if value is not None})


@dataclass(frozen=True, slots=True)
class RowOptions:
    """What is done with rows that cannot be read."""

    on_error: Annotated[
        Literal["stop", "skip"],
        typed.Option("--on-error", help="A row that cannot be read: stop, or skip it and keep it in rejects.jsonl."),
    ] = "stop"

    def around(self) -> AbstractContextManager[None]:
        """Return a context in which such rows are skipped, if that was asked for."""
        if self.on_error == "stop":
            return nullcontext()
        from farthing.files.rejects import Rejects, skipping

        return skipping(Rejects())

    def keep(self, target: Target) -> None:
        """Write the rows that were skipped beside the output, and say how many there are."""
        from farthing.files.rejects import SKIPPING

        rejects, path = SKIPPING.get(), target.rejects
        if rejects is None:
            return
        rejects.write(path)
        if rejects.count:
            sys.stderr.write(f"farthing: {rejects}; {'it is' if rejects.count == 1 else 'they are'} in {path}\n")


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """How the scores are shown, and where they are written."""

    output_format: Format = "table"
    digits: Digits = None
    output: Output = None
    with_texts: WithTexts = False


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the metrics over encoders use."""

    encoder: EncoderName = None
    cache: CacheFolder = None


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """Labels of some rows, from which means with intervals are made."""

    judgements: Annotated[
        str | None,
        typed.Option(
            "--judgements",
            help="A table with labels (people's or a judge's) of some rows: means of the labels.",
            completes="file",
        ),
    ] = None
    human: Annotated[
        str | None, typed.Option("--human", help="Column of the labels in --judgements; score by default.")
    ] = None

    def printed(
        self, found: Comparison, inputs: Source, form: PrintedForm, width: int | None, digits: int | None
    ) -> str:
        """Return the scores and what the labels say with their help."""
        from farthing.judge.powered import powered_result

        systems = next(iter(inputs.stretches(2**62)))
        result = powered_result(found, systems, self.judgements or "", self.human)
        return result.printed(form, found, width=width, digits=digits)


def resegmented(files: Inputs) -> Source:
    """Cut the outputs at the segments of the references."""
    from farthing.scoring import resegment

    return resegment.resegmented(files)


def check_choice(kind: str, value: str, choices: Sequence[str]) -> None:
    """Raise a sentence that lists the choices."""
    if value not in choices:
        raise UnknownName(kind, value, choices)
