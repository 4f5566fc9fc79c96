"""Which language a sentence is in, as far as it matters here: English, another one, or one that nobody can tell.

Letters of other scripts tell it by themselves. In Latin letters the words do: frequent words of some forty languages
(guardrail/data/function_words.yaml) against those of English, and words that English does not know. Names, titles and quoted
words do not count, so that "Proust wrote À la recherche du temps perdu" stays English.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from guardrail.language.lists import word_list
from guardrail.language.vocabulary import listed_words
from guardrail.types import Span, tile

__all__ = ["UNKNOWN", "foreign", "foreign_parts", "known_word"]

UNKNOWN = "unknown language"
_FILE = Path(__file__).parents[2] / "data" / "function_words.yaml"
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?![^\W_])")
_MARKS = re.compile(r"https?://\S+|www\.\S+|\S{0,64}@\S+|`[^`\n]*`|<[^<>\n]{1,400}>|&#?\w{1,10};|\\[A-Za-z]+")
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|\*[^*\n]+\*|\([^()\n]*\)")
_BREAK = re.compile(r"[,;:]\s|\s[-–—]\s|[—\n]")
_RUN = re.compile(r"[^\W\d_]+|\s[-–—]\s")
_OWNER = re.compile(r"\W*[^\W\d_]+(?:\s+[^\W\d_]+){1,4}['’]s\s")
_PARTICLES = word_list("particles")
_CLITICS = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})
_SUFFIXES = (
    ("ies", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("d", ""), ("ing", ""), ("ing", "e"), ("ly", ""),
    ("er", ""), ("ers", ""), ("est", ""), ("ness", ""), ("al", ""), ("ization", "ize"), ("ised", "ized"),
)  # fmt: skip
# Weights of the evidence, chosen on every second sentence of twenty treebanks, with English ones against them.
_SHARED, _STRANGE, _CONTENT = 0.6, 0.5, 0.4
_NAMED, _UNNAMED = 0.3, 0.9
_TITLED = 0.75  # above this share of capitals a line is a title or a list of names
_CAPITALS = 0.9  # from this share of words in capitals only, it is a line in capitals
# A foreign name in its own letters states nothing: so many words, or letters of a script without blanks; more in brackets.
_NAME_WORDS, _NAME_LETTERS = 2, 5
_GLOSS_WORDS, _GLOSS_LETTERS = 4, 8
# From so many words on a stretch of an English sentence may state something in another language; a title has no copula.
_STATED_WORDS, _QUOTED_WORDS = 4, 5
_COPULAS = frozenset(
    "ist sind war waren bleibt wurde est sont était fut es son era fue è sono fu é são foi is zijn werd jest są był była är er on ovat"
    " este sunt je su bila van volt olan".split()
)
_SCRIPTS = {
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean", "CYRILLIC": "Cyrillic script",
    "ARABIC": "Arabic script", "HEBREW": "Hebrew script", "GREEK": "Greek", "DEVANAGARI": "Devanagari script",
    "THAI": "Thai",
}  # fmt: skip
_UNSPACED = frozenset({"Chinese", "Japanese", "Thai"})
_LANGUAGES = {
    "af": "Afrikaans", "az": "Azerbaijani", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fi": "Finnish", "fr": "French", "ga": "Irish",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "la": "Latin",
    "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sv": "Swedish",
    "sw": "Swahili", "tl": "Tagalog", "tr": "Turkish", "vi": "Vietnamese",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """`english`: its frequent words; `vocabulary`: all that its treebanks have; `of`: word → the languages it is frequent in."""

    english: frozenset[str]
    vocabulary: frozenset[str]
    of: Mapping[str, tuple[str, ...]]


def foreign(text: str) -> str:
    """What a text is in that is not English ("German", "Cyrillic script", UNKNOWN); "" for English and for what has too few
    words to tell. Linear in the length of `text`.
    """
    plain = _blanked(text)
    return _script(plain) or _latin(plain)


def foreign_parts(text: str) -> list[tuple[Span, str]]:
    """The stretches of a sentence that are not in English, with their languages: all of it, or parts between marks.

    A name, a title or a few quoted words in another language make no such stretch.
    """
    plain = _blanked(text)
    if whole := _script(plain, whole=True) or _latin(plain):
        return [(Span(0, len(text)), whole)]
    found = []
    for span, quoted in _pieces(plain):
        piece = span.of(plain)
        if language := _script(piece, quoted=quoted) or _stated(piece, quoted=quoted):
            found.append((span, language))
    return found


def _blanked(text: str) -> str:
    """The text with blanks where addresses, code and markup stand."""
    return _MARKS.sub(lambda match: " " * len(match.group()), text)


def _pieces(text: str) -> Iterator[tuple[Span, bool]]:
    """The stretches between marks, and whether each is quoted or in brackets."""
    inside = [Span(*match.span()) for match in _QUOTED.finditer(text)]
    for part in (*inside, *tile(text, inside)):
        quoted, at = part in inside, part.start
        for match in _BREAK.finditer(text, part.start, part.end):
            yield Span(at, match.start()), quoted
            at = match.end()
        yield Span(at, part.end), quoted


def _stated(piece: str, *, quoted: bool) -> str:
    """The language of a stretch in Latin letters that is long enough to state something, and is no name or title."""
    words = _WORD.findall(piece)
    low = {word.lower() for word in words}
    copula = not _COPULAS.isdisjoint(low)
    if len(words) < (_QUOTED_WORDS if quoted else _STATED_WORDS):
        return ""
    if not copula and (quoted or sum(word.islower() for word in words) * 2 < len(words)):
        return ""
    found = _latin(piece)
    lexicon = _lexicon()
    english = any(
        _LANGUAGES.get(one) == found for word in low & lexicon.english for one in lexicon.of.get(word, ())
    )
    return "" if found == UNKNOWN or (low & lexicon.english and not english) else found


def known_word(word: str) -> bool:
    """Whether English has the word, in small letters: as its treebanks have it, or by a usual ending."""
    lexicon = _lexicon()
    if word in lexicon.vocabulary or word in lexicon.english:
        return True
    return any(
        word.endswith(suffix)
        and len(word) > len(suffix) + 2
        and word[: -len(suffix)] + root in lexicon.vocabulary
        for suffix, root in _SUFFIXES
    )


# ── scripts ───────────────────────────────────────────────────────────────────────────────────────────


def _script(text: str, *, whole: bool = False, quoted: bool = False) -> str:
    """The script of a text that is not Latin: of most of its letters, or (unless `whole`) of a run longer than a name is."""
    found = Counter(script for letter in text if (script := _script_of(letter)))
    other = Counter({script: count for script, count in found.items() if script != "Latin"})
    if not other:
        return ""
    if not quoted and other.total() * 2 >= found.total():
        return _named(other)
    return "" if whole else _named(_longest_run(text, quoted=quoted))


def _longest_run(text: str, *, quoted: bool) -> Mapping[str, int]:
    """The letters by script of a stretch without Latin words that is longer than a name; empty when there is none."""
    run: Counter[str] = Counter()
    words = 0
    most, longest = (_GLOSS_WORDS, _GLOSS_LETTERS) if quoted else (_NAME_WORDS, _NAME_LETTERS)
    for match in _RUN.finditer(text):
        scripts = Counter(script for letter in match.group() if (script := _script_of(letter)))
        if "Latin" in scripts:
            run, words = Counter(), 0
            continue
        run, words = run + scripts, words + 1 + (not scripts)  # a dash may stand for "is"
        if run and (words > most or sum(run[script] for script in _UNSPACED) > longest):
            return run
    return {}


def _named(found: Mapping[str, int]) -> str:
    if found.get("Japanese"):
        return "Japanese"  # kana among Chinese characters
    return max(found, key=lambda script: found[script], default="")


@cache
def _script_of(letter: str) -> str:
    """The script of a letter, "" for anything else. Mathematical and wide letters are Latin in disguise, not another script."""
    if letter < "\u0250":
        return "Latin" if letter.isalpha() else ""
    if not letter.isalpha():
        return ""
    plain = unicodedata.normalize("NFKC", letter)
    if plain.isascii():
        return "Latin"
    word = unicodedata.name(letter, "").split(" ")[0].split("-")[0]
    return "Latin" if word in ("LATIN", "MODIFIER", "") else _SCRIPTS.get(word, f"{word.capitalize()} script")


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────


def _latin(text: str) -> str:
    outside = _QUOTED.sub(" ", text)
    told = outside if len(_WORD.findall(outside)) > 2 else text
    words = list(_counted(told))
    if len(words) < 2:
        return ""
    lexicon = _lexicon()
    shares, own = _frequent(words, lexicon, first=int(_named_first(told, words)))
    best = max(own, key=lambda one: (shares[one], own[one]), default="")
    against, strange = _rest(words, best, lexicon)
    score = shares[best] + _STRANGE * strange - against
    if own[best] and score > _NAMED:
        return _LANGUAGES[best]
    return UNKNOWN if strange > 2 and score > _UNNAMED else ""


def _named_first(text: str, words: Sequence[str]) -> bool:
    """Whether the first word is of a name, and tells no language: the name owns something, or English knows all others."""
    return _begins_with_a_name(text) and (
        _OWNER.match(text) is not None or all(known_word(word) for word in words[1:])
    )


def _frequent(words: Sequence[str], lexicon: _Lexicon, *, first: int) -> tuple[Counter[str], Counter[str]]:
    """The weight of the words by language, and how many English has not among those from number `first` on."""
    shares: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for number, word in enumerate(words):
        for language in lexicon.of.get(word, ()):
            shares[language] += _SHARED if word in lexicon.english else 1  # type: ignore[assignment]
            own[language] += number >= first and word not in lexicon.english
    return shares, own


def _rest(words: Sequence[str], best: str, lexicon: _Lexicon) -> tuple[float, int]:
    """What speaks for English among the words that are not frequent in `best`, and how many are strange to it."""
    against, strange = 0.0, 0
    for word in words:
        if best and best in lexicon.of.get(word, ()):
            continue
        if word in lexicon.english:
            against += 1
        elif known_word(word):
            against += _CONTENT
        elif len(word) > 1:
            strange += 1
    return against, strange


def _counted(text: str) -> Iterator[str]:
    """The words that tell the language, in small letters: not names, unless the line is all in capitals."""
    found = list(_WORD.finditer(text))
    loud = sum(len(one.group()) > 1 and one.group().isupper() for one in found) >= _CAPITALS * len(found) - 1
    titled = sum(one.group()[0].isupper() for one in found) > _TITLED * len(found)
    for number, match in enumerate(found):
        word = match.group()
        capital = word[0].isupper() and (number or titled or len(word) == 1)
        if (loud or not capital) and not _within_name(found, number) and not _clitic(found, number):
            yield word.lower()


def _begins_with_a_name(text: str) -> bool:
    """Whether the first two words have capitals, and not nearly all: "Bo Ek succeeded Ann Lee", also "Die Stadt ist groß"."""
    first = [match.group() for _, match in zip(range(2), _WORD.finditer(text), strict=False)]
    return len(first) == 2 and all(word[0].isupper() and not word.isupper() for word in first)


def _clitic(found: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a word stands behind an apostrophe that joins it to the one before."""
    word = found[at]
    return at > 0 and word.string[word.start() - 1] in "'’" and word.group().lower() in _CLITICS


def _within_name(found: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a word joins the capitals on both sides to a name: "Antoine de Saint-Exupéry"."""
    if found[at].group() not in _PARTICLES or not 0 < at < len(found) - 1:
        return False
    return all(found[one].group()[0].isupper() for one in (at - 1, at + 1))


@cache
def _lexicon() -> _Lexicon:
    data = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    languages: dict[str, list[str]] = {}
    for language, words in data.items():
        for word in words.split() if language != "en" else ():
            languages.setdefault(word, []).append(language)
    of = {word: tuple(found) for word, found in languages.items()}
    return _Lexicon(frozenset(data["en"].split()), listed_words(), of)
