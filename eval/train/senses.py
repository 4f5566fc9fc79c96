"""What WordNet says of words, for changing one in a sentence: antonyms, words of the same meaning, and other things of a kind.

Data: Open English WordNet (CC BY 4.0), read line by line, as only a few of its fields are needed; and the forms of words as the
treebanks have them (UD EWT and GUM). Only words that the treebanks have are given.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from eval.datasets.files import find, open_text
from eval.train.treebank import TRAIN, read
from guardrail.language.vocabulary import common_word

__all__ = ["Senses", "read_senses"]

_FIRST = 2  # senses of a word that count: the first are the usual ones
_PLAIN = re.compile(r"[a-z]{3,}")
_KINDS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}


@dataclass(slots=True)
class Senses:
    """`senses`: by word and kind (n, v, a, r) its synsets in order and the antonyms of each; `members`: the words of a synset;
    `above`: what kind of thing it is; `people`: the synsets of persons. `forms`: by lemma and tag how a word is written.
    """

    senses: dict[tuple[str, str], list[tuple[str, list[str]]]] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)
    above: dict[str, list[str]] = field(default_factory=dict)
    below: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    people: set[str] = field(default_factory=set)
    forms: dict[tuple[str, str], str] = field(default_factory=dict)

    def antonyms(self, lemma: str, tag: str) -> list[str]:
        """The antonyms of a word in its usual senses, in the form of the tag: ("rose", VBD) gives "fell"."""
        found = self.senses.get((lemma, _KINDS.get(tag[:2], "")), [])[:_FIRST]
        return self._written((one for _, antonyms in found for one in antonyms), lemma, tag)

    def synonyms(self, lemma: str, tag: str) -> list[str]:
        """Other words for one that has a single sense, in the form of the tag."""
        all_ = [one for kind in "nvar" for one in self.senses.get((lemma, kind), [])]
        if len(all_) != 1:
            return []
        return self._written(self.members.get(all_[0][0], []), lemma, tag)

    def siblings(self, lemma: str, tag: str) -> list[str]:
        """Other things of the same kind: "tenant" gives "lodger"; in the form of the tag."""
        found = self.senses.get((lemma, "n"), [])[:1]
        kinds = [kind for synset, _ in found for kind in self.above.get(synset, [])]
        others = (
            one
            for kind in kinds
            for synset in self.below[kind]
            if lemma not in self.members[synset]
            for one in self.members[synset]
        )
        return self._written(others, lemma, tag)

    def person(self, lemma: str) -> bool:
        """Whether a word usually means people."""
        return any(synset in self.people for synset, _ in self.senses.get((lemma, "n"), [])[:1])

    def form(self, lemma: str, tag: str) -> str:
        """How a lemma is written with a tag: as the treebanks have it, else by rule; "" where there is no rule."""
        if tag in ("VB", "VBP", "NN", "JJ", "RB"):
            return lemma
        return self.forms.get((lemma, tag)) or _regular(lemma, tag)

    def _written(self, words: Iterable[str], lemma: str, tag: str) -> list[str]:
        usual = [w for w in words if w != lemma and _PLAIN.fullmatch(w) and common_word(w)]
        return sorted({form for word in usual if (form := self.form(word, tag))})


def _regular(lemma: str, tag: str) -> str:
    if tag in ("VBZ", "NNS"):
        return (
            f"{lemma[:-1]}ies"
            if re.search("[^aeiou]y$", lemma)
            else lemma + ("es" if re.search("(?:s|x|sh|ch)$", lemma) else "s")
        )
    if tag in ("VBD", "VBN", "VBG"):
        ending = "ing" if tag == "VBG" else "ed"
        stem = f"{lemma[:-1]}i" if ending == "ed" and re.search("[^aeiou]y$", lemma) else lemma
        return stem.removesuffix("e") + ending
    return ""


def read_senses() -> Senses:
    """Raises DataMissing."""
    found, folder = Senses(), find("wordnet-oewn")
    for path in sorted(folder.glob("*.yaml*")):
        if path.name.startswith("entries-"):
            for key, synset, antonyms in _entries(open_text(path)):
                found.senses.setdefault(key, []).append((synset, antonyms))
        elif path.name.startswith(("noun", "verb", "adj.all", "adv")):
            for synset, members, above in _synsets(open_text(path)):
                found.members[synset], found.above[synset] = members, above
                if path.name.startswith("noun.person"):
                    found.people.add(synset)
    for synset, kinds in found.above.items():
        for kind in kinds:
            found.below[kind].append(synset)
    found.forms = _forms([find(part) for part in TRAIN])
    return found


def _forms(paths: Iterable[Path]) -> dict[tuple[str, str], str]:
    """The first form of each lemma and tag in the treebanks, in small letters."""
    found: dict[tuple[str, str], str] = {}
    for path in paths:
        for gold in read(path):
            for word, tag, lemma in zip(gold.words, gold.tags, gold.lemmas, strict=True):
                if tag[:2] in _KINDS and word.isalpha():
                    found.setdefault((lemma.lower(), tag), word.lower())
    return found


def _entries(text: str) -> Iterator[tuple[tuple[str, str], str, list[str]]]:
    """(word, kind), synset and antonyms of each sense."""
    word, kind, within, antonyms = "", "", "", list[str]()
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        if depth == 0:
            word = line.rstrip(":").strip("'\"")
        elif depth == 2:
            kind = line.strip().rstrip(":")
        else:
            if line.startswith("    - "):
                antonyms, line = [], f"      {line[6:]}"
            if line.startswith("      - "):
                if within == "antonym":
                    antonyms.append(line[8:].strip("'\"").partition("%")[0].replace("_", " "))
            elif line.startswith("      "):
                within, _, value = line.strip().partition(":")
                if within == "synset":
                    yield (word, kind), value.strip(), antonyms


def _synsets(text: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """A synset, its words, and what it is a kind of."""
    synset, within = "", ""
    lists: dict[str, list[str]] = {}
    for line in [*text.splitlines(), "end:"]:
        if not line.startswith(" "):
            if synset:
                yield synset, lists.get("members", []), lists.get("hypernym", [])
            synset, lists = line.rstrip(":"), {}
        elif line.startswith("  - "):
            lists.setdefault(within, []).append(line[4:].strip("'\""))
        elif not line.startswith("   "):
            within = line.strip().partition(":")[0]
