"""A WordNet of a few words in the format of the real one, for NLTK to read."""

from __future__ import annotations

from pathlib import Path

SENSES = {
    "n": [["car", "automobile", "motor_car"], ["dog", "hound"], ["film", "movie", "picture"], ["picture", "image"]],
    "v": [["buy", "purchase"], ["show", "picture"]],
    "a": [["quick", "fast"]],
    "r": [],
}
NAMES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
HEADER = "  1 This software is WordNet 3.0 Copyright: not at all, it was made up for a test.  \n"


def write_wordnet(folder: Path) -> Path:
    """Write the files into `folder/corpora/wordnet`, where NLTK looks for them."""
    place = folder / "corpora" / "wordnet"
    place.mkdir(parents=True)
    for letter, name in NAMES.items():
        data, index = HEADER, HEADER
        lemmas: dict[str, list[int]] = {}
        for words in SENSES[letter]:
            offset = len(data)
            for word in words:
                lemmas.setdefault(word, []).append(offset)
            listed = " ".join(f"{word} 0" for word in words)
            frames = " 00" if letter == "v" else ""
            data += f"{offset:08d} 03 {letter} {len(words):02x} {listed} 000{frames} | made up  \n"
        for lemma, offsets in sorted(lemmas.items()):
            places = " ".join(f"{offset:08d}" for offset in offsets)
            index += f"{lemma} {letter} {len(offsets)} 0 {len(offsets)} 0 {places}  \n"
        (place / f"data.{name}").write_text(data)
        (place / f"index.{name}").write_text(index)
        (place / f"{name}.exc").write_text("")
    (place / "lexnames").write_text("".join(f"{number:02d}\tname.{number}\t1\n" for number in range(45)))
    (place / "cntlist.rev").write_text("")
    (place / "index.sense").write_text("")
    return folder
