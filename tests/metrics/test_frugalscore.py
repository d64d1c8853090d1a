"""FrugalScore against transformers: order, limits, symmetry, windows, independence of the batch, and bad folders."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farthing
from farthing.core.errors import InputError, ModelError, UnknownName, UsageError
from farthing.core.registry import METRICS
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import EMBEDDED, versioned_name
from farthing.metrics.frugalscore import PUBLISHED, FrugalScore
from farthing.scoring.identity import identity

TEXT = "the a red blue old new cat dog bird house saw found lost near with and but not today"
WORDS = TEXT.split()


@pytest.fixture(scope="session")
def vocabulary() -> Any:
    from farthing.learn.cross.vocabulary import learnt_tokenizer

    return learnt_tokenizer([" ".join(WORDS)] * 3, size=120)


@pytest.fixture(scope="session")
def folder(vocabulary: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random cross-encoder for 256 tokens, as transformers saves it."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(2)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    limits = {"max_position_embeddings": 256, "num_labels": 1, "initializer_range": 0.3}
    place = tmp_path_factory.mktemp("models") / "cross"
    BertForSequenceClassification(BertConfig(vocab_size=len(vocabulary), **shape, **limits)).save_pretrained(place)
    vocabulary.save_pretrained(place)
    return place


@pytest.fixture(scope="session")
def exported(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from farthing.learn.cross.export.export import export

    place = tmp_path_factory.mktemp("exported") / "onnx"
    export(str(folder), place)
    return place


def texts(count: int, longest: int, seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, random.integers(1, longest))) for _ in range(count)]


def usual_loop(folder: Path, first: list[str], second: list[str], limit: int) -> np.ndarray:
    """The loop that everybody writes: transformers, batches of 32, padded to the longest."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    found = []
    with torch.inference_mode():
        for at in range(0, len(first), 32):
            batch = tokenizer(
                first[at : at + 32],
                second[at : at + 32],
                truncation=True,
                max_length=limit,
                padding=True,
                return_tensors="pt",
            )
            found.append(model(**batch).logits[:, 0].numpy())
    return np.concatenate(found)


CANDIDATES, REFERENCES = texts(100, 120, 0), texts(100, 120, 1)


@pytest.mark.parametrize("limit", [128, 256])
@pytest.mark.parametrize("kind", ["folder", "exported"])
def test_equals_the_usual_loop(folder: Path, exported: Path, kind: str, limit: int) -> None:
    metric = FrugalScore(model=str(folder if kind == "folder" else exported), limit=limit)
    scores = metric.score(Pairs.of(CANDIDATES, REFERENCES))
    wanted = usual_loop(folder, CANDIDATES, REFERENCES, limit)
    assert np.abs(scores.segments - wanted).max() <= 1e-5
    assert scores.corpus == pytest.approx(wanted.mean(), abs=1e-5)


def test_compat_is_128_tokens_in_the_order_candidate_reference(folder: Path, exported: Path) -> None:
    compat = FrugalScore(model=str(exported), compat="evaluate").score(Pairs.of(CANDIDATES, REFERENCES)).segments
    assert np.abs(compat - usual_loop(folder, CANDIDATES, REFERENCES, 128)).max() <= 1e-5
    assert np.abs(compat - usual_loop(folder, REFERENCES, CANDIDATES, 128)).max() > 1e-3


def test_symmetric_is_the_mean_of_both_orders(folder: Path, exported: Path) -> None:
    metric = FrugalScore(model=str(exported), symmetric=True)
    there, back = (usual_loop(folder, *order, 256) for order in ((CANDIDATES, REFERENCES), (REFERENCES, CANDIDATES)))
    scores = metric.score(Pairs.of(CANDIDATES, REFERENCES)).segments
    assert np.abs(scores - (there + back) / 2).max() <= 1e-5
    assert scores == pytest.approx(metric.score(Pairs.of(REFERENCES, CANDIDATES)).segments, abs=1e-6)


def test_long_texts_are_noted_or_read_in_windows(exported: Path) -> None:
    long, short = " ".join(WORDS * 12), "the cat saw a dog"
    pairs = Pairs.of([short, long, long], [short, long, short])
    cut = FrugalScore(model=str(exported)).score(pairs)
    [note] = cut.notes
    assert (note.kind, note.rows) == ("truncated", (1,))
    windows = FrugalScore(model=str(exported), long="window").score(pairs)
    assert [note.kind for note in windows.notes] == ["windows"]
    assert windows.segments[0] == pytest.approx(cut.segments[0], abs=1e-6)
    # two equal halves against two equal halves: the mean of the two windows scored by hand
    half = long.split()
    parts = Pairs.of([" ".join(half[:114]), " ".join(half[114:])], [" ".join(half[:114]), " ".join(half[114:])])
    by_hand = FrugalScore(model=str(exported)).score(parts).segments
    assert windows.segments[1] == pytest.approx(by_hand.mean(), abs=1e-4)


def test_a_score_depends_on_its_pair_only(exported: Path) -> None:
    metric = FrugalScore(model=str(exported))
    whole = metric.score(Pairs.of(CANDIDATES, REFERENCES)).segments
    order = np.random.default_rng(3).permutation(100)
    mixed = metric.score(Pairs.of([CANDIDATES[i] for i in order], [REFERENCES[i] for i in order])).segments
    assert mixed == pytest.approx(whole[order], abs=1e-5)
    alone = [metric.score(Pairs.of([CANDIDATES[i]], [REFERENCES[i]])).corpus for i in range(10)]
    assert alone == pytest.approx(whole[:10], abs=1e-5)
    two = FrugalScore(model=str(exported), threads=2).score(Pairs.of(CANDIDATES, REFERENCES)).segments
    assert two.tolist() == whole.tolist()


def test_several_references_the_best_counts(exported: Path) -> None:
    metric = FrugalScore(model=str(exported))
    single = [metric.score(Pairs.of(["the cat"], [one])).corpus for one in ("a dog", "the cat", "blue")]
    both = metric.score(Pairs(["the cat", "the cat"], [["a dog", "the cat"], ["blue"]]))
    assert both.segments == pytest.approx([max(single[:2]), single[2]], abs=1e-6)


def test_empty_texts_get_a_number_and_a_note(exported: Path) -> None:
    scores = FrugalScore(model=str(exported)).score(Pairs.of(["", "a cat", ""], ["a cat", " ", ""]))
    assert np.isfinite(scores.segments).all()
    assert [(note.kind, note.rows) for note in scores.notes] == [("empty", (0, 2)), ("empty", (1, 2))]


def test_signature_names_what_moves_the_score(exported: Path, folder: Path) -> None:
    one = str(FrugalScore(model=str(exported)).signature)
    assert one.startswith("frugalscore|model:onnx|weights:")
    others = [
        FrugalScore(model=str(folder)),
        FrugalScore(model=str(exported), symmetric=True),
        FrugalScore(model=str(exported), compat="evaluate"),
        FrugalScore(model=str(exported), long="window"),
    ]
    assert len({one, *(str(other.signature) for other in others)}) == 5


def test_published_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(PUBLISHED) == len(set(PUBLISHED)) == 12
    assert "moussaKam/frugalscore_medium_deberta_bert-score" in PUBLISHED
    assert "moussaKam/frugalscore_small_bert-base_mover-score" in PUBLISHED
    monkeypatch.setenv("FARTHING_OFFLINE", "1")
    with pytest.raises(ModelError, match="moussaKam/frugalscore_tiny_roberta_bert-score"):
        FrugalScore(model="frugalscore_tiny_roberta_bert-score")
    with pytest.raises(UnknownName, match="did you mean 'frugalscore_tiny_roberta_bert-score'"):
        FrugalScore(model="frugalscore_tiny_robert_bert-score")


def changed(folder: Path, place: Path, **changes: Any) -> str:
    shutil.copytree(folder, place)
    config = json.loads((place / "config.json").read_text())
    (place / "config.json").write_text(json.dumps({**config, **changes}))
    return str(place)


def test_wrong_folders(folder: Path, exported: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="head of 2 outputs"):
        FrugalScore(model=changed(folder, tmp_path / "head", id2label={"0": "no", "1": "yes"}))
    with pytest.raises(ModelError, match="do not belong together"):
        FrugalScore(model=changed(exported, tmp_path / "vocabulary", vocab_size=7))
    with pytest.raises(ModelError, match="kind 'marble'"):
        FrugalScore(model=changed(exported, tmp_path / "kind", farthing={"kind": "marble"}))
    torn = Path(changed(folder, tmp_path / "torn"))
    (torn / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelError, match="cannot be loaded as a cross-encoder"):
        FrugalScore(model=str(torn))
    broken = Path(changed(exported, tmp_path / "broken"))
    (broken / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelError, match="cannot be loaded as an ONNX graph"):
        FrugalScore(model=str(broken))
    with pytest.raises(UsageError, match="limit=9999 is not between"):
        FrugalScore(model=str(exported), limit=9999)


def test_an_exported_student_needs_no_torch(exported: Path) -> None:
    program = (
        "import sys, farthing\n"
        f"metric = farthing.load('frugalscore(model=\"{exported}\")')\n"
        "metric.score(farthing.Pairs.of(['a cat'], ['the cat']))\n"
        "assert not {'torch', 'transformers', 'onnx'} & set(sys.modules), 'too much was imported'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_long_pair_is_an_error_on_request(exported: Path) -> None:
    metric = FrugalScore(model=str(exported), long="error")
    assert metric.score(Pairs.of(["the cat"], ["a dog"])).notes == ()
    with pytest.raises(InputError, match="use long=truncate or long=window"):
        metric.score(Pairs.of([" ".join(WORDS * 20)], ["a dog"]))


def test_options_of_cross_encoders_are_refused_by_others() -> None:
    with pytest.raises(UsageError, match="limit=9 is for students of the kind cross; nano is of the kind static"):
        FrugalScore(size="nano", limit=9)


def test_the_range_is_the_students_own(exported: Path) -> None:
    assert FrugalScore.about.range == (None, None)
    assert FrugalScore(size="nano").info.range == (None, 100)
    assert FrugalScore(model=str(exported)).info.range == (None, None)
    assert FrugalScore(size="nano").info.name == "frugalscore"


def test_assets_are_the_folders_whatever_lies_here(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARTHING_OFFLINE", "1")
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    (tmp_path / "small").mkdir()
    monkeypatch.chdir(tmp_path)
    assert FrugalScore.assets({"size": "small", "model": None}) == [str(EMBEDDED / "small")]
    assert FrugalScore.assets({"size": "small", "model": "tiny"}) == [
        str(EMBEDDED / "tiny"), str(EMBEDDED / "small" / "tokenizer.json")
    ]  # fmt: skip
    assert FrugalScore.assets({"size": "small", "model": str(exported)}) == [str(exported)]
    published = "frugalscore_tiny_roberta_bert-score"
    assert FrugalScore.assets({"model": published}) == [f"moussaKam/{published}"]


def test_the_identity_follows_the_content_of_the_weights(exported: Path, tmp_path: Path) -> None:
    spec = f'frugalscore(model="{changed(exported, tmp_path / "student")}")'
    before = identity(spec)
    assert identity(spec) == before
    graph = tmp_path / "student" / "model.onnx"
    graph.write_bytes(graph.read_bytes() + b" ")
    assert identity(spec) != before


def test_it_is_registered() -> None:
    assert METRICS.get("frugalscore") is FrugalScore


RUSSIAN, ENGLISH = "Мы весь день шли пешком.", "We walked all day long."


def test_a_run_is_decided_by_most_of_its_references() -> None:
    metric = farthing.load("frugalscore(size=nano)")
    with pytest.raises(UsageError, match=r"^nano reads only English, but 2 of 3 references look like something else"):
        metric.score([ENGLISH] * 3, [RUSSIAN, RUSSIAN, ENGLISH])
    scores = metric.score([ENGLISH] * 3, [RUSSIAN, ENGLISH, ENGLISH])
    assert [(note.kind, note.rows) for note in scores.notes] == [("unread", (0,))]


@pytest.mark.parametrize("references", [["Nguyễn Văn A", "São Paulo"], ["42", "3,5 %"], ["ja", "nein"], ["", ""]])
def test_texts_that_tell_no_language_are_not_refused(references: list[str]) -> None:
    scores = farthing.load("frugalscore(size=nano)").score(references, references)
    assert np.asarray(scores.segments).tolist() == [100.0, 100.0]


def test_every_door_refuses_in_the_same_words(tmp_path: Path) -> None:
    from farthing.compat import evaluate

    spec, texts = "frugalscore(size=nano)", [RUSSIAN, RUSSIAN]
    said = []
    for door in (
        lambda: farthing.score(texts, texts, metric=spec),
        lambda: farthing.compare({"a": texts, "b": texts}, texts, metrics=spec),
        lambda: farthing.load(spec).score(texts, texts),
        lambda: evaluate.compute(spec, predictions=texts, references=texts),
    ):
        with pytest.raises(UsageError) as caught:
            door()
        said.append(str(caught.value))
    file = tmp_path / "ru.txt"
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "farthing", "score", str(file), "-r", str(file), "-m", spec]
    for options in ([], ["-o", f"{tmp_path}/run/"]):
        done = subprocess.run([*command, *options], capture_output=True, encoding="utf-8", check=False)
        assert (done.returncode, done.stdout) == (2, "")
        said.append(done.stderr.strip().removeprefix("farthing: "))
    assert len(set(said)) == 1


def test_a_later_stretch_in_another_language_does_not_stop_a_run(tmp_path: Path) -> None:
    from farthing.core.metric import Metric
    from farthing.scoring.engine import score_stretches

    metric = farthing.load("frugalscore(size=nano)")
    assert isinstance(metric, Metric)
    stretches = [[Pairs.of([text] * 2, [text] * 2)] for text in (ENGLISH, RUSSIAN)]
    [[scores]] = score_stretches([metric], lambda: stretches)
    assert [(note.kind, note.rows) for note in scores.notes] == [("unread", (2, 3))]
    with pytest.raises(UsageError):
        score_stretches([metric], lambda: stretches[::-1])


def test_another_process_knows_what_was_decided() -> None:
    metric = farthing.load("frugalscore(size=nano)")
    state = metric.prepare([[Pairs.of([ENGLISH], [ENGLISH])]])
    twin = pickle.loads(pickle.dumps(metric.prepared(state)))
    assert len(twin.score([RUSSIAN], [RUSSIAN]).notes) == 1
    with pytest.raises(UsageError):
        pickle.loads(pickle.dumps(metric)).score([RUSSIAN], [RUSSIAN])


def test_precision_and_recall_are_parts() -> None:
    candidates, references = ["the cat sat", ENGLISH], ["the cat sat on the old mat", ENGLISH]
    scores = farthing.load("frugalscore(size=nano)").score(candidates, references)
    assert set(scores.parts) == {"precision", "recall"}
    precision, recall = np.asarray(scores.parts["precision"]), np.asarray(scores.parts["recall"])
    assert precision[0] > recall[0]  # nothing is wrong, but something is missing
    assert (precision[1], recall[1]) == (100.0, 100.0)
    assert list(scores.columns()) == ["frugalscore", "frugalscore_precision", "frugalscore_recall"]
    turned = farthing.load("frugalscore(size=nano)").score(references, candidates)
    assert np.asarray(turned.parts["recall"]) == pytest.approx(precision)


@pytest.mark.parametrize("size", ["nano", "tiny", "small"])
def test_a_focus_keeps_the_scale(size: str) -> None:
    texts = [ENGLISH, "The council will vote on the new budget.", "Heavy rain closed several roads.", "He was told."]
    for focus in ("recall", "precision"):
        metric = farthing.load(f"frugalscore(size={size}, focus={focus})")
        assert np.asarray(metric.score(texts, texts).segments).tolist() == [100.0] * 4
        unrelated = metric.score(texts, texts[::-1])
        assert abs(unrelated.corpus) < 30
        assert unrelated.signature.fields["focus"] == focus
        assert metric.score([""], texts[:1]).corpus < np.asarray(unrelated.segments).min()


def test_a_focus_is_found_again_by_its_signature() -> None:
    from farthing.scoring.verification import verify_signature

    scores = farthing.score([ENGLISH], ["We walked."], metric="frugalscore(size=nano, focus=recall)")
    verified = verify_signature(str(scores.signature))
    assert verified.same, verified
    assert verified.spec == "frugalscore(focus=recall, size=nano)"


def test_a_signature_tells_of_windows_if_a_text_was_read_in_them() -> None:
    from farthing.scoring.verification import verify_signature

    metric = FrugalScore(size="nano")
    short, long = (metric.score([ENGLISH * times], [ENGLISH * 2]) for times in (1, 2000))
    assert "long" not in short.signature.fields
    assert long.signature.fields == {**short.signature.fields, "long": "window"}
    assert [note.kind for note in long.notes] == ["windows"]
    asked = FrugalScore(size="nano", long="window").score([ENGLISH * 2000], [ENGLISH * 2])
    assert (str(asked.signature), asked.corpus) == (str(long.signature), long.corpus)
    cut = FrugalScore(size="nano", long="truncate").score([ENGLISH * 2000], [ENGLISH * 2])
    assert cut.signature.fields == {**short.signature.fields, "long": "truncate"}
    for scores in (long, cut):
        assert verify_signature(str(scores.signature)).same


def test_a_run_with_long_texts_in_a_later_stretch_says_so(tmp_path: Path) -> None:
    from farthing.scoring.engine import score_stretches

    stretches = [[Pairs([text], [[ENGLISH]])] for text in (ENGLISH + " Yes.", ENGLISH * 2000, ENGLISH)]
    [[scores]] = score_stretches([FrugalScore(size="nano")], lambda: stretches)
    assert scores.signature.fields["long"] == "window"
    assert scores.notes[0].rows == (1,)


def test_cross_encoders_have_neither_focus_nor_precision(exported: Path) -> None:
    for options in ("focus=recall", "precision=fp32"):
        with pytest.raises(UsageError, match=r"is not for .*, which is a cross-encoder"):
            farthing.load(f'frugalscore(model="{exported}", {options})')


def test_full_precision_is_looked_for_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    with pytest.raises(ModelError, match="tiny has no graph in fp32"):
        farthing.load("frugalscore(size=tiny, precision=fp32)")
    folder = Path(shutil.copytree(EMBEDDED / "tiny", tmp_path / versioned_name("tiny", EMBEDDED / "tiny")))
    shutil.copyfile(EMBEDDED / "small" / "tokenizer.json", folder / "tokenizer.json")
    shutil.copyfile(folder / "encoder.onnx", folder / "encoder.fp32.onnx")  # stands for a graph in full precision
    full, usual = (farthing.score([ENGLISH], ["We walked."], metric=f"frugalscore(size=tiny{more})")
                   for more in (", precision=fp32", ""))  # fmt: skip
    assert full.corpus == usual.corpus
    fields = dict(full.signature.fields)
    assert fields.pop("precision") == "fp32"
    assert fields == usual.signature.fields
    assert FrugalScore.assets({"size": "tiny", "precision": "fp32"}) == [str(folder)]
    with pytest.raises(UsageError, match="nano has tables"):
        farthing.load("frugalscore(size=nano, precision=fp32)")
