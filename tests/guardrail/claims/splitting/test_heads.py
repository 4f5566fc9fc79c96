from __future__ import annotations

from guardrail.claims.splitting.heads import clausal, finite, heads, opens, subject
from guardrail.language import parser


def test_predicates_have_subjects_and_tenses() -> None:
    """Of a plain sentence the verb is the only head; it has a subject and a tense."""
    doc = parser().read("The dog saw a cat.")
    (head,) = (doc.tokens[at] for at in heads(doc))
    assert head.text == "saw"
    assert clausal(doc, head)
    assert finite(doc, head)
    who = subject(doc, head)
    assert who is not None
    assert who.text == "dog"


def test_what_is_is_a_predicate() -> None:
    """A noun with a form of "be" is a predicate; the noun that is its subject is none."""
    doc = parser().read("She was a doctor.")
    (head,) = (doc.tokens[at] for at in heads(doc))
    assert head.text == "doctor"
    assert not clausal(doc, doc.tokens[0])


def test_words_that_open_conditions() -> None:
    """ "If" and "only because" open a clause that goes with another, "which" opens none."""
    doc = parser().read("if only because which")
    assert [opens(doc, at) for at in range(4)] == [True, True, True, False]
