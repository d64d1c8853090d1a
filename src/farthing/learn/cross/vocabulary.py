"""A vocabulary for a student that starts from nothing, learnt from its own texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

VOCABULARY = 30_522
ALPHABET = 1000  # letters of a learnt vocabulary; rarer ones are unknown
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def learnt_tokenizer(texts: Iterable[str], size: int = VOCABULARY) -> PreTrainedTokenizerFast:
    """Learn a lower-casing WordPiece vocabulary from texts; the same texts give the same vocabulary."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.WordPiece(_learnt_vocabulary(list(texts), size), unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.add_special_tokens(_SPECIAL)
    last, first = (("[SEP]", _SPECIAL.index("[SEP]")), ("[CLS]", _SPECIAL.index("[CLS]")))
    made.post_processor = processors.BertProcessing(last, first)
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    inputs = ["input_ids", "token_type_ids", "attention_mask"]  # without it transformers leaves out the types
    return PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=512, model_input_names=inputs, **names)


def _learnt_vocabulary(texts: Sequence[str], size: int) -> dict[str, int]:
    """Learn tokens and number them.

    By itself the trainer numbers letters inside words at random, and breaks ties by these numbers. It keeps the
    order of special tokens, so all letters are passed to it as such.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    learning = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learning.normalizer = normalizers.BertNormalizer(lowercase=True)
    learning.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    counts = Counter(letter for text in texts for letter in learning.normalizer.normalize_str(text))
    letters = sorted(sorted(filter(str.strip, counts)), key=counts.__getitem__, reverse=True)[:ALPHABET]
    fixed = [*_SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    trainer = trainers.WordPieceTrainer(
        vocab_size=max(size, len(fixed)), special_tokens=fixed, limit_alphabet=len(letters), show_progress=False
    )
    learning.train_from_iterator(texts, trainer)
    numbers: dict[str, int] = learning.get_vocab()
    return numbers
