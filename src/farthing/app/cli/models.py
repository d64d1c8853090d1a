"""`farthing models`: the encoders on this machine, and what can be done with them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.app.cli.common import Overwrite, check_choice
from farthing.core.errors import OutputError, UsageError
from farthing.core.progress import phase

models = typed.Commands("Find, inspect, export and tune the encoders that metrics run on.")
Model = Annotated[str, typed.Argument(help="A model's name or folder.", completes="model")]
Threads = Annotated[int | None, typed.Option("--threads", help="How many cores to use.", min=1)]


@models.command("list")
def list_models() -> str:
    """List the models on this machine by name.

    Example: farthing models list
    """
    from farthing.encoders.folder.locate import local_models, models_folder

    folders = local_models()
    width = max(map(len, folders), default=0)
    lines = [f"{name:<{width}}  {folder}" for name, folder in sorted(folders.items())]
    return "\n".join(lines) or f"there are no models in {models_folder()}; farthing models pull NAME gets one"


@models.command("info")
def info(
    model: Model,
    output_format: Annotated[
        Literal["table", "json"], typed.Option("--format", "-f", help="Form of the result.")
    ] = "table",
) -> str:
    """Show a model's layers, size, parameters and hashes; of a student also its kind, languages and version.

    Examples:
      farthing models info small
      farthing models info ./minilm --format json
    """
    import json
    from dataclasses import asdict

    from farthing.encoders.folder.describe import describe
    from farthing.encoders.folder.locate import locate
    from farthing.students.facts import is_student, student_facts

    folder = locate(model)
    facts = asdict(student_facts(folder) if is_student(folder) else describe(folder))
    if output_format == "json":
        return json.dumps({**facts, "folder": str(facts["folder"])}, indent=2)
    width = max(map(len, facts))
    lines = {name.replace("_", " "): value for name, value in facts.items() if value is not None}
    return "\n".join(
        f"{name:<{width}} {value:,}" if isinstance(value, int) else f"{name:<{width}} {value}"
        for name, value in lines.items()
    )


@models.command("pull")
def pull(
    model: Annotated[str, typed.Argument(help="A model's name on the hub, or a version of a student: small@1.")],
) -> str:
    """Fetch a model from the hub into the local cache, and print its folder.

    Examples:
      farthing models pull microsoft/deberta-xlarge-mnli
      farthing models pull small@1
    """
    from farthing.encoders.folder.locate import check_weights, find_local
    from farthing.encoders.folder.locate import pull as fetch

    return str(find_local(model) or check_weights(fetch(model), model))


@models.command("export")
def export(
    model: Model,
    output: Annotated[Path, typed.Option("-o", "--output", help="The folder to make.")],
    precision: Annotated[
        Literal["fp32", "int8", "int8-dynamic"],
        typed.Option("--precision", help="Precision of the weights; int8-dynamic is the fastest."),
    ] = "fp32",
    layers: Annotated[str | None, typed.Option("--layers", help="Layers to keep, with commas between.")] = None,
    check: Annotated[bool, typed.Option("--check", help="Measure how far the scores deviate.")] = True,
    overwrite: Overwrite = False,
) -> str:
    """Export a model to ONNX, and report how far its scores deviate.

    Example: farthing models export ./minilm -o minilm-int8 --precision int8-dynamic --layers 4,5,6
    """
    from farthing.encoders.folder.export import export_onnx
    from farthing.encoders.folder.locate import locate
    from farthing.encoders.load import name_of

    kept = _numbers(layers)
    with phase("exporting"):
        export_onnx(locate(model), output, name=name_of(model), precision=precision, layers=kept, overwrite=overwrite)
    return f"wrote {output}" + (f"\n{_deviation_report(model, output)}" if check else "")


@models.command("convert")
def convert(
    checkpoint: Annotated[Path, typed.Argument(help="A COMET model: its folder, or its file of weights.")],
    encoder: Annotated[
        str,
        typed.Option("--encoder", help="The encoder: its configuration and tokenizer are needed.", completes="model"),
    ],
    output: Annotated[Path, typed.Option("-o", "--output", help="The folder to make.")],
    licence: Annotated[str | None, typed.Option("--licence", help="The model's licence, for the card.")] = None,
    overwrite: Overwrite = False,
) -> str:
    """Read a published COMET checkpoint once, weights only, and write it as safetensors for comet(model=FOLDER).

    Example: farthing models convert ./wmt22-comet-da --encoder ./xlm-roberta-large -o wmt22
    """
    from farthing.learn.regress.convert import convert_comet

    return f"wrote {convert_comet(checkpoint, encoder, output, licence=licence, overwrite=overwrite)}"


@models.command("adapt")
def adapt(
    model: Model,
    adapter: Annotated[Path, typed.Argument(help="The folder of an adapter, which --adapter wrote.")],
    output: Annotated[Path, typed.Option("-o", "--output", help="The folder to make.")],
    overwrite: Overwrite = False,
) -> str:
    """Put a saved adapter into the encoder that it was trained for: merged into the weights, or as an ONNX graph.

    Example: farthing models adapt ./minilm estimator/adapter -o adapted
    """
    from farthing.learn.adapters.folder import adapt_encoder

    found = adapt_encoder(model, adapter, output, overwrite=overwrite)
    how = "merged into the weights" if found.mergeable else "in an ONNX graph"
    return f"wrote {output}: {found.method}, {found.count:,} parameters, {how}"


def _numbers(text: str | None) -> list[int] | None:
    try:
        return None if text is None else [int(item) for item in text.split(",")]
    except ValueError:
        raise UsageError(f"--layers {text} is not a list of whole numbers") from None


def _deviation_report(model: str, output: Path) -> str:
    from farthing.metrics.bertscore.deviation import deviation
    from farthing.tables.grid import NumberTable, grid_text

    measured = deviation(model, str(output))
    rows = [(str(layer), [measured.largest[layer], measured.correlation[layer]]) for layer in measured.largest]
    note = f"BERTScore's F1 on {measured.pairs} pairs against {model} in fp32"
    return grid_text(NumberTable("layer", ["largest difference", "Pearson"], rows, notes=[note], decimals=7))


@models.command("tune-layer")
def tune_layer(
    model: Model,
    judgements: Annotated[str, typed.Argument(help="A table with candidate, reference and human score.")],
    groups: Annotated[
        str | None, typed.Option("--groups", help='Only these groups, such as cs-en,de-en or "*-en".')
    ] = None,
    by: Annotated[str | None, typed.Option("--by", help="Column of the groups; none for no groups.")] = None,
    human: Annotated[str | None, typed.Option("--human", help="Column of the human scores.")] = None,
    also: Annotated[
        list[str] | None, typed.Option("--also", help="Another model, in the same figure; may be given again.")
    ] = None,
    plot: Annotated[Path | None, typed.Option("--plot", help="Draw correlation against layer: png, pdf, svg.")] = None,
    output_format: Annotated[str, typed.Option("--format", "-f", help="table, csv or latex.")] = "table",
    threads: Threads = None,
) -> str:
    """Find the layer whose BERTScore agrees best with human scores.

    Examples:
      farthing models tune-layer ./minilm human.jsonl --groups cs-en,de-en --plot layers.png
      farthing models tune-layer ./minilm human.jsonl --also ./mpnet --also ./e5 --plot layers.png
    """
    from farthing.meta.layers import tune_layer as tune
    from farthing.meta.read.formats import read_judgements
    from farthing.meta.read.human import HumanColumns
    from farthing.metrics.bertscore.bertscore import BertScore
    from farthing.report.figure import check_figure_path
    from farthing.report.layers import draw_layers
    from farthing.tables import grid

    printers = {"table": grid.grid_text, "csv": grid.grid_csv, "latex": grid.grid_latex}
    check_choice("format", output_format, list(printers))
    if plot:
        check_figure_path(plot)
    judged = read_judgements(judgements, HumanColumns(group=by, scores=(human,) if human else ()))
    judged = judged.only([item.strip() for item in groups.split(",")]) if groups else judged
    names = [model, *(also or ())]
    tables = [tune(BertScore(model=name, layer="all", threads=threads), judged, human) for name in names]
    if plot:
        draw_layers(plot, tables)
    return "\n\n".join(printers[output_format](one.table(named=bool(also))) for one in tables)


@models.command("baseline")
def baseline(
    model: Model,
    sentences: Annotated[str, typed.Argument(help="A text file, one sentence per line.")],
    lang: Annotated[str, typed.Option("--lang", help="The language of the sentences.")] = "en",
    output: Annotated[
        Path | None, typed.Option("-o", "--output", help="The file to write; by default the one of baseline=true.")
    ] = None,
    pairs: Annotated[int, typed.Option("--pairs", help="How many random pairs to score.", min=2)] = 10_000,
    seed: Annotated[int, typed.Option("--seed", help="Seed of the random pairs.")] = 12345,
    threads: Threads = None,
) -> str:
    """Make the baseline that rescales a model's scores, from sentences of one language.

    Example: farthing models baseline ./minilm sentences.txt --lang en
    """
    from farthing.encoders.load import name_of
    from farthing.metrics.bertscore.baseline_maker import make_baseline
    from farthing.metrics.bertscore.baselines import baseline_path
    from farthing.metrics.bertscore.bertscore import BertScore

    target = output or baseline_path(name_of(model), lang.lower())
    if output is None:
        target.parent.mkdir(parents=True, exist_ok=True)
    elif not target.parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist; make it first")
    metric = BertScore(model=model, layer="all", threads=threads)
    make_baseline(metric, _lines(sentences), pairs, seed).save(target)
    return f"wrote {target}"


@models.command("idf")
def idf(
    model: Model,
    documents: Annotated[str, typed.Argument(help="A text file, one document per line.")],
    output: Annotated[Path, typed.Option("-o", "--output", help="The .json file to write.")],
) -> str:
    """Count in how many documents each token occurs, for bertscore(idf=FILE).

    Example: farthing models idf ./minilm references.txt -o idf.json
    """
    from farthing.metrics.bertscore.bertscore import BertScore

    if output.suffix != ".json":
        raise UsageError(f"{output}: the counts are a .json file")
    counted = BertScore(model=model).count_idf(_lines(documents))
    counted.save(output)
    return f"wrote {output}: {counted.documents} documents, {len(counted.counts)} tokens"


def _lines(path: str) -> list[str]:
    from farthing.files.lines import lines

    return [line for _, line in lines(path)]
