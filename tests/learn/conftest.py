"""Tiny models made in memory, and a small corpus, for everything that learns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable, write_pairs

TEXT = (
    "the a one two three red green blue old new big small cat dog bird house river tree man woman child saw heard "
    "found lost liked sold bought in on under near with and but not very quite today yesterday slowly quickly"
)
WORDS = TEXT.split()


@pytest.fixture(scope="session")
def corpus() -> list[str]:
    """Four hundred sentences of few words."""
    random = np.random.default_rng(5)
    return [" ".join(random.choice(WORDS, random.integers(3, 14))) + "." for _ in range(400)]


@pytest.fixture(scope="session")
def corpus_file(corpus: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sentences, one per line."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text("\n".join(corpus) + "\n")
    return path


@pytest.fixture(scope="session")
def vocabulary(corpus: list[str]) -> Any:
    """A WordPiece tokenizer of the corpus."""
    from farthing.learn.cross.vocabulary import learnt_tokenizer

    return learnt_tokenizer(corpus, size=200)


@pytest.fixture(scope="session")
def make_bert(vocabulary: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A folder with a random little BERT; `kind` is the class, other arguments go to its configuration."""

    def make(kind: str = "BertModel", **changes: Any) -> Path:
        import torch
        import transformers

        torch.manual_seed(3)
        shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
        config = transformers.BertConfig(vocab_size=len(vocabulary), initializer_range=0.2, **{**shape, **changes})
        folder = tmp_path_factory.mktemp("bert")
        getattr(transformers, kind)(config).save_pretrained(folder)
        vocabulary.save_pretrained(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def encoder(make_bert: Callable[..., Path]) -> Path:
    """A random little BERT without a head."""
    return make_bert()


@pytest.fixture(scope="session")
def seq2seq(vocabulary: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random little BART with a mask token."""
    import torch
    import transformers

    torch.manual_seed(4)
    ids = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "decoder_start_token_id": 2}
    size = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2}
    more = {"decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "max_position_embeddings": 256}
    config = transformers.BartConfig(
        vocab_size=len(vocabulary), forced_eos_token_id=3, init_std=0.5, **ids, **size, **more
    )
    folder = tmp_path_factory.mktemp("bart")
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    vocabulary.save_pretrained(folder)
    return folder


def overlap(first: str, second: str) -> float:
    """A teacher that any student can learn: shared words over all words."""
    one, two = set(first.split()), set(second.split())
    return len(one & two) / max(1, len(one | two))


@pytest.fixture(scope="session")
def scored_table(corpus: list[str]) -> PairTable:
    """Pairs of a sentence and a copy that lost some words, with a simple score."""
    random = np.random.default_rng(7)
    copies = [" ".join(word for word in text.split() if random.random() < random.random()) or "cat" for text in corpus]
    scores = [overlap(*pair) for pair in zip(copies, corpus, strict=True)]
    names = [str(row // 2) for row in range(len(corpus))]
    columns = {"candidate": copies, "reference": corpus, "source": ["test"] * len(corpus), "document": names}
    return PairTable({**columns, "score": scores}, {"teacher": "overlap"})


@pytest.fixture
def scored_file(scored_table: PairTable, tmp_path: Path) -> Path:
    """The same as a file."""
    write_pairs(tmp_path / "scored.parquet", scored_table)
    return tmp_path / "scored.parquet"


def judged(name: str, table: PairTable, rows: slice, scale: float = 1.0, shift: float = 0.0) -> Judged:
    scores = scale * table.scores[rows] + shift
    references = [[text] for text in table.references[rows]]
    return Judged(name, table.candidates[rows], references, scores, ["all"] * len(references))


@pytest.fixture(scope="session")
def sets(scored_table: PairTable) -> list[Judged]:
    """Three data sets whose people use different scales."""
    return [
        judged("first", scored_table, slice(0, 120)),
        judged("second", scored_table, slice(120, 240), 100, 7),
        judged("third", scored_table, slice(240, 360), 5, -3),
    ]
