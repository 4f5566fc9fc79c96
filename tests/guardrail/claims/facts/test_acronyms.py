from __future__ import annotations

from guardrail.claims.rules import RuleExtractor
from guardrail.types import Candidate, Context, Entity, Mention, Sentence, Span

UNION, OTHER = Entity("Q:union", "Free Trade Union"), Entity("Q:other", "Other")


def objects(text: str, *names: tuple[str, Entity]) -> set[str]:
    """The objects of all facts with a relation; `names` are the linker's."""
    mentions = [
        Mention(Span(text.index(name), text.index(name) + len(name)), name, (Candidate(entity, 0.0),))
        for name, entity in names
    ]
    claims = RuleExtractor().extract(Sentence(Span(0, len(text)), text), mentions, Context())
    return {fact.object.text for claim in claims for fact in claim.facts if fact.relations}


def test_letters_behind_a_name_stand_for_it() -> None:
    """What is told of a name is told of its letters in brackets, too."""
    text = "Anna Berg joined the Free Trade Union (FTU) in 1990."
    assert {"Free Trade Union", "FTU"} <= objects(text, ("Free Trade Union", UNION), ("FTU", UNION))


def test_other_brackets_are_no_letters() -> None:
    """A bracket that holds another name, or letters that are not the name's, says something else."""
    text = "Anna Berg joined the Free Trade Union (Ulm) in 1990."
    assert "Ulm" not in objects(text, ("Free Trade Union", UNION), ("Ulm", OTHER))
    text = "Anna Berg joined the Free Trade Union (NBC) in 1990."
    assert "NBC" not in objects(text, ("Free Trade Union", UNION), ("NBC", OTHER))
