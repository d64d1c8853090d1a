"""What people hold in their hands, and the mistakes they make, through the real command and the public door.

A right call gives a sensible answer. A wrong one gives one sentence, never a traceback and never another library's
exception.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import sacrebleu

import farthing

CANDIDATES = ["The cat sat on the mat.", "It is raining today.", "He bought three apples.", "She does not like tea."]
REFERENCES = ["A cat was sitting on the mat.", "Today it rains.", "He bought three red apples.", "She dislikes tea."]
OTHERS = ["A dog ran.", "It rains today.", "He sold three apples.", "She likes tea."]
SOURCES = ["Le chat était assis.", "Il pleut.", "Il a acheté trois pommes.", "Elle n'aime pas le thé."]
RUSSIAN = ["Кошка сидела на коврике у двери.", "Сегодня весь день идёт дождь.", "Он купил три красных яблока."]
CHINESE = ["猫坐在门前的垫子上。", "今天下了一整天的雨。", "他买了三个红苹果。"]
GERMAN = ["Die Katze saß auf der Matte vor der Tür.", "Heute regnet es den ganzen Tag.", "Er hat drei Äpfel gekauft."]


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder with everything that the cases read."""
    place = tmp_path_factory.mktemp("everyday")
    rows = [
        {"candidate": c, "reference": r, "other": o, "source": s, "doc": f"d{n // 2}", "score": n}
        for n, (c, r, o, s) in enumerate(zip(CANDIDATES, REFERENCES, OTHERS, SOURCES, strict=True))
    ]
    long = [
        {"system": name, "id": n, "response": text, "target": REFERENCES[n]}
        for name, texts in {"a": CANDIDATES, "b": OTHERS}.items()
        for n, text in enumerate(texts)
    ]
    jsonl = "".join(json.dumps(row) + "\n" for row in rows).encode()
    plain = lines(*CANDIDATES)
    semicolons = ["prediction;target", *(f'"{r["candidate"]}";"{r["reference"]}"' for r in rows)]
    csv = ["generated_text,ground_truth", *(f'"{r["candidate"]}","{r["reference"]}"' for r in rows)]
    files = {
        "hyp.txt": plain, "ref.txt": lines(*REFERENCES), "other.txt": lines(*OTHERS), "src.txt": lines(*SOURCES),
        "short.txt": lines(*CANDIDATES[:3]), "paragraph.txt": " ".join(REFERENCES).encode() + b"\n",
        "empty.txt": b"", "blank.txt": b"\n\n\n\n", "russian.txt": lines(*RUSSIAN), "german.txt": lines(*GERMAN),
        "german2.txt": lines(*reversed(GERMAN)), "chinese.txt": lines(*CHINESE),
        "german-nbest.txt": lines(*GERMAN),
        "nbest.txt": lines(*(text for two in zip(CANDIDATES, OTHERS, strict=True) for text in two)),
        "unreferenced.jsonl": "".join(f'{{"mt": "{r["candidate"]}", "src": "{r["source"]}"}}\n' for r in rows).encode(),
        "unreferenced.csv": "\n".join(["mt,src", *(f'"{r["candidate"]}","{r["source"]}"' for r in rows)]).encode(),
        "russian2.txt": lines(*reversed(RUSSIAN)), "bad.txt": b"\xff\xfe\xfa\n", "bom.txt": b"\xef\xbb\xbf" + plain,
        "crlf.txt": plain.replace(b"\n", b"\r\n"), "utf16.txt": plain.decode().encode("utf-16"),
        "hyp.txt.gz": gzip.compress(plain), "hyp.txt.bz2": bz2.compress(plain), "hyp.txt.xz": lzma.compress(plain),
        "zipped": gzip.compress(plain), "broken.txt.gz": gzip.compress(plain)[:-20],
        "rows.jsonl": jsonl, "rows.json": json.dumps(rows).encode(), "broken.json": b'{"a": [',
        "columns.json": json.dumps({key: [row[key] for row in rows] for key in rows[0]}).encode(),
        "data.json": json.dumps({"data": rows}).encode(), "rows.csv": "\n".join(csv).encode(),
        "semicolons.csv": "\n".join(semicolons).encode(), "broken.jsonl": jsonl + b"{not json\n",
        "long.jsonl": "".join(json.dumps(row) + "\n" for row in long).encode(),
        "strange.csv": b"eins,zwei\na,b\n",
    }  # fmt: skip
    for name, data in files.items():
        (place / name).write_bytes(data)
    pa.parquet.write_table(pa.Table.from_pylist(rows), place / "rows.parquet")
    with pa.output_stream(str(place / "hyp.txt.zst"), compression="zstd") as stream:
        stream.write(plain)
    for pair in ("de-en", "fr-en"):
        (place / "sets" / "news" / pair).mkdir(parents=True)
        for name, texts in {"src": SOURCES, "ref": REFERENCES, "hyp.a": CANDIDATES, "hyp.b": OTHERS}.items():
            (place / "sets" / "news" / pair / name).write_bytes(lines(*texts))
    (place / "free" / "de-en").mkdir(parents=True)
    for name, texts in {"src": SOURCES, "hyp.a": CANDIDATES, "hyp.b": OTHERS}.items():
        (place / "free" / "de-en" / name).write_bytes(lines(*texts))
    return place


@pytest.fixture(scope="module")
def run(folder: Path, every_size: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    program = (
        "import pathlib, farthing.encoders.folder.locate as place\n"
        f"place.EMBEDDED = pathlib.Path({str(every_size)!r})\n"
        "from farthing.app.cli.main import main\nmain()"
    )

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, *arguments]
        environment = {**os.environ, "COLUMNS": "200", "PYTHONWARNINGS": "error"}
        return subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, encoding="utf-8")

    return call


# The score of the plain files by sacrebleu itself: what every other form of the same texts must have.
CHRF = re.escape(f"{sacrebleu.corpus_chrf(CANDIDATES, [REFERENCES]).score:.2f}")

# What is typed, and a pattern of what is printed.
RIGHT = [
    ("score hyp.txt -r ref.txt", r"frugalscore"),
    ("score hyp.txt -r ref.txt -m chrf", CHRF),
    ("score hyp.txt -r ref.txt -m bleu -m chrf", r"bleu ↑ +chrf ↑"),
    ("score hyp.txt -r ref.txt -m BLEU,chrF", r"bleu ↑ +chrf ↑"),
    ("score hyp.txt -r ref.txt -m chrf++", r"nw:2"),
    ("score hyp.txt -r ref.txt -m rougeL", r"rouge"),
    ("score hyp.txt -r ref.txt -m sacrebleu", r"bleu"),
    ("score hyp.txt -r ref.txt -m rouge", r"rouge"),
    ("score hyp.txt -r ref.txt -m meteor", r"meteor"),
    ("score hyp.txt -r ref.txt -m bertscore(model=nano)", r"bertscore"),
    ("score hyp.txt -r ref.txt -m moverscore(model=nano)", r"moverscore"),
    ("score hyp.txt -r ref.txt -m chrf(normalise=lower)", r"normalise"),
    ("score hyp.txt -r ref.txt -r other.txt -m chrf", r"nrefs:2"),
    ("score hyp.txt other.txt -r ref.txt -m chrf", r"other"),
    ("score hyp.txt.gz -r ref.txt -m chrf", CHRF),
    ("score hyp.txt.bz2 -r ref.txt -m chrf", CHRF),
    ("score hyp.txt.xz -r ref.txt -m chrf", CHRF),
    ("score hyp.txt.zst -r ref.txt -m chrf", CHRF),
    ("score zipped -r ref.txt -m chrf", CHRF),
    ("score bom.txt -r ref.txt -m chrf", CHRF),
    ("score crlf.txt -r ref.txt -m chrf", CHRF),
    ("score utf16.txt -r ref.txt -m chrf", CHRF),
    ("score rows.jsonl -m chrf", CHRF),
    ("score rows.json -m chrf", CHRF),
    ("score columns.json -m chrf", CHRF),
    ("score data.json -m chrf", CHRF),
    ("score rows.csv -m chrf", CHRF),
    ("score semicolons.csv -m chrf", CHRF),
    ("score rows.parquet -m chrf", CHRF),
    ("score rows.jsonl --candidate candidate,other -m chrf", r"other"),
    ("score long.jsonl -m chrf", r"(?s)\na .*\nb "),
    ("compare long.jsonl -m chrf", r"(?s)\na .*\nb "),
    ("score sets -m chrf", r"(?s)de-en.*fr-en"),
    ("score german.txt -r german.txt", r"(?s)100\.00.*model:multi"),
    ("score russian2.txt -r russian.txt", r"model:multi"),
    ("score chinese.txt -r chinese.txt", r"(?s)100\.00.*model:multi"),
    ("score hyp.txt -r ref.txt -s src.txt", r"model:small"),
    ("score hyp.txt -r ref.txt -m frugalscore(size=multi)", r"model:multi"),
    ("score hyp.txt -s src.txt", r"model:source"),
    ("score hyp.txt other.txt -s src.txt", r"(?s)other.*model:source"),
    ("score hyp.txt -r ref.txt -s src.txt -m frugalscore(size=source)", r"model:source"),
    ("score unreferenced.jsonl", r"model:source"),
    ("score unreferenced.csv", r"model:source"),
    ("score rows.jsonl", r"model:small"),
    ("score free", r"(?s)de-en.*model:source"),
    ("compare hyp.txt other.txt -s src.txt", r"(?s)p[=<].*model:source"),
    ("compare german.txt german2.txt -r german.txt", r"(?s)p[=<].*model:multi"),
    ("rerank nbest.txt -s src.txt --size 2 -f jsonl", r'"score"'),
    ("mbr german-nbest.txt --size 3 -f jsonl", r'"score"'),
    ("align -c Regen -r Regen", r"100"),
    ("align -c Rain -s Pluie", r"score"),
    ("score hyp.txt -r ref.txt -m chrf -f json", r'"chrf"'),
    ("score hyp.txt -r ref.txt -m chrf -f latex", r"toprule"),
    ("score hyp.txt -r ref.txt -m chrf --digits 4", r"\d\.\d{4}\b"),
    ("score hyp.txt -r ref.txt -m chrf --ci", r"\["),
    ("score blank.txt -r ref.txt -m frugalscore", r"(?i)empty|no text"),
    ("score german.txt -r german.txt -m chrf", r"100\.00"),
    ("score hyp.txt -r ref.txt -m chrf --fail-under chrf=1", r"chrf"),
    ("compare hyp.txt other.txt -r ref.txt -m chrf", r"p[=<]"),
    ("compare hyp.txt other.txt short.txt -r ref.txt -m chrf --resegment", r"chrf"),
    ("score paragraph.txt -r ref.txt -m chrf --resegment", r"100\.00"),
    ("metrics", r"frugalscore"),
    ("metrics chrf++", r"word_order"),
    ("models info small", r"(?i)layers"),
    ("-V", r"farthing \d"),
    ("--version", r"farthing \d"),
    ("help", r"score"),
    ("help score", r"--ref"),
    ("score --help", r"(?i)example"),
    ("completion bash", r"complete"),
    ("completion zsh", r"compdef"),
    ("completion fish", r"complete -c farthing"),
    ("cite", r"(?i)farthing"),
    ("cite chrf", r"(?i)popovi"),
    ("mbr --help", r"(?i)example"),
    ("rerank --help", r"(?i)example"),
]  # fmt: skip

# What is typed, and a pattern of the one sentence.
WRONG = [
    ("scor hyp.txt", r"score"),
    ("score", r"systems"),
    ("score hyp.txt", r"-r or -s"),
    ("score missing.txt -r ref.txt", r"missing\.txt"),
    ("score hyp.txt -r missing.txt", r"missing\.txt"),
    ("score hyp.txt -r ref.txt -m blue", r"bleu"),
    ("score hyp.txt -r ref.txt -m chrf(worder=2)", r"word_order"),
    ("score hyp.txt -r ref.txt -m chrf(word_order=two)", r"word_order"),
    ("score hyp.txt -r ref.txt -m chrf(", r"chrf\("),
    ("score hyp.txt -r ref.txt -m bertscore(model=none/such)", r"none/such"),
    ("score hyp.txt -r ref.txt -m xmoverscore(model=small)", r"source|English"),
    ("score hyp.txt -s src.txt -r ref.txt -m sentsim(model=small)", r"English|language"),
    ("score hyp.txt --reference ref.txt", r"-r"),
    ("score hyp.txt --references ref.txt", r"-r"),
    ("score --hyp hyp.txt -r ref.txt", r"by its place"),
    ("score hyp.txt -r ref.txt --digit", r"--digits"),
    ("score hyp.txt -r ref.txt --digits many", r"digits"),
    ("score hyp.txt -r ref.txt -f xml", r"json"),
    ("score short.txt -r ref.txt -m chrf", r"3.*4|4.*3"),
    ("score paragraph.txt -r ref.txt -m chrf", r"1.*4|4.*1"),
    ("score empty.txt -r ref.txt -m chrf", r"empty\.txt"),
    ("score bad.txt -r ref.txt -m chrf", r"bad\.txt"),
    ("score broken.txt.gz -r ref.txt -m chrf", r"broken\.txt\.gz"),
    ("score broken.json -m chrf", r"broken\.json"),
    ("score broken.jsonl -m chrf", r"broken\.jsonl"),
    ("score strange.csv -m chrf", r"eins"),
    ("score rows.jsonl --candidate nothing -m chrf", r"nothing"),
    ("score . -r ref.txt -m chrf", r"is a directory"),
    ("score russian2.txt -r russian.txt -m frugalscore(size=small)", r"Cyrillic.*size=multi"),
    ("score german.txt -r german.txt -m frugalscore(size=nano)", r"(?i)german.*size=multi"),
    ("score hyp.txt -r ref.txt -m frugalscore(size=source)", r"-s "),
    ("score hyp.txt -s src.txt -m frugalscore(size=multi)", r"size=source"),
    ("score hyp.txt -s src.txt -m chrf", r"-r "),
    ("score hyp.txt -r ref.txt -m frugalscore(size=large)", r"multi"),
    ("align -c Rain", r"-r.*-s"),
    ("align -c Rain -r Regen -s Pluie", r"-r.*-s"),
    ("score hyp.txt -r ref.txt -o hyp.txt", r"hyp\.txt"),
    ("score hyp.txt -r ref.txt -o ./ref.txt", r"ref\.txt"),
    ("score hyp.txt -r ref.txt -o out.xyz", r"xyz"),
    ("score hyp.txt -r ref.txt -o none/such/out.csv", r"none"),
    ("score hyp.txt -r ref.txt --fail-under bleu=1", r"bleu"),
    ("score hyp.txt -r ref.txt --fail-under much", r"much"),
    ("score hyp.txt -t wmt99 -l en-de", r"wmt99"),
    ("score hyp.txt -t wmt20 -l en-de", r"online"),
    ("compare hyp.txt -r ref.txt", r"at least two"),
    ("compare hyp.txt other.txt -r ref.txt --names one", r"names"),
    ("compare hyp.txt --against none", r"none"),
    ("compare hyp.txt other.txt -r ref.txt --test magic", r"bootstrap"),
    ("help scor", r"score"),
    ("completion powershell", r"bash"),
    ("cite blue", r"bleu"),
    ("verify nonsense", r"nonsense"),
    ("metrics blue", r"bleu"),
    ("models info none", r"none"),
    ("mbr missing.jsonl", r"missing\.jsonl"),
    ("rerank hyp.txt", r"source|reference|list"),
    ("learn annotate rows.csv --teacher nothing -o out.parquet", r"nothing"),
]  # fmt: skip


def words(typed: str) -> list[str]:
    return typed.split(" ")


@pytest.mark.parametrize(("typed", "pattern"), RIGHT, ids=[typed for typed, _ in RIGHT])
def test_right_commands(typed: str, pattern: str, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = run(*words(typed))
    assert done.returncode == 0, done.stderr
    assert re.search(pattern, done.stdout), done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("typed", "pattern"), WRONG, ids=[typed for typed, _ in WRONG])
def test_wrong_commands(
    typed: str, pattern: str, run: Callable[..., subprocess.CompletedProcess[str]], folder: Path
) -> None:
    before = {path: path.read_bytes() for path in folder.glob("*.txt")}
    done = run(*words(typed))
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    message = done.stderr.strip()
    assert message.startswith("farthing: ")
    assert "\n" not in message
    assert re.search(pattern, message), message
    assert {path: path.read_bytes() for path in before} == before


def test_a_gate_says_why_it_fails(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = run("score", "hyp.txt", "-r", "ref.txt", "-m", "chrf", "--fail-under", "chrf=99")
    assert done.returncode == 3
    assert re.search(r"chrf.*99", done.stderr)


def generator() -> Iterator[str]:
    yield from CANDIDATES


def columns() -> dict[str, tuple[object, object]]:
    """The same candidates and references in every form that people hold."""
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    frame = {"candidate": CANDIDATES, "reference": REFERENCES}
    return {
        "lists": (CANDIDATES, REFERENCES),
        "tuples": (tuple(CANDIDATES), tuple(REFERENCES)),
        "generator": (generator(), iter(REFERENCES)),
        "numpy": (np.array(CANDIDATES), np.array(REFERENCES)),
        "numpy objects": (np.array(CANDIDATES, dtype=object), np.array(REFERENCES, dtype=object)),
        "pandas": (pandas.Series(CANDIDATES), pandas.Series(REFERENCES)),
        "pandas with an index": (pandas.Series(CANDIDATES, index=[9, 8, 7, 6]), pandas.Series(REFERENCES)),
        "polars": (polars.Series(CANDIDATES), polars.Series(REFERENCES)),
        "pyarrow": (pa.array(CANDIDATES), pa.array(REFERENCES)),
        "pyarrow chunks": (pa.chunked_array([CANDIDATES[:2], CANDIDATES[2:]]), pa.chunked_array([REFERENCES])),
        "lists of one reference": (CANDIDATES, [[text] for text in REFERENCES]),
        "data frame": (pandas.DataFrame(frame), None),
        "polars frame": (polars.DataFrame(frame), None),
        "dict of columns": (frame, None),
        "arrow table": (pa.table(frame), None),
    }


FORMS = [
    "lists", "tuples", "generator", "numpy", "numpy objects", "pandas", "pandas with an index", "polars", "pyarrow",
    "pyarrow chunks", "lists of one reference", "data frame", "polars frame", "dict of columns", "arrow table",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_texts_in_any_form(form: str) -> None:
    expected = farthing.score(CANDIDATES, REFERENCES, metric="chrf").corpus
    candidates, references = columns()[form]
    assert farthing.score(candidates, references, metric="chrf").corpus == expected
    again, references = columns()[form]
    assert farthing.load("chrf").score(again, references).corpus == expected
    third, references = columns()[form]
    assert farthing.Pairs.of(third, references).candidates == CANDIDATES


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        ((None, REFERENCES), r"(?i)none"),
        ((CANDIDATES, None), r"reference"),
        ((set(CANDIDATES), REFERENCES), r"set"),
        (("one text", REFERENCES), r"(?i)string|str|list"),
        ((CANDIDATES, "one text"), r"(?i)string|str|list"),
        ((CANDIDATES, [REFERENCES]), r"per candidate"),
        ((CANDIDATES, [REFERENCES, OTHERS]), r"per candidate"),
        ((CANDIDATES[:3], REFERENCES), r"3.*4|4.*3"),
        (([*CANDIDATES[:3], None], REFERENCES), r"4"),
        (([*CANDIDATES[:3], float("nan")], REFERENCES), r"4"),
        (([*CANDIDATES[:3], 7], REFERENCES), r"4"),
        (([*CANDIDATES[:3], b"bytes"], REFERENCES), r"4"),
        ((CANDIDATES, [*REFERENCES[:3], None]), r"4"),
        ((3, REFERENCES), r"number"),
        ((CANDIDATES, REFERENCES, "blue"), r"bleu"),
        (([], []), r"(?i)no |empty|at least"),
    ],
)
def test_wrong_texts_get_a_sentence(arguments: tuple[object, ...], pattern: str) -> None:
    with pytest.raises(farthing.FarthingError, match=pattern) as caught:
        farthing.score(*arguments, **({} if len(arguments) > 2 else {"metric": "chrf"}))
    assert "\n" not in str(caught.value)


def test_the_third_place_is_understood() -> None:
    assert farthing.score(CANDIDATES, REFERENCES, "chrf").signature.metric == "chrf"
    assert farthing.compare({"a": CANDIDATES}, REFERENCES, "chrf").rows[0].system == "a"


@pytest.mark.parametrize("metrics", [["chrf", "bleu"], [farthing.load("chrf"), "bleu"], "chrf,bleu"])
def test_several_metrics(metrics: object) -> None:
    comparison = farthing.compare({"a": CANDIDATES, "b": OTHERS}, REFERENCES, metrics)
    assert [len(row.cells) for row in comparison.rows] == [2, 2]


def test_results_are_numbers_frames_and_html() -> None:
    scores = farthing.score(CANDIDATES, REFERENCES, metric="chrf")
    assert float(scores) == scores.corpus
    comparison = farthing.compare({"a": CANDIDATES, "b": OTHERS}, REFERENCES, "chrf")
    assert len(comparison.to_pandas()) == 2
    assert comparison.to_arrow().num_rows == 2
    assert comparison.to_dict()
    assert "<table" in comparison._repr_html_()


@pytest.mark.parametrize("spec", ["chrf", "frugalscore(size=nano)"])
def test_metrics_and_scores_survive_pickling(spec: str) -> None:
    metric = farthing.load(spec)
    scores = metric.score(CANDIDATES, REFERENCES)
    again = pickle.loads(pickle.dumps(metric)).score(CANDIDATES, REFERENCES)
    assert pickle.loads(pickle.dumps(scores)).corpus == scores.corpus == again.corpus


def test_options_as_keywords() -> None:
    assert str(farthing.load("chrf", word_order=2).score(CANDIDATES, REFERENCES).signature) == str(
        farthing.score(CANDIDATES, REFERENCES, "chrf++").signature
    )
