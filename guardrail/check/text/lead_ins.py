"""What an answer says before what it tells: "According to the policy, …", "In addition, …", "Please note that …", an emoji.

Passages are the document, so they tell what stands behind it. A person who is named is part of the claim: "According to Ada Moss".
"""

from __future__ import annotations

import re

__all__ = ["without_lead_in"]

_DOCUMENT = (
    r"(?:the|this|that|these|those|your|our|my|its)\s(?:[a-z’'-]+\s){0,4}?"
    r"(?:agreement|answers?|articles?|booklet|brochure|catalogue|clause|contents?|context|contract|data|details|document(?:s|ation)?|email|evidence"
    r"|excerpts?|extracts?|facts?|faq|files?|guide(?:lines?)?|handbook|information|instructions?|leaflet|lease|letter|manual|materials?|memo|minutes"
    r"|newsletter|notes?|notice|page|paper|paragraph|passages?|policy|policies|programme|provided|records?|references?|regulations?|report|rules?"
    r"|schedule|section|sheet|snippets?|sources?|statement|summary|table|terms|text|timetable|transcript|website)"
)
_LEAD_IN = re.compile(
    rf"""
    (?P<mark> [^\w\s"'“‘(\[$€£¥#+-]+ \s* )
  | (?: according\sto | based\s(?:up)?on | (?:as\s)?(?:per|(?:stated|described|mentioned|noted|specified|outlined|shown|given)\sin)
      | from | in | under ) \s {_DOCUMENT} (?: \s (?:provided|given|above|below|shared|supplied) )? , \s
  | {_DOCUMENT} \s (?:also \s)? (?:says|say|states|state|mentions|mention|notes|note|specifies|specify|indicates|indicate|explains|explain|shows|show|confirms|confirm) \s that \s
  | (?: also | additionally | in\saddition | moreover | furthermore | besides | specifically | in\sparticular | finally | lastly | overall | however
      | therefore | yes | certainly | sure | of\scourse | unfortunately | fortunately | as\syou\scan\ssee | in\sother\swords ) , \s
  | (?:please\s)? (?: note | be\saware | keep\sin\smind | remember ) \s that \s
  | (?: (?:important|key|quick|side|final|please) \s )? (?: notes? | answer | summary | important | tip | warning | caution | reminder | conclusion | in \s (?:short|summary) | key \s point | response | result ) (?: : \s* | \s (?=(?-i:[A-Z])) )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def without_lead_in(text: str) -> str:
    """The text from where it tells something; the whole where nothing would be left."""
    at = 0
    while (match := _LEAD_IN.match(text, at)) is not None and text[match.end() :].strip():
        at = match.end()
    rest = text[at:]
    return rest[:1].upper() + rest[1:]
