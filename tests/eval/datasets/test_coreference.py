"""Texts with marked pronouns: places, and the names that the text has given by then."""

import gzip
from pathlib import Path

import pytest

from eval.datasets.coreference import gap, gum

# An author's name and a pronoun for it, then a plural that stands for two.
WORDS = [
    ("Ada", "PROPN", "Entity=(1-person-new-nnnnn-cf1-1,2-coref"),
    ("Berg", "PROPN", "Entity=1)"),
    ("met", "VERB", "_"),
    ("Bo", "PROPN", "Entity=(2-person-new-nnnnn-cf2-1-sgl)|SpaceAfter=No"),
    (".", "PUNCT", "_"),
    None,
    ("She", "PRON", "Entity=(1-person-giv:act-nnnnn-cf1-1-ana)"),
    ("left", "VERB", "_"),
    ("the", "DET", "Entity=(3-place-new-nnnnn-cf2-2-coref"),
    ("hall", "NOUN", "Entity=3)|SpaceAfter=No"),
    (".", "PUNCT", "_"),
    None,
    ("They", "PRON", "Entity=(4-person-acc:aggr-nnnnn-cf1-1-sgl)|SplitAnte=1<4,2<4"),
    ("saw", "VERB", "_"),
    ("it", "PRON", "Entity=(3-place-giv:act-nnnnn-cf2-1-ana)|SpaceAfter=No"),
    (".", "PUNCT", "_"),
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUARDRAIL_DATA", str(tmp_path))
    return tmp_path


def test_a_chain_gives_a_pronoun_the_names_that_came_before(data: Path) -> None:
    """A plural has names for each that it means; what only nouns stood for has none."""
    lines, number = ["# newdoc id = made_up"], 0
    for word in WORDS:
        number = 0 if word is None else number + 1
        lines.append(
            "" if word is None else "\t".join([str(number), word[0], "_", word[1], *"_" * 5, word[2]])
        )
    folder = data / "ud_gum" / "free"
    folder.mkdir(parents=True)
    (folder / "dev.conllu.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (marked,) = gum("dev")
    assert marked.text.strip() == "Ada Berg met Bo. She left the hall. They saw it."
    she, they, it = marked.pronouns
    assert (she.span.of(marked.text), she.meant) == ("She", (frozenset({"Ada Berg"}),))
    assert they.meant == (frozenset({"Ada Berg"}), frozenset({"Bo"}))
    assert it.nameless
    assert not she.nameless


def test_a_pair_of_names_has_one_that_is_meant(data: Path) -> None:
    """A text whose pronoun means neither is left out."""
    head = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
    rows = [
        f"x-{n}\tAda met Eve; she left.\tshe\t13\tAda\t0\t{coref}\tEve\t8\tFALSE\t"
        for n, coref in enumerate(("TRUE", "FALSE"))
    ]
    (data / "gap").mkdir()
    (data / "gap" / "gap-validation.tsv.gz").write_bytes(gzip.compress("\n".join([head, *rows]).encode()))
    (marked,) = gap("validation")
    (pronoun,) = marked.pronouns
    assert (marked.name, pronoun.span.of(marked.text), pronoun.meant) == ("x-0", "she", (frozenset({"Ada"}),))
