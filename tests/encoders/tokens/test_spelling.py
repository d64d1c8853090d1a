"""Which texts the vocabulary of `multi` only spells."""

from __future__ import annotations

import gzip
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.tokens.id_rows import IdRows
from farthing.encoders.tokens.spelling import Spelling
from farthing.encoders.tokens.tokenize import Tokenizer

TOKENIZER = Tokenizer(EMBEDDED / "multi")
SPELLING = Spelling(TOKENIZER)
# The first article of the Universal Declaration of Human Rights, and everyday sentences, in languages without figures.
REAL = {
    "Amharic": ["የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።", "አዲስ አበባ የኢትዮጵያ ዋና ከተማ ናት።"],
    "Armenian": ["Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ:", "Կատուն նստած է գորգի վրա։"],
    "Burmese": ["ရန်ကုန်သည် မြန်မာနိုင်ငံ၏ အကြီးဆုံးမြို့ ဖြစ်သည်။", "ဒီနေ့ ရာသီဥတု ကောင်းတယ်။"],
    "Georgian": ["ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.", "კატა ხალიჩაზე ზის."],
    "Kannada": ["ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ.", "ಬೆಕ್ಕು ಚಾಪೆಯ ಮೇಲೆ ಕುಳಿತಿದೆ."],
    "Khmer": ["មនុស្សទាំងអស់កើតមកមានសេរីភាព និងសមភាពក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។", "ភ្នំពេញគឺជារដ្ឋធានីនៃប្រទេសកម្ពុជា។"],
    "Lao": ["ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ, ສິດທິ, ເສລີພາບ ແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ.", "ວຽງຈັນແມ່ນນະຄອນຫຼວງຂອງປະເທດລາວ."],
    "Malayalam": ["തിരുവനന്തപുരം കേരളത്തിന്റെ തലസ്ഥാനമാണ്.", "ഇന്ന് നല്ല കാലാവസ്ഥയാണ്."],
    "Thai": ["มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ", "ณ ที่นี้"],
}  # fmt: skip
# One character is a word or a syllable, and no piece of the vocabulary has two of them.
WIDE = ["學而時習之不亦說乎", "我是哆啦A夢。", "이건 뭐죠 왜 그래", "ぬへゐゑをよむ", "ㄅㄆㄇㄈㄉㄊㄋㄌ"]
# Letters drawn by chance from the alphabets of scripts that the vocabulary hardly knows.
FIRST_LETTERS = {"Amharic": 0x1200, "Kannada": 0x0C95, "Khmer": 0x1780, "Malayalam": 0x0D15, "Burmese": 0x1000}


def spelled(*texts: str) -> list[bool]:
    found: list[bool] = SPELLING.of(TOKENIZER.rows(texts)).tolist()
    return found


def made_up(script: str, words: int = 6) -> str:
    random = np.random.default_rng(sum(map(ord, script)))
    drawn = random.integers(FIRST_LETTERS[script], FIRST_LETTERS[script] + 19, size=(words, 5))
    return " ".join("".join(map(chr, word)) for word in drawn.tolist())


@pytest.mark.parametrize("language", REAL)
def test_a_real_sentence_is_not_spelled(language: str) -> None:
    assert spelled(*REAL[language]) == [False, False]


@pytest.mark.parametrize("script", FIRST_LETTERS)
def test_made_up_words_are(script: str) -> None:
    assert spelled(made_up(script)) == [True]


def test_a_made_up_word_among_real_ones_is_not_enough() -> None:
    assert spelled(f"{REAL['Khmer'][0]} {made_up('Khmer', 1)}") == [False]


@pytest.mark.parametrize("text", WIDE)
def test_where_one_character_is_a_word_or_a_syllable_nothing_is_spelled(text: str) -> None:
    assert spelled(text) == [False]


def test_few_letters_tell_nothing() -> None:
    assert spelled("ខ ឃ", "ಔ", "a b c", "", "1 + 1 = 2 🙂") == [False] * 5


def test_what_is_in_no_piece_is_spelled_byte_by_byte() -> None:
    assert spelled("ᎠᏂᏴᏫᏯ", "the word ᎠᏂ in an English sentence about the Cherokee language") == [True, False]


def test_the_shares_above_which_a_text_is_spelled() -> None:
    """Two bytes, two letters, a wide letter, and pieces of one, two, three and no letters."""
    tokens = ["<0x00>", "<0x01>", "▁ა", "ბ", "中", "ab", "abc", "."]
    vocabulary = SimpleNamespace(size=len(tokens), bytes=frozenset([0, 1]), token=tokens.__getitem__)
    spelling = Spelling(vocabulary)  # type: ignore[arg-type]
    rows = [
        [2, 3] * 3 + [5],  # 6 of 8 letters alone: no more than three quarters
        [2, 3] * 3 + [2, 5],  # 7 of 9
        [2, 3] * 3 + [2],  # 7 of 7, which are too few
        [2, 3] * 4,
        [2, 3] * 3 + [2, 4, 4, 4],  # a wide letter is never alone
        [0, 1, 7, 7, 7, 7],  # a third of the tokens is not more than a third
        [0, 1, 7, 7, 7],
        [],
    ]
    found = spelling.of(IdRows.of(rows)).tolist()
    assert found == [False, True, False, True, False, False, True, False]
    assert spelling.of(IdRows.of(rows).chosen(np.array([1, 6, 0]))).tolist() == [True, True, False]
    assert spelling.of(IdRows.of(rows).cut(7)).tolist()[3] is False


def test_at_most_one_real_sentence_in_a_thousand_is_spelled(shared: Path) -> None:
    """In some twenty languages; those with ASCII alone are left out, since no student asks about them."""
    with gzip.open(shared / "data" / "corpora" / "tatoeba_parallel.tsv.gz", "rt", encoding="utf-8") as lines:
        texts = [text for line in lines for text in line.rstrip("\n").split("\t")[1:] if not text.isascii()]
    texts = texts[::3]
    found = [text for text, one in zip(texts, spelled(*texts), strict=True) if one]
    assert len(texts) > 10_000
    assert len(found) <= len(texts) / 1000, found
