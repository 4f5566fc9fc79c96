"""Adjectives and nouns of nationality and the countries they stand for (data/demonyms.txt)."""

from __future__ import annotations

from pathlib import Path

__all__ = ["ADJECTIVES", "DEMONYMS", "LANGUAGES", "PEOPLE"]

_FILE = Path(__file__).parent.parent / "data" / "demonyms.txt"


def _read() -> dict[str, tuple[str, str]]:
    out = {}
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    for entry in "|".join(line for line in lines if not line.startswith("#")).split("|"):
        words = entry.split()
        at = next((i for i, word in enumerate(words) if word[0] == "Q" and word[1:].isdigit()), None)
        if at is not None:
            for adjective in words[:at]:
                out[adjective.lower().replace("_", " ")] = (words[at], " ".join(words[at + 1 :]))
    return out


_FORMS = _read()
PEOPLE = frozenset(form[1:] for form in _FORMS if form.startswith("~"))
"""Nouns in lower case for people of a country, which are no adjectives: "dane", "frenchman"."""

DEMONYMS = {form.lstrip("~"): country for form, country in _FORMS.items()}
"""Adjective or noun in lower case → (id, label) of the country. An adjective may have two words ("south korean")."""


def _adjectives() -> dict[str, str]:
    """The first adjective of each country that the table gives, as it is written."""
    found: dict[str, str] = {}
    for adjective, (entity, _) in DEMONYMS.items():
        found.setdefault(entity, adjective.title() if " " in adjective else adjective.capitalize())
    return found


ADJECTIVES = _adjectives()
"""Id of a country → adjective. The United Kingdom is "British", not "English"."""

LANGUAGES = frozenset(
    "albanian armenian belarusian bosnian bulgarian burmese catalan chinese croatian czech danish dutch english estonian finnish"
    " french georgian german greek hungarian icelandic indonesian irish italian japanese kazakh korean latvian lithuanian"
    " macedonian malagasy maltese mongolian nepali norwegian polish portuguese romanian russian samoan serbian slovak"
    " slovene slovenian somali spanish swedish thai turkish ukrainian uzbek vietnamese welsh scottish arabic hindi".split()
)
"""Adjectives that are also languages, in lower case: what a book is in, and not where it is from."""
