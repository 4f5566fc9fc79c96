"""Texts in which people marked whom each pronoun means: UD GUM (chains of mentions) and GAP (one pronoun and two names)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from eval.datasets.files import find, open_text
from guardrail.types import Span

__all__ = ["PERSONAL", "PLURAL", "Marked", "Pronoun", "gap", "gum"]

PLURAL = frozenset("they them their theirs themselves both".split())
PERSONAL = frozenset("he him his himself she her hers herself".split())
_WORDS = PERSONAL | PLURAL | {"it", "its", "itself"}
# "(7-person-new-…-2,3-coref" opens a mention of chain 7 whose second and third words are its head, "7)" closes it.
_MARK = re.compile(r"\((?P<opened>\d+)-(?P<attributes>[^()]*)(?P<at_once>\))?|(?P<closed>\d+)\)")
_HEADS = 4  # which of the attributes
_COLUMNS = 10


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A pronoun at a place. `meant`: for each one that it means, the names that the text has given it by then; empty where one has none."""

    span: Span
    meant: tuple[frozenset[str], ...]

    @property
    def nameless(self) -> bool:
        return not self.meant or not all(self.meant)


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with its pronouns of the third person, in order."""

    name: str
    text: str
    pronouns: tuple[Pronoun, ...]


def gap(part: str) -> Iterator[Marked]:
    """The texts of "development" or "validation"; a pronoun that means neither of the two names is left out. Raises DataMissing."""
    rows = open_text(find(f"gap/gap-{part}.tsv.gz")).splitlines()
    for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
        meant = [row[name] for name in "AB" if row[f"{name}-coref"] == "TRUE"]
        if meant:
            start = int(row["Pronoun-offset"])
            place = Span(start, start + len(row["Pronoun"]))
            yield Marked(row["ID"], row["Text"], (Pronoun(place, (frozenset(meant),)),))


def gum(part: str) -> Iterator[Marked]:
    """The documents of "train", "dev" or "test". Raises DataMissing."""
    text = open_text(find(f"ud_gum/free/{part}.conllu.gz"))
    for document in re.split(r"(?m)^(?=# newdoc id)", text):
        if document.strip():
            yield _Document().read(document)


@dataclass(slots=True)
class _Mention:
    group: str
    heads: tuple[int, ...]  # the places of its head words among its own
    words: list[tuple[str, str]] = field(default_factory=list)  # with their classes


@dataclass(slots=True)
class _Document:
    """What has been read of a document."""

    text: str = ""
    names: dict[str, set[str]] = field(default_factory=dict)  # by chain
    parts: dict[str, list[str]] = field(default_factory=dict)  # of a plural, by chain
    open: list[_Mention] = field(default_factory=list)
    found: list[Pronoun] = field(default_factory=list)

    def read(self, document: str) -> Marked:
        name = document.partition("\n")[0].rpartition("= ")[2]
        for line in document.splitlines():
            cells = line.split("\t")
            if line.startswith("# newpar"):
                self.text = self.text.rstrip() + "\n\n" if self.text else ""
            elif len(cells) == _COLUMNS and cells[0].isdigit():
                self._word(cells)
            elif not line.strip() and self.text:
                self.text = self.text.rstrip(" ") + " "
        return Marked(name, self.text, tuple(self.found))

    def _word(self, cells: Sequence[str]) -> None:
        form, kind, misc = cells[1], cells[3], dict(one.partition("=")[::2] for one in cells[9].split("|"))
        for pair in filter(None, misc.get("SplitAnte", "").split(",")):
            part, _, whole = pair.partition("<")
            self.parts.setdefault(whole, []).append(part)
        marks = list(_MARK.finditer(misc.get("Entity", "")))
        self._open(marks, form, kind)
        if form.lower() in _WORDS and self.open and len(self.open[-1].words) == 1:
            self._pronoun(form)
        self.text += form + ("" if misc.get("SpaceAfter") == "No" else " ")
        for mark in marks:
            self._close(mark)

    def _open(self, marks: Sequence[re.Match[str]], form: str, kind: str) -> None:
        """Begins the mentions that a word begins, and adds it to all that are open."""
        self.open += [_opened(mark) for mark in marks if mark["opened"]]
        for one in self.open:
            one.words.append((form, kind))

    def _pronoun(self, form: str) -> None:
        group = self.open[-1].group
        members = self.parts.get(group) or [group]
        known = tuple(frozenset(self.names.get(one, ())) for one in members)
        place = Span(len(self.text), len(self.text) + len(form))
        self.found.append(Pronoun(place, known))

    def _close(self, mark: re.Match[str]) -> None:
        """Ends the mention that a mark ends; one with a name as its head gives it to its chain."""
        group = mark["closed"] or (mark["opened"] if mark["at_once"] else "")
        at = next((at for at in reversed(range(len(self.open))) if self.open[at].group == group), None)
        if at is not None:
            self._name(self.open.pop(at))

    def _name(self, mention: _Mention) -> None:
        heads = [mention.words[at] for at in mention.heads if at < len(mention.words)]
        if heads and all(kind == "PROPN" for _, kind in heads):
            words = " ".join(form for form, kind in mention.words if kind == "PROPN")
            self.names.setdefault(mention.group, set()).add(words)


def _opened(mark: re.Match[str]) -> _Mention:
    heads = mark["attributes"].split("-")[_HEADS]
    return _Mention(mark["opened"], tuple(int(at) - 1 for at in heads.split(",")))
