from __future__ import annotations

import re

from guardrail.claims.lexicon.relations import compile_lexicon, load_lexicon

SAMPLE = {
    "P57": {
        "label": "director",
        "subject": "work",
        "object": "person",
        "by": "directed",
        "noun": "director",
        "of": "film by",
    },
    "P47": {"label": "border", "do": "borders | shares border with"},
    "P551": {"label": "residence", "say": "lives in | grows up in", "back": "is the home of"},
    "P2048": {"label": "height", "object": "quantity", "measure": "tall", "count": "metre"},
}


def test_each_notation_has_its_table() -> None:
    """The keys of the file mean what its head says: passive and active, direct and exchanged."""
    lexicon = compile_lexicon(SAMPLE)
    assert lexicon.verbs["passive", "direct", "by"][0].relation == "P57"
    assert lexicon.verbs["active", "direct", ""][0].relation == "^P57"
    assert lexicon.verbs["active", "border", ""][0].relation == "P47"
    assert lexicon.verbs["passive", "border", "by"][0].relation == "^P47"
    assert lexicon.verbs["active", "shar", "border with"][0].relation == "P47"
    assert lexicon.verbs["active", "grow up", "in"][0].relation == "P551"
    assert lexicon.nouns["director",][0].object == {"person"}
    assert lexicon.nominals["film", "by"][0].relation == "P57"
    assert lexicon.nominals["home", "of"][0].relation == "^P551"
    assert lexicon.measures["tall",][0].relation == "P2048"
    assert lexicon.counts["metre",][0].relation == "P2048"


def test_shipped_lexicon() -> None:
    """The shipped file knows well over 150 properties, each by a Wikidata id and with a label."""
    lexicon = load_lexicon()
    assert len(lexicon.properties) >= 150
    assert all(re.fullmatch(r"P\d+", name) for name in lexicon.properties)
    assert all(lexicon.labels.values())
    frames = [
        f for t in (lexicon.verbs, lexicon.nouns, lexicon.nominals) for frames in t.values() for f in frames
    ]
    assert all(re.fullmatch(r"P\d+", frame.property_id) for frame in frames)


def test_kinds_of_the_shipped_lexicon_exist() -> None:
    """Every kind that the relations ask for is one that types.yaml or the values know."""
    from guardrail.claims.lexicon.kinds import load_kinds

    kinds = load_kinds()
    known = {
        *kinds.of_class.values(),
        *kinds.of_noun.values(),
        "date",
        "quantity",
        "class",
        "text",
        "genre",
        "instrument",
        "party",
        "man",
        "woman",
    }
    lexicon = load_lexicon()
    for table in (lexicon.verbs, lexicon.nouns, lexicon.nominals, lexicon.measures, lexicon.counts):
        for frames in table.values():
            for frame in frames:
                assert frame.subject | frame.object <= known, frame
