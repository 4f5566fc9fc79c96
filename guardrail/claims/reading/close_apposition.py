"""Close apposition: a name before a noun that only says its kind, as in "the Lund Standard newspaper", "the Elbe river"."""

from __future__ import annotations

from guardrail.claims.lexicon.kinds import Kinds
from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.sentence import ParsedSentence
from guardrail.rules import rule
from guardrail.types import Mention

__all__ = ["name_before_noun"]

# Nouns that are said behind the name itself, where "the BBC series" is one of the BBC's.
_NOUNS = frozenset(
    "newspaper magazine journal band orchestra company party club festival prize award river mountain island airline".split()
)


@rule("name-before-noun")
def name_before_noun(np: NP, reading: ParsedSentence, kinds: Kinds) -> Mention | None:
    """The name that fills a noun phrase between "the" and such a noun; None where it is known to be of another kind."""
    noun = reading.tokens[np.head].low
    if np.kind != "common" or np.det != "the" or np.of or noun not in _NOUNS or np.head - np.first < 2:
        return None
    index = reading.tokens[np.head - 1].mention
    if index < 0 or any(token.mention != index for token in reading.tokens[np.first + 1 : np.head]):
        return None
    mention = reading.mentions[index]
    known = kinds.mention(mention)
    return mention if not known or kinds.noun(noun) in known else None
