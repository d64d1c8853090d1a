"""Vocabularies that a fresh student learns."""

from __future__ import annotations

from farthing.learn.cross.vocabulary import learnt_tokenizer


def test_a_learnt_vocabulary_is_the_same_every_time(corpus: list[str]) -> None:
    first, *others = (learnt_tokenizer(corpus, size=150).get_vocab() for _ in range(4))
    assert all(one == first for one in others)
    assert len(first) == 150


def test_it_reads_pairs_as_a_bert_does(corpus: list[str]) -> None:
    tokenizer = learnt_tokenizer(corpus, size=150)
    read = tokenizer("The CAT", "a dog")
    assert tokenizer.decode(read["input_ids"]) == "[CLS] the cat [SEP] a dog [SEP]"
    first = read["token_type_ids"].index(1)
    assert tokenizer.convert_ids_to_tokens(read["input_ids"])[first - 1] == "[SEP]"
    assert "[UNK]" in tokenizer.tokenize("雨")
