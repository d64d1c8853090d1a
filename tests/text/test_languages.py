"""Languages by script and trigrams: labelled corpora, texts that say nothing, and the rules in closed form."""

from __future__ import annotations

import gzip
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from farthing.text.languages import (
    EMOJI,
    NAMES,
    OTHER,
    foreign,
    language_shares,
    listed,
    script,
    script_shares,
    telling,
)
from farthing.text.trigrams import BUCKETS, TABLE

SENTENCES = {
    "Czech": "Včera jsme šli celý den pěšky a večer byli všichni unavení.",
    "German": "Gestern sind wir den ganzen Tag gelaufen und waren abends sehr müde.",
    "Spanish": "Ayer caminamos todo el día y por la noche estábamos muy cansados.",
    "Estonian": "Eile kõndisime terve päeva ja õhtul olime kõik väga väsinud.",
    "Finnish": "Eilen kävelimme koko päivän ja illalla olimme kaikki hyvin väsyneitä.",
    "French": "Hier nous avons marché toute la journée et le soir nous étions très fatigués.",
    "Italian": "Ieri abbiamo camminato tutto il giorno e la sera eravamo molto stanchi.",
    "Dutch": "Gisteren hebben we de hele dag gelopen en 's avonds waren we erg moe.",
    "Polish": "Wczoraj szliśmy cały dzień, a wieczorem wszyscy byliśmy bardzo zmęczeni.",
    "Portuguese": "Ontem caminhamos o dia inteiro e à noite estávamos muito cansados.",
    "Romanian": "Ieri am mers toată ziua pe jos și seara eram cu toții foarte obosiți.",
    "Turkish": "Dün bütün gün yürüdük ve akşam hepimiz çok yorgunduk.",
    "Cyrillic script": "Вчера мы весь день шли пешком.",
    "Greek script": "Χθες περπατούσαμε όλη μέρα.",
    "Thai script": "เมื่อวานเราเดินทั้งวัน",
    "Cjk script": "昨天我们走了一整天。",
    "Hiragana script": "きのうはいちにちじゅうあるきました。",
    "Hangul script": "어제 우리는 하루 종일 걸었다.",
    "Ethiopic script": "ትናንት ቀኑን ሙሉ ተጓዝን",
    "emoji and symbols": "😀😀🎉",
}
# Nothing here is surely in another language than English.
SILENT = [
    "", " ", "no", "OK", "yes", "3.14", "12 %", "42 €", "Ludwig van Beethoven", "São Paulo",
    "Angela Merkel, Emmanuel Macron", "Guangzhou, Shenzhen, Hangzhou",
    "https://www.example.org/seite?sprache=de", "benutzer@beispiel.example.org",
    "def main(argumente): return wert_eins + wert_zwei", "x = [1, 2, 3]", "SELECT * FROM kunden WHERE ort = 'x';",
    "Champs-Élysées", "café", "naïve", "../pfad/zur/datei.txt", "ACGTTGCA", "¿?", "½ × 3 → 1½",
]  # fmt: skip


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_recognised(language: str) -> None:
    assert foreign([SENTENCES[language]], {"en"}) == [language]


@pytest.mark.parametrize("text", SILENT)
def test_what_tells_no_language_is_not_foreign(text: str) -> None:
    assert foreign([text], {"en"}) == [""]


def test_sentences_tell_a_language_and_names_numbers_and_symbols_do_not() -> None:
    sentences = [text for name, text in SENTENCES.items() if name != EMOJI]
    assert telling(sentences) == len(sentences)
    assert telling([*sentences, "42", "Anna", "", "😀", "https://example.org", "ok"]) == len(sentences)
    assert telling(["Да", "我们", "ABC 12"]) == 2
    assert telling([]) == 0


def test_unknown_languages_in_latin_letters_are_still_not_english() -> None:
    swedish = "Igår gick vi hela dagen och på kvällen var vi alla mycket trötta."
    hungarian = "Tegnap egész nap gyalogoltunk, és este mindannyian nagyon fáradtak voltunk."
    indonesian = "Kemarin kami berjalan kaki sepanjang hari dan malamnya kami semua sangat lelah."
    assert all(foreign([swedish, hungarian, indonesian], {"en"}))


def test_a_model_may_read_other_languages() -> None:
    german, russian, english = (
        SENTENCES["German"],
        SENTENCES["Cyrillic script"],
        "We walked all day and were very tired.",
    )
    assert foreign([german, russian, english], {"de", "ru"}) == ["", "", "English"]
    assert foreign([german, russian, english], {"en", "de", "ru"}) == ["", "", ""]


def test_capitals_and_the_unicode_form_make_no_difference() -> None:
    text = SENTENCES["Spanish"]
    assert foreign([text.upper(), unicodedata.normalize("NFD", text)], {"en"}) == ["Spanish", "Spanish"]


def test_a_text_does_not_depend_on_its_mates() -> None:
    texts = [*SENTENCES.values(), *SILENT] * 9  # more than a stretch
    assert foreign(texts, {"en"}) == [foreign([text], {"en"})[0] for text in texts]
    assert foreign([], {"en"}) == []


def test_more_evidence_can_be_asked_for() -> None:
    text = SENTENCES["Dutch"]
    assert foreign([text], {"en"}, clear=1e6) == [""]


def test_the_script_of_most_letters_counts() -> None:
    assert script("Привет, Tom") == "CYRILLIC"
    assert script("Tom said привет") == "LATIN"
    assert script("1 + 1 = 2") == ""
    assert script("á") == "LATIN"  # the accent is no script of its own


def test_the_table_is_small_and_names_its_languages() -> None:
    from safetensors.numpy import load_file

    [(columns, weights)] = load_file(TABLE).items()
    assert TABLE.stat().st_size < 100_000
    assert weights.shape == (BUCKETS, len(columns.split()))
    assert set(columns.split()) == set(NAMES)
    assert columns.split()[-1] == OTHER


def test_languages_in_a_sentence() -> None:
    assert [listed(codes) for codes in ((), ["en"], ["en", "de"])] == ["", "English", "English and German"]


def test_tatoeba_is_recognised_as_english_or_not(shared: Path) -> None:
    """Held out: the recipe of the table leaves out texts whose digest is divisible by five."""
    from farthing.core.digest import digest

    sides: tuple[dict[str, None], dict[str, None]] = {}, {}
    with gzip.open(shared / "data" / "corpora" / "tatoeba_parallel.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            for side, text in zip(sides, line.rstrip("\n").split("\t")[1:3], strict=True):
                if len(text) >= 20 and int(digest(text), 16) % 5 == 0:
                    side[text] = None
    other, english = map(list, sides)
    right = sum(map(bool, foreign(other, {"en"}))) + foreign(english, {"en"}).count("")
    assert right / (len(other) + len(english)) >= 0.98
    assert foreign(english, {"en"}).count("") / len(english) >= 0.999  # a wrong refusal is worse than a missed one


def test_the_shares_of_scripts() -> None:
    assert script_shares("ab, 12 да") == {"LATIN": 0.5, "CYRILLIC": 0.5}
    assert script_shares("😀 é") == {"SYMBOLS": 0.5, "LATIN": 0.5}
    assert script_shares("12 %") == script_shares("") == {}
    for text in SENTENCES.values():
        shares = script_shares(text)
        assert sum(shares.values()) == pytest.approx(1)
        assert max(shares, key=lambda name: shares[name]) == script(text)


def test_the_shares_of_languages() -> None:
    texts = [*SENTENCES.values(), "", "12"]
    names = load_file(TABLE).popitem()[0].split()
    found = language_shares(texts)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(texts)))
    latin = [row for row, name in enumerate(SENTENCES) if not name.endswith(("script", "symbols"))]
    assert [NAMES[names[found[row].argmax()]] for row in latin] == [list(SENTENCES)[row] for row in latin]
    assert found[-2:] == pytest.approx(1 / len(names))  # nothing speaks for any
    assert language_shares([]).shape == (0, len(names))
