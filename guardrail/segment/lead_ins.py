"""What an answer says before what it tells: "According to the policy, …", "In addition, …", "Please note that …", an emoji.

The document that is meant is what claims are checked against, so it is no part of them. A person who is named is: "According to Ada Moss".
"""

from __future__ import annotations

import re

from guardrail.segment.view import Edit, View

__all__ = ["without_lead_in"]

_MOST = 4  # one behind the other
_LEAST = 3  # words that tell something
# One document of several: "under the old policy" is part of what is told.
_ANOTHER = (
    r"(?:old|new|former|previous|prior|earlier|later|latest|current|draft|original|other|first|second|third|last|next|final|proposed|revised"
    r"|amended|updated|expired|same|wrong|standard)"
)
_DOCUMENT = (
    rf"(?:the|this|that|these|those|your|our|my|its)\s(?:(?!{_ANOTHER}\s)[a-z’'-]+\s){{0,4}}?"
    r"(?:agreement|answers?|articles?|booklet|brochure|catalogue|clause|contents?|context|contract|data|details|document(?:s|ation)?|email|evidence"
    r"|excerpts?|extracts?|facts?|faq|files?|guide(?:lines?)?|handbook|information|instructions?|leaflet|lease|letter|manual|materials?|memo|minutes"
    r"|newsletter|notes?|notice|page|paper|paragraph|passages?|policy|policies|programme|provided|records?|references?|regulations?|report|rules?"
    r"|schedule|section|sheet|snippets?|sources?|statement|summary|table|terms|text|timetable|transcript|website)"
)
_LEAD_IN = re.compile(
    rf"""
    [\u2190-\u21ff\u25a0-\u27bf\u2b00-\u2bff\U0001f1e6-\U0001faff\ufe0f\u200d]+ \s*
  | (?: according\sto | based\s(?:up)?on | (?:as\s)?(?:per|(?:stated|described|mentioned|noted|specified|outlined|shown|given)\sin) ) \s {_DOCUMENT} (?: \s (?:provided|given|above|below|shared|supplied) )? , \s
  | {_DOCUMENT} \s (?:also \s)? (?:says|say|states|state|mentions|mention|notes|note|specifies|specify|indicates|indicate|explains|explain|shows|show|confirms|confirm) \s that \s
  | (?: also | additionally | in\saddition | moreover | furthermore | besides | specifically | in\sparticular | finally | lastly | overall | however
      | therefore | unfortunately | fortunately | as\syou\scan\ssee | in\sother\swords ) , \s
  | (?:please\s)? (?: note | be\saware | keep\sin\smind | remember ) \s that \s
  | (?: (?:important|key|quick|side|final|please) \s )? (?: notes? | answer | summary | important | tip | warning | caution | reminder | conclusion | in \s (?:short|summary) | key \s point | response | result ) (?: : \s* | \s (?=(?-i:[A-Z])) )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def without_lead_in(view: View) -> View:
    """The view from where it tells something, with a capital; the whole where hardly a word would be left."""
    text, at = view.text, 0
    for _ in range(_MOST):
        match = _LEAD_IN.match(text, at)
        if match is None or len(text[match.end() :].split()) < _LEAST:
            break
        at = match.end()
    return view.edited([Edit(0, at, ""), Edit(at, at + 1, text[at].upper())]) if at else view
