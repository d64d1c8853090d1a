"""A student by its recipe, from judgements and drawn pairs to a finished folder, on a tiny encoder."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from farthing.core.errors import InputError, UsageError
from farthing.core.types import Pairs
from farthing.learn.match.export import write_judge
from farthing.learn.match.make import Maker
from farthing.learn.match.model import Judge
from farthing.learn.match.recipe import read_student_recipe
from farthing.learn.match.tokens import ContextualTokens, load_transformer
from farthing.students.match import MatchStudent

MATCH = """
kind = "match"
unrelated = "corpus.tsv"
about = { size = "test" }
[student]
start = "encoder"
depth = 1
hidden = 4
[training]
epochs = 2
rate = 1e-3
head_rate = 1e-2
batch = 8
[[human]]
file = "human.jsonl"
by = "lp"
"""
TAUGHT = """
[[teachers]]
start = "encoder"
training = { epochs = 1, batch = 8 }
[[teachers]]
start = "teacher"
finished = true
[[drawn]]
kind = "perturbed"
file = "corpus.tsv"
count = 40
[[drawn]]
kind = "equal"
file = "corpus.tsv"
count = 10
weight = 0.5
"""
TOKENS = """
[distillation]
teacher = "teacher"
corpus = "corpus.tsv"
sentences = 60
rate = 1e-3
"""


@pytest.fixture
def place(encoder: Path, tmp_path: Path, write: Callable[[str, list[dict[str, object]]], Path]) -> Path:
    """A folder with judgements, a corpus and two models: an encoder and a finished student."""
    random = np.random.default_rng(3)
    sentences = [" ".join(f"w{n}" for n in random.integers(0, 40, 8)) for _ in range(160)]
    rows: list[dict[str, object]] = []
    for number, text in enumerate(sentences[:80]):
        gone = number % 8
        changed = [*(f"w{n}" for n in random.integers(0, 40, gone)), *text.split()[gone:]]
        rows.append({"candidate": " ".join(changed), "reference": text, "score": -gone, "lp": f"{number % 2}-en"})
    write("human.jsonl", rows)
    (tmp_path / "corpus.tsv").write_text("".join(f"news\t{text}\n" for text in sentences))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "encoder").symlink_to(encoder)
    (tmp_path / "models" / "teacher").mkdir()
    torch.manual_seed(1)
    judge = Judge(ContextualTokens(load_transformer(encoder, 2)), hidden=2)
    judge.head.linear.weight.data.fill_(-1.0)
    write_judge(judge, encoder, tmp_path / "models" / "teacher", floor=-1.0, about={})
    return tmp_path


def maker(place: Path, recipe: str, lines: list[str] | None = None, work: str = "work") -> Maker:
    (place / "recipe.toml").write_text(recipe)
    log = (lambda line: None) if lines is None else lines.append
    return Maker(read_student_recipe(place / "recipe.toml"), place, place / "models", place / work, log)


def static(recipe: str) -> str:
    return recipe.replace('kind = "match"', 'kind = "static"').replace("depth = 1", "width = 8\nwindow = 1")


def judgements(place: Path) -> tuple[list[str], list[str], list[float]]:
    rows = [json.loads(line) for line in (place / "human.jsonl").read_text().splitlines()]
    return [row["candidate"] for row in rows], [row["reference"] for row in rows], [row["score"] for row in rows]


def same(first: Path, second: Path) -> bool:
    names = {path.name for path in first.iterdir()}
    return names == {path.name for path in second.iterdir()} and all(
        (first / name).read_bytes() == (second / name).read_bytes() for name in names
    )


RECIPES = {
    "judgements alone": MATCH,
    "teachers and drawn pairs": MATCH + TAUGHT,
    "token distillation": MATCH.replace("hidden = 4", "hidden = 4\nskip = true\nwidth = 16") + TAUGHT + TOKENS,
    "a static student": static(MATCH) + TAUGHT + TOKENS,
    "a student that continues its teacher": MATCH.replace("depth = 1", "continues = 1").replace("= 4", "= 16") + TAUGHT,
}


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_makes_a_student_that_agrees_with_people(place: Path, name: str) -> None:
    maker(place, RECIPES[name]).make(place / "student")
    student = MatchStudent(place / "student", threads=1)
    candidates, references, scores = judgements(place)
    assert np.corrcoef(student.raw(candidates, references), scores)[0, 1] > 0.75
    facts = json.loads((place / "student" / "config.json").read_text())["farthing"]
    kind = "static" if "static" in name else "match"
    assert {key: facts[key] for key in ("kind", "size")} == {"kind": kind, "size": "test"}
    assert set(facts) == {"kind", "size", "lowest", "characters", "focus"}
    [empty] = student.score_systems([Pairs.of([""] * len(references), references)])
    assert empty.segments.max() <= facts["lowest"]


CONTRASTS = """
[[drawn]]
kind = "contrasts"
file = "human.jsonl"
options = { least = -1.0, damage = ["case", "additions", "spelling"], damaged = 3 }
count = 60
scores = { paraphrase = 1.0 }
score = -0.5
within = true
"""


def test_a_recipe_may_contrast_paraphrases_with_damaged_texts(place: Path) -> None:
    lines: list[str] = []
    groups = MATCH.replace("hidden = 4", 'hidden = 4\nfeatures = ["surface", "case", "edits"]')
    maker(place, groups + CONTRASTS + 'teaches = "edits"\n', lines).make(place / "student")
    assert lines[0].startswith("student: 1")  # more than the 80 that people judged
    student = MatchStudent(place / "student", threads=1)
    assert student.features == ("surface", "case", "edits")
    [text, *_] = judgements(place)[1]
    assert student.raw([text.upper()], [text]) < student.raw([text], [text])


def test_a_head_aside_is_no_part_of_the_student(place: Path) -> None:
    aside = MATCH.replace("hidden = 4", "hidden = 4\naside = true").replace("batch = 8", "batch = 8\ntogether = true")
    maker(place, aside + CONTRASTS + 'teaches = "tokens"\n').make(place / "student")
    maker(place, MATCH, work="other").make(place / "plain")
    names = [set(load_file(place / name / "head.safetensors")) for name in ("student", "plain")]
    assert names[0] == names[1]


def test_finished_steps_are_not_done_again(place: Path) -> None:
    lines: list[str] = []
    recipe = RECIPES["token distillation"]
    maker(place, recipe, lines).make(place / "first")
    lines.clear()
    maker(place, recipe, lines).make(place / "second")
    assert lines == [f"wrote {place / 'second'}"]
    assert same(place / "first", place / "second")


CHANGES: dict[str, Callable[[Path, str], str]] = {
    "the recipe": lambda place, recipe: recipe.replace("epochs = 2", "epochs = 1"),
    "the data": lambda place, recipe: _changed(place / "human.jsonl", '"score": -1', '"score": -2') or recipe,
    "the model": lambda place, recipe: _new_encoder(place) or recipe,
    "the corpus of distillation": lambda place, recipe: recipe.replace("sentences = 60", "sentences = 50"),
}


def _changed(path: Path, old: str, new: str) -> str:
    path.write_text(path.read_text().replace(old, new))
    return ""


def _new_encoder(place: Path) -> str:
    original = place / "models" / "encoder"
    config = json.loads((original / "config.json").read_text())
    copy = place / "models" / "copy"
    copy.mkdir()
    for path in original.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    (copy / "config.json").write_text(json.dumps({**config, "layer_norm_eps": 1e-5}))
    original.unlink()
    copy.rename(original)
    return ""


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_recipe_is_never_mixed_with_earlier_steps(place: Path, what: str) -> None:
    recipe, lines = static(MATCH) + TAUGHT + TOKENS if "corpus" in what else MATCH, []
    maker(place, recipe).make(place / "before")
    changed = CHANGES[what](place, recipe)
    maker(place, changed, lines).make(place / "after")
    maker(place, changed, work="fresh.work").make(place / "fresh")
    assert any("student.safetensors: the recipe, its data or its models changed" in line for line in lines)
    assert same(place / "after", place / "fresh")
    assert not same(place / "before", place / "after")


KILLED = """
import os, signal, sys
from pathlib import Path
from farthing.learn.match import make, token_distillation, tokens, training

def killing(whole, at):
    calls = []
    def loss(model, batch):
        calls.append(1)
        if len(calls) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(model, batch)
    return loss

place, step = Path(sys.argv[1]), sys.argv[2]
tokens.has_bfloat16 = lambda: False  # as in all tests here
if step == "tokens":
    token_distillation.lesson_loss = killing(token_distillation.lesson_loss, 3)
else:  # the teacher takes ten steps
    training.weighted_error = killing(training.weighted_error, 25)
from farthing.learn.match.recipe import read_student_recipe
recipe = read_student_recipe(place / "recipe.toml")
make.Maker(recipe, place, place / "models", place / "killed").make(place / "student")
"""


@pytest.mark.parametrize("step", ["tokens", "student"])
def test_a_killed_process_resumes_to_the_same_bytes(place: Path, step: str) -> None:
    torch.set_num_threads(1)
    recipe = RECIPES["token distillation"].replace("sentences = 60", "sentences = 60\nepochs = 3")
    maker(place, recipe).make(place / "whole")
    done = subprocess.run([sys.executable, "-c", KILLED, str(place), step], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (place / "student").exists()
    assert list((place / "killed").glob(f"{step}-*.run/checkpoint-*"))
    maker(place, recipe, work="killed").make(place / "student")
    assert same(place / "whole", place / "student")
    assert not list((place / "killed").glob("*.run"))


def test_rows_that_cannot_be_used_are_named_and_left_out(place: Path) -> None:
    lines: list[str] = []
    rows = (place / "human.jsonl").read_text().splitlines()
    rows[4] = json.dumps({"candidate": "w1 w2", "score": 1, "lp": "0-en"})
    (place / "human.jsonl").write_text("\n".join(rows) + "\n")
    maker(place, MATCH, lines).make(place / "student")
    assert any("human.jsonl:5: left out: it has no reference" in line for line in lines)
    assert any("79 pairs" in line for line in lines)


def test_a_missing_file_is_a_sentence_and_leaves_nothing(place: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        maker(place, MATCH.replace("human.jsonl", "missing.jsonl")).make(place / "student")
    assert not (place / "student").exists()


@pytest.mark.parametrize("number", [2, 3])
def test_only_a_teacher_that_is_trained_can_be_continued(place: Path, number: int) -> None:
    recipe = MATCH.replace("depth = 1", f"continues = {number}") + TAUGHT
    with pytest.raises(UsageError, match=f"continues teacher {number}, which the recipe does not train"):
        maker(place, recipe).make(place / "student")


TWO_JUDGES = """
[source]
hidden = 3
features = ["surface", "languages"]
about = { size = "second" }
[[human]]
file = "human.jsonl"
by = "lp"
against = "source"
[[human]]
file = "human.jsonl"
within = true
weight = 0.5
[[drawn]]
kind = "parallel"
file = "parallel.jsonl"
options = { damage = "unrelated", across = true }
against = "source"
count = 20
score = -2.0
"""


def with_sources(place: Path) -> list[str]:
    """Give the judgements sources, whose language is the other one backwards, and write parallel texts."""
    rows = [json.loads(line) for line in (place / "human.jsonl").read_text().splitlines()]
    rows = [{**row, "source": " ".join(reversed(row["reference"].split()))} for row in rows]
    (place / "human.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = [row["reference"] for row in rows]
    parallel = [{"text": {"a": text, "b": " ".join(reversed(text.split()))}} for text in texts]
    (place / "parallel.jsonl").write_text("".join(json.dumps(row) + "\n" for row in parallel))
    return [str(row["source"]) for row in rows]


def test_a_second_judge_shares_the_encoder(place: Path) -> None:
    sources = with_sources(place)
    recipe = 'parallel = "parallel.jsonl"\n' + MATCH + TWO_JUDGES
    for name in ("one", "two"):
        (place / name).mkdir()
        maker(place, recipe, work=f"work-{name}").make(place / name / "student")
    folder = place / "one"
    assert {path.name for path in folder.iterdir()} == {"student", "source"}
    assert {path.name for path in (folder / "source").iterdir()} == {"config.json", "head.safetensors"}
    student, second = MatchStudent(folder / "student", threads=1), MatchStudent(folder / "source", threads=1)
    candidates, references, scores = judgements(place)
    assert np.corrcoef(student.raw(candidates, references), scores)[0, 1] > 0.75
    [judged] = second.score_systems([Pairs.of(candidates, sources=sources)])
    assert np.corrcoef(judged.segments, scores)[0, 1] > 0.75
    assert second.fields()["against"] == "source"
    [empty] = second.score_systems([Pairs.of([""] * len(sources), sources=sources)])
    assert empty.segments.max() <= judged.segments.min()
    assert all(same(place / "one" / name, place / "two" / name) for name in ("student", "source"))


AFTERWARDS = """
based_on = "first.toml"
after = "first.toml"
seed = 2
[[human]]
file = "human.jsonl"
by = "lp"
against = "source"
"""


@pytest.mark.parametrize("shared", [0, 1])
def test_a_second_judge_learns_alone_over_layers_of_its_own(place: Path, shared: int) -> None:
    """The student that learned first stays the same to the byte; layers that both share moved only while it learned."""
    sources = with_sources(place)
    plan = f'[source]\nshared = {shared}\nhidden = 3\nabout = {{ size = "second" }}\n'
    first = 'parallel = "parallel.jsonl"\n' + MATCH + plan
    (place / "first.toml").write_text(first)
    later = AFTERWARDS + f"[training]\nfrozen = {shared}\n" * shared
    maker(place, later).make(place / "student")
    (place / "alone").mkdir()
    maker(place, first, work="work-alone").make(place / "alone" / "student")
    assert same(place / "student", place / "alone" / "student")
    assert not (place / "alone" / "source").exists()  # it has learned nothing there
    second = MatchStudent(place / "source", threads=1)
    candidates, _, scores = judgements(place)
    [judged] = second.score_systems([Pairs.of(candidates, sources=sources)])
    assert np.corrcoef(judged.segments, scores)[0, 1] > 0.75


def test_shared_layers_must_stay_as_they_are(place: Path) -> None:
    with_sources(place)
    recipe = 'parallel = "parallel.jsonl"\n' + MATCH + TWO_JUDGES.replace("hidden = 3", "shared = 1\nhidden = 3")
    with pytest.raises(UsageError, match="share 1 layers: they must stay as they are"):
        maker(place, recipe).make(place / "student")


def test_full_precision_comes_from_the_work_folder(place: Path) -> None:
    """The student is not trained again for it, and its other files are the same."""
    lines: list[str] = []
    maker(place, MATCH, lines).make(place / "first")
    lines.clear()
    maker(place, MATCH, lines).make(place / "second", precision="fp32")
    assert not any("epochs" in line for line in lines)
    assert (place / "second" / "encoder.fp32.onnx").is_file()
    (place / "second" / "encoder.fp32.onnx").unlink()
    assert same(place / "first", place / "second")


def test_tables_have_no_second_precision(place: Path) -> None:
    with pytest.raises(UsageError, match="leave out --precision"):
        maker(place, static(MATCH) + TOKENS).make(place / "student", precision="fp32")


NOTHING_NEW = "{ epochs = 1, rate = 1e-30, head_rate = 1e-30, table_rate = 1e-30, decay = 0.0, batch = 8 }"


def test_a_recipe_goes_on_where_another_one_ended(place: Path) -> None:
    (place / "first.toml").write_text(MATCH)
    later = f'based_on = "first.toml"\nafter = "first.toml"\nseed = 2\ntraining = {NOTHING_NEW}\n'
    lines: list[str] = []
    maker(place, MATCH, work="own").make(place / "first")
    maker(place, later, lines).make(place / "same")
    assert (place / "same" / "encoder.onnx").read_bytes() == (place / "first" / "encoder.onnx").read_bytes()
    lines.clear()
    more = maker(place, later.replace("rate = 1e-30", "rate = 1e-3"), lines)
    more.make(place / "more")
    assert (place / "more" / "encoder.onnx").read_bytes() != (place / "first" / "encoder.onnx").read_bytes()
    assert [line for line in lines if "pairs" in line] == ["student: 80 pairs, 1 epochs"]  # the first one is kept


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (MATCH.replace("kind", 'after = "recipe.toml"\nkind', 1), "after itself"),
        (MATCH.replace("kind", 'after = "first.toml"\nkind', 1).replace("hidden = 4", "hidden = 5"), "another shape"),
    ],
)
def test_a_recipe_goes_on_only_from_a_student_like_its_own(place: Path, recipe: str, words: str) -> None:
    (place / "first.toml").write_text(MATCH)
    with pytest.raises(InputError, match=words):
        maker(place, recipe)


def test_teachers_are_asked_about_the_pair_in_the_language_that_they_read(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"first": {"en": f"w{n}", "de": f"x{n}"}, "second": {"en": f"w{n + 1}", "de": f"x{n + 1}"}} for n in (1, 5)]
    (place / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    drawn = '[[drawn]]\nkind = "translated"\nfile = "rows.jsonl"\ncount = 2\nby = ["teacher"]\n'
    teachers = TAUGHT.partition("[[drawn]]")[0]
    made = maker(place, MATCH + teachers + drawn)
    asked: list[tuple[str, str]] = []
    numbers: list[int] = []

    def opinion(number: int, human: object, texts: list[tuple[str, str]]) -> np.ndarray:
        asked.extend(texts)
        numbers.append(number)
        return np.arange(2.0)

    monkeypatch.setattr(made, "_opinion", opinion)
    [part] = made._labelled([])
    learned = zip(part.examples.candidates, part.examples.references, strict=True)
    assert asked == [tuple(text.replace("x", "w") for text in pair) for pair in learned]
    assert part.examples.targets.tolist() == [0.0, 1.0]
    assert numbers == [1]  # the first teacher is not asked about these pairs
    assert all(text.startswith("x") for text in part.examples.candidates)
