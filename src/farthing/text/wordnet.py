"""Synonyms from WordNet, if NLTK and its data are on this machine."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader


class Synonyms:
    """The words that share a sense with a word.

    :param reader: NLTK's reader of WordNet, with its data loaded
    """

    def __init__(self, reader: WordNetCorpusReader) -> None:
        self.reader = reader
        self.version = f"wordnet-{reader.get_version()}"
        self.of = lru_cache(maxsize=1 << 14)(self._of)

    def _of(self, word: str) -> frozenset[str]:
        """Return the word and its synonyms that are single words."""
        names = (lemma.name() for synset in self.reader.synsets(word) for lemma in synset.lemmas())
        return frozenset({word, *(name for name in names if "_" not in name)})


@lru_cache(maxsize=1)
def find_synonyms() -> Synonyms | None:
    """Open WordNet; None if NLTK or the data are not here."""
    try:
        from nltk.corpus import wordnet

        wordnet.ensure_loaded()
    except (ImportError, LookupError):
        return None
    return Synonyms(wordnet)
