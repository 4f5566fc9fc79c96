"""WordNet, read line by line."""

from eval.train.senses import Senses, _entries, _synsets

ENTRIES = """\
close:
  v:
    sense:
    - antonym:
      - 'open%2:35:00::'
      derivation:
      - 'closure%1:04:00::'
      id: 'close%2:35:00::'
      synset: 01348939-v
    - id: 'close%2:30:00::'
      synset: 00431289-v
"""
SYNSETS = """\
00000002-n:
  definition:
  - someone who lives somewhere
    for money
  hypernym:
  - 00000001-n
  members:
  - tenant
  - renter
00000003-n:
  hypernym:
  - 00000001-n
  members:
  - guest
"""


def test_senses_keep_their_antonyms() -> None:
    """Derived words are no antonyms, and a sense without any has none of the one before."""
    assert list(_entries(ENTRIES)) == [
        (("close", "v"), "01348939-v", ["open"]),
        (("close", "v"), "00431289-v", []),
    ]


def test_words_get_the_form_of_their_tag() -> None:
    """Antonyms of a past form are past, by the treebank or by rule; siblings share a kind of thing."""
    found = Senses()
    for (word, kind), synset, antonyms in _entries(ENTRIES):
        found.senses.setdefault((word, kind), []).append((synset, antonyms))
    assert found.antonyms("close", "VBD") == ["opened"]
    assert found.antonyms("close", "NN") == []
    for synset, members, above in _synsets(SYNSETS):
        found.members[synset] = members
        found.above[synset] = above
        found.below["00000001-n"].append(synset)
        for word in members:
            found.senses[word, "n"] = [(synset, [])]
    assert found.siblings("tenant", "NNS") == ["guests"]
    assert found.synonyms("guest", "NN") == []
