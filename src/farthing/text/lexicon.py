"""A small English lexicon: opposites, synonyms, numbers, names, pronouns, forms of verbs, words that negate.

It serves changes of texts whose effect on the meaning is known, and students that look for such changes.
"""

from __future__ import annotations

from functools import lru_cache

# Each pair works both ways; a word may have several partners.
_OPPOSITES = """
able unable; accept reject; accepted rejected; active inactive; add remove; added removed; agree disagree; agreed
disagreed; alive dead; allow forbid; allowed forbidden; always never; appear disappear; arrive leave; arrived left;
asleep awake; attack defend; bad good; beautiful ugly; before after; begin end; began ended; beginning ending; best
worst; better worse; big small; bigger smaller; biggest smallest; black white; boring exciting; bottom top; boy girl;
brave cowardly; bright dark; broad narrow; brother sister; build destroy; built destroyed; buy sell; bought sold;
buying selling; cheap expensive; clean dirty; clear unclear; close open; closed open; cold hot; common rare; correct
wrong; cruel kind; daughter son; day night; deep shallow; defeat victory; difficult easy; dry wet; early late; earlier
later; east west; eastern western; empty full; enemy friend; enter leave; entered left; everyone nobody; everything
nothing; export import; fail succeed; failed succeeded; failure success; fair unfair; fall rise; fell rose; falling
rising; false true; famous unknown; far near; fast slow; faster slower; fat thin; father mother; female male; few
many; fewer more; first last; forget remember; forgot remembered; found lost; front back; future past; gain lose;
gained lost; generous mean; give take; gave took; guilty innocent; happy sad; hard soft; hate love; hated loved;
healthy sick; heavy light; high low; higher lower; highest lowest; husband wife; important unimportant; impossible
possible; improve worsen; improved worsened; include exclude; included excluded; increase decrease; increased
decreased; increasing decreasing; inside outside; king queen; large small; larger smaller; largest smallest; laugh
cry; left right; legal illegal; less more; likely unlikely; likes dislikes; long short; longer shorter; loss profit;
loud quiet; maximum minimum; man woman; men women; minority majority; modern ancient; most least; necessary
unnecessary; new old; newer older; newest oldest; north south; northern southern; old young; older younger; peace war;
poor rich; positive negative; powerful weak; private public; pull push; raise lower; raised lowered; regular
irregular; reject approve; rejected approved; rough smooth; safe dangerous; same different; sharp blunt; sit stand;
sitting standing; sleeping waking; small large; start stop; started stopped; strength weakness; strong weak; stronger
weaker; sunrise sunset; support oppose; supported opposed; supporters opponents; tall short; thick thin; tight loose;
tomorrow yesterday; up down; upper lower; upward downward; useful useless; visible invisible; warm cool; wide narrow;
win lose; won lost; winner loser; winning losing; with without
"""

# Words that can replace each other in most sentences without a change of meaning.
_SYNONYMS = """
almost nearly; although though; answer reply; answered replied; area region; assist help; attempt try; attempted
tried; automobile car; begin start; began started; begins starts; big large; bigger larger; biggest largest; bike
bicycle; build construct; built constructed; buy purchase; bought purchased; children kids; child kid; choose pick;
chose picked; citizen resident; company firm; companies firms; couch sofa; difficult hard; easy simple; end finish;
ended finished; enormous huge; errors mistakes; famous well-known; fast quick; film movie; films movies; finally
eventually; forbidden prohibited; funny amusing; glad happy; help aid; helped aided; ill sick; important significant;
incorrect wrong; injured hurt; intelligent clever; job occupation; jobs positions; jump leap; jumped leapt; large big;
little small; maybe perhaps; method approach; needs requires; need require; needed required; occur happen; occurred
happened; often frequently; photo picture; photograph picture; quick rapid; quickly rapidly; rapid fast; road street;
rock stone; said stated; says states; seek pursue; seems appears; seem appear; shop store; shops stores; showed
displayed; shout yell; shouting yelling; sick ill; sometimes occasionally; start begin; started began; stone rock;
street road; strange odd; talking speaking; told informed; terrible awful; usually generally; weird odd; whole entire;
woman lady; women ladies; yearly annual
"""

_NUMBERS = """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety
"""
NUMBER_WORDS: tuple[str, ...] = tuple(_NUMBERS.split())

# Replacements for a name in a text that has only one.
NAMES: tuple[str, ...] = ("Anderson", "Bergen", "Castillo", "Dakar", "Elena", "Fischer", "Geneva", "Hannah")
_MORE_NAMES = """
Ortega Novak Lindqvist Moreau Tanaka Okafor Schneider Kowalski Rossi Petersen Gupta Silva Haddad Murphy Oliver Sofia
Daniel Ingrid Marco Amira Peter Lucia Viktor Grace Samuel Nadia Thomas Clara Lisbon Nairobi Oslo Montreal Jakarta Vienna
Santiago Warsaw Portugal Kenya Norway Canada Chile Poland
"""
MORE_NAMES: tuple[str, ...] = (*NAMES, *_MORE_NAMES.split())
DAYS: tuple[str, ...] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS: tuple[str, ...] = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip

# After one of these an English sentence takes "not".
_VERBS = "am are can could did do does is may might must shall should was were will would"
AUXILIARIES: frozenset[str] = frozenset(_VERBS.split())

_NEGATIONS = """
not no never none nobody nothing nowhere neither nor cannot without hardly ain't aren't can't couldn't didn't doesn't
don't hadn't hasn't haven't isn't mustn't needn't shouldn't wasn't weren't won't wouldn't
"""
NEGATIONS: frozenset[str] = frozenset(_NEGATIONS.split())

# One row per person: subject, object, before a noun, alone, reflexive.
_PRONOUNS = """
I me my mine myself; you you your yours yourself; he him his his himself; she her her hers herself;
it it its its itself; we us our ours ourselves; they them their theirs themselves
"""
PRONOUNS: tuple[tuple[str, ...], ...] = tuple(tuple(row.split()) for row in _PRONOUNS.split(";"))

# Forms of a verb after one and after many; a word of the one kind and one of the other do not agree.
_IRREGULAR = "is are; was were; has have; does do; isn't aren't; wasn't weren't; hasn't haven't; doesn't don't; goes go"
_REGULAR = """
add agree allow appear ask become begin believe bring buy carry come consider contain continue create cry decide
describe eat enjoy enter expect explain fall feel follow get give grow happen hear help hold include keep know lead
learn leave let lie live lose love make mean meet move need offer open pay play prepare provide put reach read receive
remain require ride run say see seem sell send serve show sing sit sleep speak spend stand stay suggest take talk tell
think throw try understand use wait walk want watch wear win work write
"""


@lru_cache(maxsize=1)
def singular_verbs() -> dict[str, str]:
    """Return the form after many of each verb form after one.

    >>> [singular_verbs()[word] for word in ("is", "tries", "watches", "says")]
    ['are', 'try', 'watch', 'say']
    """
    irregular = (pair.split() for pair in _IRREGULAR.split(";"))
    return {**dict(irregular), **{_third_person(verb): verb for verb in _REGULAR.split()}}


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("ch", "sh", "s", "x", "o")) else f"{verb}s"


@lru_cache(maxsize=1)
def antonyms() -> dict[str, tuple[str, ...]]:
    """Return the opposites of each word that has one here.

    >>> antonyms()["higher"]
    ('lower',)
    """
    return _both_ways(_OPPOSITES)


@lru_cache(maxsize=1)
def synonyms() -> dict[str, tuple[str, ...]]:
    """Return the synonyms of each word that has one here.

    >>> synonyms()["movie"]
    ('film',)
    """
    return _both_ways(_SYNONYMS)


def _both_ways(text: str) -> dict[str, tuple[str, ...]]:
    partners: dict[str, tuple[str, ...]] = {}
    for pair in text.split(";"):
        first, second = pair.split()
        for word, partner in ((first, second), (second, first)):
            if partner not in partners.get(word, ()):
                partners[word] = (*partners.get(word, ()), partner)
    return partners
