"""Tables of a user's own, imported without a mapping, against what a text says of their rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.types import Label
from guardrail.verifier import Verifier
from tests.test_own_graph import imported

_TABLES = {
    "houses": """Name,Beds,Opened,Weight,Price
Maple House,22,1999,3 kg,£31
Oak House,12,2003,4 kg,£9
Fir House,15,2001,5 kg,£9.80
""",
    "doctors": """Name,Ward,Shift length
Dr Imogen Vasey,Larkspur Ward,10 hours
Dr Paul Reed,Hollin Ward,12 hours
""",
    "books": """Title,Author,Pages,Publication date,Cover price,Publisher
The Tallow Road,Ines Marchbank,352,6 April 2017,£14.99,Lantern & Quill Press
Saltmarsh Blue,Tamsin Okonjo,418,2 May 2019,£14.99,Lantern & Quill Press
Crumb and Crust,Celeste Delacourt,240,9 October 2015,£22.00,Lantern & Quill Press
The Ferrymaster's Debt,Ines Marchbank,291,2012,£10.99,Lantern & Quill Press
""",
    "wards": """Ward,Beds,Budget,Visiting from,Head nurse
Larkspur Ward,18,£1.9 million,10:00,Ada Finch
Hollin Ward,24,£2.4 million,14:00,Bo Marsh
ICU,10,£5.1 million,12:00,Cy Dale
""",
    "press": """Name,Founded,Employees,Seat
Lantern & Quill Press,1998,74,Bath
Other Press,1990,120,Hull
""",
    "trustees": """subject,predicate,object,complete
Brackwell Infirmary,trustee,Ann Lee,yes
Brackwell Infirmary,trustee,Bo Ek,yes
Brackwell Infirmary,trustee,Cy Day,yes
""",
}


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verifier]:
    """A verifier over each of the tables."""
    home = tmp_path_factory.mktemp("tables")
    for name, table in _TABLES.items():
        imported(home / f"{name}.db", table)
    return {name: Verifier.open(Path(home / f"{name}.db")) for name in _TABLES}


def _label(verifier: Verifier, text: str) -> Label:
    (verdict,) = verifier.check(text).verdicts
    return verdict.label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Maple House costs thirty-one pounds.", "attributable"),
        ("Maple House costs 31 pounds.", "attributable"),
        ("Maple House is priced at thirty-one pounds.", "attributable"),
        ("Oak House costs ten pounds.", "contradictory"),
        ("The price of Fir House is just under ten pounds.", "attributable"),
        ("The price of Maple House is just under ten pounds.", "contradictory"),
        ("Maple House weighs 6.6 pounds.", "attributable"),
        ("Maple House weighs thirty-one pounds.", "contradictory"),
    ],
)
def test_pounds_are_money_or_a_mass(verifiers: dict[str, Verifier], text: str, label: str) -> None:
    """What costs so many pounds is compared with its price, what weighs so many with its weight."""
    assert _label(verifiers["houses"], text) == label


@pytest.mark.parametrize(
    ("table", "text", "label"),
    [
        ("books", "Saltmarsh Blue is a bestseller of 418 pages.", "extrapolatory"),
        ("books", "Saltmarsh Blue is a book of 418 pages.", "attributable"),
        ("doctors", "Dr Imogen Vasey is a famous surgeon who works ten-hour shifts.", "extrapolatory"),
        ("doctors", "Dr Imogen Vasey works ten-hour shifts.", "attributable"),
        ("wards", "Larkspur Ward is a ward with 18 beds.", "attributable"),
        ("wards", "Larkspur Ward is a brewery with 18 beds.", "extrapolatory"),
    ],
)
def test_what_a_thing_is_must_be_told(
    verifiers: dict[str, Verifier], table: str, text: str, label: str
) -> None:
    """By its name, by the file that tells of it, or by a statement."""
    assert _label(verifiers[table], text) == label


@pytest.mark.parametrize(
    ("table", "text", "label", "revised"),
    [
        ("books", "Crumb and Crust has 112 pages fewer than The Tallow Road.", "attributable", ""),
        ("books", "Saltmarsh Blue has 66 more pages than The Tallow Road.", "attributable", ""),
        ("books", "Saltmarsh Blue is 66 pages longer than The Tallow Road.", "attributable", ""),
        ("wards", "Hollin Ward has six more beds than Larkspur Ward.", "attributable", ""),
        ("books", "The Tallow Road has 4,000 more words than Saltmarsh Blue.", "extrapolatory", ""),
        ("books", "The Tallow Road has two more pages.", "extrapolatory", ""),
        (
            "books",
            "Crumb and Crust has 100 pages fewer than The Tallow Road.",
            "contradictory",
            "Crumb and Crust has 112 pages fewer than The Tallow Road.",
        ),
        (
            "books",
            "The Tallow Road has 66 more pages than Saltmarsh Blue.",
            "contradictory",
            "The Tallow Road has 66 fewer pages than Saltmarsh Blue.",
        ),
        (
            "books",
            "The Tallow Road has more pages than Saltmarsh Blue.",
            "contradictory",
            "The Tallow Road has fewer pages than Saltmarsh Blue.",
        ),
        (
            "wards",
            "The budget of Larkspur Ward is higher than that of Hollin Ward.",
            "contradictory",
            "The budget of Larkspur Ward is lower than that of Hollin Ward.",
        ),
    ],
)
def test_what_two_things_differ_by_is_reckoned(
    verifiers: dict[str, Verifier], table: str, text: str, label: str, revised: str
) -> None:
    """The number is that of the difference; a correction puts the number or the comparative right and keeps the comparison."""
    (verdict,) = verifiers[table].check(text).verdicts
    assert verdict.label == label
    assert [one.text for one in verdict.revisions] == ([revised] if revised else [])


@pytest.mark.parametrize(
    ("table", "text", "label"),
    [
        ("books", "The paperback of Saltmarsh Blue costs £8.99.", "extrapolatory"),
        ("books", "The audiobook of Saltmarsh Blue has 418 pages.", "extrapolatory"),
        ("books", "Saltmarsh Blue costs £8.99.", "contradictory"),
        ("books", "The price of Saltmarsh Blue is £8.99.", "contradictory"),
        ("wards", "The kitchen of Larkspur Ward has 24 beds.", "extrapolatory"),
        ("books", "The Tallow Road was reviewed on 9 April 2017.", "extrapolatory"),
        ("books", "The Tallow Road was published on 9 April 2017.", "contradictory"),
        ("books", "The Ferrymaster's Debt was first published in Norway in 2008.", "extrapolatory"),
        ("books", "The Ferrymaster's Debt was first published in 2008.", "contradictory"),
    ],
)
def test_the_value_of_something_else_decides_nothing(
    verifiers: dict[str, Verifier], table: str, text: str, label: str
) -> None:
    """A part or an edition of a thing, another event, and what came out elsewhere have values of their own."""
    assert _label(verifiers[table], text) == label


def test_a_corrected_sentence_keeps_its_full_stop(verifiers: dict[str, Verifier]) -> None:
    """That of an abbreviation is also the sentence's."""
    (verdict,) = verifiers["wards"].check("Visitors may come to Larkspur Ward from 8 a.m.").verdicts
    assert [one.text for one in verdict.revisions] == ["Visitors may come to Larkspur Ward from 10:00."]


@pytest.mark.parametrize(
    ("table", "text", "label"),
    [
        ("trustees", "Brackwell Infirmary has three trustees.", "attributable"),
        ("trustees", "There are five trustees at Brackwell Infirmary.", "contradictory"),
        (
            "trustees",
            "The three trustees of Brackwell Infirmary are Ann Lee, Bo Ek and Cy Day.",
            "attributable",
        ),
        ("press", "Lantern & Quill Press employs more than a hundred people.", "contradictory"),
        ("press", "Lantern & Quill Press employs more than one hundred people.", "contradictory"),
        ("press", "Lantern & Quill Press employs fewer than eighty people.", "attributable"),
        ("wards", "The budget of the ICU is just over six million pounds.", "contradictory"),
        ("wards", "The budget of the ICU is just under £5 million.", "extrapolatory"),
    ],
)
def test_counts_and_bounds(verifiers: dict[str, Verifier], table: str, text: str, label: str) -> None:
    """A complete list is counted by the graph's own word for it; "a hundred" and "one hundred" are numbers like any other."""
    assert _label(verifiers[table], text) == label
