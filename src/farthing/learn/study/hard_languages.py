"""Pairs in many languages that are hard for a metric; the sentences are our own.

Each has the language, the candidate, what it is compared with, what people see, and whether they would mark it high.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from farthing.core.metric import Metric
from farthing.learn.study.bad_outputs import paired
from farthing.learn.study.languages import needs_source
from farthing.learn.study.measure import SHOWN, segment_scores
from farthing.students.language_card import LanguageFailure


class HardPair(NamedTuple):
    """A candidate, the reference or the source beside it, and what people see."""

    language: str
    candidate: str
    against: str
    why: str
    same: bool


REFERENCED = (
    HardPair("de", "Die Bank hat den Kredit bewilligt.", "Die Bank hat den Kredit nicht bewilligt.",
             "a negation", False),
    HardPair("fr", "Le train part à 18 h 15.", "Le train part à 18 h 45.", "another time", False),
    HardPair("es", "El gato persiguió al perro por el jardín.", "El perro persiguió al gato por el jardín.",
             "roles exchanged", False),
    HardPair("ru", "В марте цены на жильё резко упали.", "В марте цены на жильё резко выросли.", "an opposite", False),
    HardPair("it", "Anna ha prestato i soldi a Maria.", "Maria ha prestato i soldi ad Anna.",
             "names exchanged", False),
    HardPair("zh", "他昨天没有去学校。", "他昨天去了学校。", "a negation", False),
    HardPair("ja", "会議は来週の月曜日に行われます。", "会議は来週の火曜日に行われます。", "another day", False),
    HardPair("hi", "दुकान सुबह नौ बजे बंद होती है।", "दुकान सुबह नौ बजे खुलती है।", "an opposite", False),
    HardPair("ar", "وصلت الطائرة قبل الموعد بساعة.", "وصلت الطائرة بعد الموعد بساعة.", "an opposite", False),
    HardPair("tr", "Kardeşim bu filmi beğenmedi.", "Kardeşim bu filmi beğendi.", "a negation in the ending", False),
    HardPair("pt", "Ele bateu as botas no inverno passado.", "Ele morreu no inverno passado.", "an idiom", True),
    HardPair("nl", "Dat huis kostte een rib uit mijn lijf.", "Dat huis was erg duur.", "an idiom", True),
    HardPair("pl", "Nikt nie oblał egzaminu.", "Wszyscy zdali egzamin.", "two negations", True),
    HardPair("ko", "그 마을은 오천 미터 떨어져 있다.", "그 마을까지는 5km이다.", "another unit", True),
    HardPair("vi", "Sếp đã thăng chức cho cô ấy.", "Cô ấy được cấp trên đề bạt.", "another construction", True),
    HardPair("sw", "Mwalimu hakufika darasani leo.", "Mwalimu alifika darasani leo.", "a negation in the verb", False),
)  # fmt: skip
SOURCED = (
    HardPair("en-de", "Die Bank hat den Kredit bewilligt.", "The bank did not approve the loan.", "a negation", False),
    HardPair("en-fr", "Le train part à 18 h 15.", "The train leaves at 6:45 pm.", "another time", False),
    HardPair("en-es", "El gato persiguió al perro por el jardín.", "The dog chased the cat across the garden.",
             "roles exchanged", False),
    HardPair("en-ru", "Старик прошлой зимой пнул ведро.", "The old man kicked the bucket last winter.",
             "an idiom word for word", False),
    HardPair("en-zh", "这次修理花了一只胳膊和一条腿。", "The repair cost an arm and a leg.",
             "an idiom word for word", False),
    HardPair("en-hi", "मारिया ने अन्ना को पैसे उधार दिए।", "Anna lent Maria the money.", "names exchanged", False),
    HardPair("ja-en", "The meeting will be held next Monday.", "会議は来週の火曜日に行われます。",
             "another day", False),
    HardPair("de-en", "He sat on the bank and waited for his credit.", "Er saß auf der Bank und wartete auf den Bus.",
             "a word of two meanings, and another object", False),
    HardPair("ru-en", "House prices fell sharply in March.", "В марте цены на жильё резко выросли.",
             "an opposite", False),
    HardPair("ro-en", "He may have stolen the painting.", "A furat tabloul.", "a fact is not a suspicion", False),
    HardPair("en-pt", "O conserto custou os olhos da cara.", "The repair cost an arm and a leg.",
             "an idiom for an idiom", True),
    HardPair("en-it", "In bocca al lupo per l'esame!", "Good luck with your exam!", "an idiom", True),
    HardPair("de-en", "It is raining cats and dogs.", "Es regnet Bindfäden.", "an idiom for an idiom", True),
    HardPair("fr-en", "I miss you.", "Tu me manques.", "roles that the languages exchange", True),
    HardPair("zh-en", "Everyone passed the exam.", "没有人考试不及格。", "two negations", True),
    HardPair("es-en", "No student passed the exam.", "No todos los alumnos aprobaron el examen.",
             "what the negation covers", False),
)  # fmt: skip


def language_failures(
    metric: Metric, pairs: Sequence[HardPair] | None = None, count: int = SHOWN
) -> list[LanguageFailure]:
    """Return the hard pairs that a student judges worst, on its scale of 0 to 100.

    :param pairs: by default :data:`SOURCED` for a metric that compares with sources, :data:`REFERENCED` for others
    """
    sourced = needs_source(metric)
    pairs = pairs or (SOURCED if sourced else REFERENCED)
    scores = segment_scores(metric, paired(sourced, [one.candidate for one in pairs], [one.against for one in pairs]))
    judged = [
        LanguageFailure(
            language=one.language, candidate=one.candidate, reference=one.against, why=one.why, same=one.same,
            score=float(score),
        )
        for one, score in zip(pairs, scores, strict=True)
    ]  # fmt: skip
    return sorted(judged, key=lambda one: one["score"] if one["same"] else 100 - one["score"])[:count]
