"""A user's own graph, imported by the command of the manual, against what a text says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from guardrail.cli.kg import kg
from guardrail.verifier import Verifier

_FACTS = """subject,predicate,object,start,end,complete
Acme Corp,chief executive,Ann Lee,2019-04-01,,
Acme Corp,chief executive,Bo Ek,2011-01-01,2019-03-31,
Acme Corp,board member,Ann Lee,,,
Acme Corp,board member,Bo Ek,,,
Acme Corp,board member,Cy Day,,,
Acme Corp,board member,Di Fox,,,yes
Brill Ltd,board member,Eva Holm,,,
Acme Corp,loading bay,North Bay,,,
Acme Corp,loading bay,South Bay,,,yes
Unobtanium,element symbol,Ub,,,yes
Unobtanium,atomic number,130,,,
"""


def imported(target: Path, table: str, *, source: str = "") -> None:
    """The table in the knowledge file `target`."""
    path = target.with_suffix(".csv")
    path.write_text(table, encoding="utf-8")
    command = ["import", str(path), "--into", str(target), "--quiet", "--allow-bad", "--again"]
    done = CliRunner().invoke(kg, [*command, "--source", source] if source else command)
    assert done.exit_code == 0, done.output


def opened(tmp_path_factory: pytest.TempPathFactory, table: str) -> Verifier:
    """A verifier over a graph of this table."""
    path = tmp_path_factory.mktemp("graph") / "facts.db"
    imported(path, table)
    return Verifier.open(path)


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    return opened(tmp_path_factory, _FACTS)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Acme Corp has four board members.", "attributable"),
        ("Acme Corp has three board members.", "contradictory"),
        ("Acme Corp has five board members.", "contradictory"),
        ("Acme Corp has three or four board members.", "attributable"),
        ("Acme Corp has two or three board members.", "contradictory"),
        ("Acme Corp has at least three board members.", "attributable"),
        ("Acme Corp has only three board members.", "contradictory"),
        ("There are three board members at Acme Corp.", "contradictory"),
        ("The number of board members of Acme Corp is 4.", "attributable"),
        ("Acme Corp's four board members are Ann Lee, Bo Ek, Cy Day and Di Fox.", "attributable"),
        ("Acme Corp's five board members are Ann Lee, Bo Ek, Cy Day and Di Fox.", "contradictory"),
        ("Acme Corp has two loading bays.", "attributable"),
        ("Acme Corp has three loading bays.", "contradictory"),
        ("Acme Corp has three large loading bays.", "extrapolatory"),
        ("Acme Corp has three board members in London.", "extrapolatory"),
        ("Brill Ltd has three board members.", "extrapolatory"),
    ],
)
def test_a_complete_list_is_counted(acme: Verifier, text: str, label: str) -> None:
    """As many as a complete list has are supported, any other number is wrong; of an open list nothing is said."""
    assert [verdict.label for verdict in acme.check(text).verdicts] == [label]


_REGISTER = "subject,predicate,object\nAcme Corp,year of foundation,1999\n"
_WIKI = "subject,predicate,object\nAcme Corp,year of foundation,2001\n"


@pytest.fixture(scope="module")
def torn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Two graphs that disagree, and one that disagrees with itself."""
    home = tmp_path_factory.mktemp("torn")
    register, wiki, both = (home / f"{name}.db" for name in ("register", "wiki", "both"))
    imported(register, _REGISTER, source="register")
    imported(wiki, _WIKI, source="wiki")
    imported(both, _REGISTER, source="register")
    imported(both, _WIKI, source="wiki")
    for path in (register, wiki, both):
        command = ["property", "year of foundation", "--cardinality", "single", "-k", str(path)]
        assert CliRunner().invoke(kg, command).exit_code == 0
    return {"register first": [register, wiki], "wiki first": [wiki, register], "in one": [both]}


@pytest.mark.parametrize(
    ("graphs", "label"),
    [("register first", "attributable"), ("wiki first", "contradictory"), ("in one", "extrapolatory")],
)
def test_graphs_that_disagree_are_both_shown(torn: dict[str, list[Path]], graphs: str, label: str) -> None:
    """The first graph decides, in one graph neither value does; the verdict has both sides and names their sources."""
    (verdict,) = Verifier.open(torn[graphs]).check("The year of foundation of Acme Corp is 1999.").verdicts
    assert verdict.label == label
    assert verdict.conflict
    assert {
        (one.label, t.source, t.object.label) for one in verdict.by_source for t in one.evidence.triplets
    } == {
        ("attributable", "register", "1999"),
        ("contradictory", "wiki", "2001"),
    }
    assert "register" in verdict.rationale
    assert "wiki" in verdict.rationale


def test_what_neither_of_two_graphs_says_is_wrong(torn: dict[str, list[Path]]) -> None:
    """A third value is refuted by both."""
    (verdict,) = (
        Verifier.open(torn["register first"]).check("Acme Corp's year of foundation is 1980.").verdicts
    )
    assert verdict.label == "contradictory"
    assert {t.object.label for t in verdict.evidence.triplets} == {"1999", "2001"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ann Lee succeeded Bo Ek as chief executive of Acme Corp.", "attributable"),
        ("Bo Ek succeeded Ann Lee as chief executive of Acme Corp.", "contradictory"),
        ("Ann Lee succeeded Bo Ek in 2019.", "attributable"),
        ("Ann Lee succeeded Bo Ek in 2021.", "contradictory"),
        ("Bo Ek was followed by Ann Lee.", "attributable"),
        ("Ann Lee's predecessor was Bo Ek.", "attributable"),
        ("Bo Ek was the chief executive of Acme Corp from 2011 to 2019.", "attributable"),
        ("Bo Ek served as chief executive of Acme Corp from 2011 to 2017.", "contradictory"),
    ],
)
def test_who_came_after_whom_is_reckoned_from_their_terms(acme: Verifier, text: str, label: str) -> None:
    """The next holder begins when the other ends; what a phrase of time adds is part of the claim."""
    assert [verdict.label for verdict in acme.check(text).verdicts] == [label]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Unobtanium (Ub) has the atomic number 130.", "attributable"),
        ("I believe Unobtanium has the atomic number 131.", "contradictory"),
    ],
)
def test_what_stands_around_a_statement_is_read(acme: Verifier, text: str, label: str) -> None:
    """A symbol in brackets is claimed, too, and what somebody believes he claims."""
    assert [verdict.label for verdict in acme.check(text).verdicts] == [label]


_RELATED = """subject,predicate,object
Ada Voss,reports to,Ben Ochs
Ada Voss,first name,Ada
Cleo Rind,supervised by,Ada Voss
North Wing,part of,Harrow House
Lime Trust,owner,Ben Ochs
Ada Voss,shares a desk with,Cleo Rind
"""


@pytest.fixture(scope="module")
def harrow(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    return opened(tmp_path_factory, _RELATED)


@pytest.mark.parametrize(
    ("true", "exchanged"),
    [
        ("Ada Voss reports to Ben Ochs.", "Ben Ochs reports to Ada Voss."),
        ("Cleo Rind is supervised by Ada Voss.", "Ada Voss is supervised by Cleo Rind."),
        ("The North Wing is a part of Harrow House.", "Harrow House is a part of the North Wing."),
        ("The owner of the Lime Trust is Ben Ochs.", "The owner of Ben Ochs is the Lime Trust."),
        ("The Lime Trust belongs to Ben Ochs.", "Ben Ochs belongs to the Lime Trust."),
    ],
)
def test_a_relation_holds_one_way(harrow: Verifier, true: str, exchanged: str) -> None:
    """What supports a sentence never supports the one with the two names exchanged."""
    assert [one.label.value for one in harrow.check(true).verdicts] == ["attributable"]
    assert "attributable" not in [one.label.value for one in harrow.check(exchanged).verdicts]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Ben Ochs reports to Ada Voss.", ["contradictory"]),
        ("Ada Voss is supervised by Cleo Rind.", ["contradictory"]),
        ("Harrow House is a part of the North Wing.", ["contradictory"]),
        ("Ben Ochs reported to Ada Voss.", ["extrapolatory"]),
        ("Ben Ochs may report to Ada Voss.", ["extrapolatory"]),
        ("Cleo Rind shares a desk with Ada Voss.", ["extrapolatory"]),
    ],
)
def test_the_ends_of_an_ordered_relation_are_not_exchanged(
    harrow: Verifier, text: str, labels: list[str]
) -> None:
    """Who is reported to does not report back; who once did is not known."""
    assert [one.label.value for one in harrow.check(text).verdicts] == labels


def test_exchanged_ends_are_shown_as_such(harrow: Verifier) -> None:
    """What the graph has is not offered as a correction of the one name: it is the same name."""
    (verdict,) = harrow.check("Ben Ochs reports to Ada Voss.").verdicts
    assert "the other way round" in verdict.rationale
    assert verdict.slot is not None
    assert verdict.slot.known == ""


def test_we_need_not_be_looked_for(harrow: Verifier) -> None:
    """What "we" did to a thing is compared by the thing."""
    (verdict,) = harrow.check("We founded Harrow House in 1990.").verdicts
    assert verdict.label.value == "extrapolatory"
    assert "not clear whom" not in verdict.rationale


_HOTELS = """name,No. of rooms,price without breakfast,opening days,max guests,manager
Hotel Ulme,24,£80,daily,60,Ann Lee
Hotel Birke,31,£95,Tue-Sun,80,Bo Ek
Hotel Linde,12,£70,Mon-Fri,20,Cy Day
"""


@pytest.fixture(scope="module")
def hotels(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    return opened(tmp_path_factory, _HOTELS)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Hotel Ulme has 24 rooms.", "attributable"),
        ("Hotel Birke has 30 rooms.", "contradictory"),
        ("Hotel Ulme costs £80 with breakfast.", "extrapolatory"),
        ("Hotel Birke costs £95 with a breakfast.", "extrapolatory"),
        ("Hotel Birke is open on Good Friday.", "extrapolatory"),
        ("Hotel Birke is closed on Mondays.", "attributable"),
        ("No-one manages Hotel Ulme.", "extrapolatory"),
        ("Everybody manages Hotel Ulme.", "extrapolatory"),
        ("Hotel Linde has room for at least 20 guests.", "extrapolatory"),
    ],
)
def test_headers_as_offices_write_them(hotels: Verifier, text: str, label: str) -> None:
    """ "No." is a number and no denial, "without breakfast" says of which price it is, and a feast is no day of the week."""
    assert {verdict.label.value for verdict in hotels.check(text).verdicts} == {label}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Lumo One was launched on 3 April 2021.", "extrapolatory"),
        ("Lumo One was launched in 1999.", "extrapolatory"),
        ("Lumo Two was launched on 3 April 2001.", "extrapolatory"),
        ("Lumo Three was launched in 1999.", "extrapolatory"),
    ],
)
def test_a_text_that_is_no_one_day_refutes_no_date(
    tmp_path_factory: pytest.TempPathFactory, text: str, label: str
) -> None:
    """A day that may be two, and days that the calendar does not have."""
    rows = "Lumo One,launched,03/04/2021\nLumo Two,launched,31/02/2001\nLumo Three,launched,2001-02-31\n"
    [verdict] = opened(tmp_path_factory, "subject,predicate,object\n" + rows).check(text).verdicts
    assert verdict.label == label


_TERMS = """subject,predicate,object,start,end
Acme Corp,chief executive,Bo Ek,2011-01-01,2019-03-31
Lumo AG,chief executive,Eva Holm,2011-01-01,2019-03-31
Lumo AG,chief executive,Kai Dorn,2021-06-01,
"""


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    return opened(tmp_path_factory, _TERMS)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ann Lee is the chief executive of Acme Corp.", "extrapolatory"),
        ("Ann Lee has been the chief executive of Acme Corp since 2020.", "extrapolatory"),
        ("Acme Corp's chief executive is Ann Lee.", "extrapolatory"),
        ("Kai Dorn is not the chief executive of Acme Corp.", "extrapolatory"),
        ("Bo Ek is the chief executive of Acme Corp.", "contradictory"),
        ("Bo Ek is still the chief executive of Acme Corp.", "contradictory"),
        ("Bo Ek was the chief executive of Acme Corp.", "attributable"),
        ("Ann Lee is the chief executive of Lumo AG.", "contradictory"),
    ],
)
def test_a_term_that_is_over_refutes_no_successor(terms: Verifier, text: str, label: str) -> None:
    """Who holds the office now is not known where every known term has ended; that its holder still does is wrong."""
    assert [verdict.label for verdict in terms.check(text).verdicts] == [label]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Eva Holm became chief executive of Lumo AG in 2011.", "attributable"),
        ("Eva Holm became chief executive of Lumo AG in 2015.", "contradictory"),
        ("In 2015, Eva Holm became chief executive of Lumo AG.", "contradictory"),
        ("Kai Dorn became chief executive of Lumo AG in 2023.", "contradictory"),
        ("Kai Dorn was appointed chief executive of Lumo AG in June 2021.", "attributable"),
        ("Kai Dorn was appointed chief executive of Lumo AG in May 2023.", "contradictory"),
        ("Kai Dorn was appointed chief executive of Lumo AG in December 2020.", "extrapolatory"),
        ("Eva Holm was elected chief executive of Lumo AG in 2015.", "extrapolatory"),
        ("Eva Holm was elected chief executive of Lumo AG in 1995.", "contradictory"),
        ("Eva Holm was chief executive of Lumo AG in 2015.", "attributable"),
    ],
)
def test_the_year_of_a_beginning_is_that_of_the_start(terms: Verifier, text: str, label: str) -> None:
    """Who "became" it in a year did not hold it before; who was chosen may begin later, and be elected again."""
    assert [verdict.label for verdict in terms.check(text).verdicts] == [label]


_UNDATED = """subject,predicate,object
Korvath Observatory,director,Ilse Brandvold
Korvath Observatory,operator,University of Sarnholm
Halden Reflector,manufacturer,Petrossian Optics
Halden Reflector,location,Korvath Observatory
"""


@pytest.fixture(scope="module")
def undated(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    home = tmp_path_factory.mktemp("undated") / "facts.db"
    imported(home, _UNDATED)
    for name in ("director", "operator", "manufacturer"):
        command = ["property", name, "--cardinality", "single", "-k", str(home)]
        assert CliRunner().invoke(kg, command).exit_code == 0
    return Verifier.open(home)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Tomas Reyd is the director of the Korvath Observatory.", "contradictory"),
        ("Tomas Reyd has been the director of the Korvath Observatory since 2015.", "contradictory"),
        ("Tomas Reyd is a former director of the Korvath Observatory.", "extrapolatory"),
        ("Tomas Reyd was the director of the Korvath Observatory.", "extrapolatory"),
        ("In 2012, Tomas Reyd was director of the Korvath Observatory.", "extrapolatory"),
        ("Tomas Reyd was the director of the Korvath Observatory before Ilse Brandvold.", "extrapolatory"),
        ("The previous director of the Korvath Observatory was Tomas Reyd.", "extrapolatory"),
        ("The Korvath Observatory was formerly run by the Norrvik Institute.", "extrapolatory"),
        ("The Halden Reflector was manufactured by Norrvik Optics.", "contradictory"),
    ],
)
def test_what_is_so_today_does_not_refute_the_past(undated: Verifier, text: str, label: str) -> None:
    """A statement without dates may be that of today; who made a thing does not change."""
    assert [verdict.label for verdict in undated.check(text).verdicts] == [label]


_COUNTED = """subject,predicate,object
University of Sarnholm,number of students,14200
Lunde Array,number of antennas,24
Lunde Array,opening year,1991
Korvath Observatory,staff,38
Korvath Observatory,opening year,1964
"""


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    return opened(tmp_path_factory, _COUNTED)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Fifty students at the University of Sarnholm study astronomy.", "extrapolatory"),
        ("Ten students of the University of Sarnholm won a prize.", "extrapolatory"),
        ("Fifty students study astronomy at the University of Sarnholm.", "extrapolatory"),
        ("Twelve antennas of the Lunde Array are on the northern arm.", "extrapolatory"),
        ("Three staff of the Korvath Observatory retired.", "extrapolatory"),
        ("There are fifty students at the University of Sarnholm who study astronomy.", "extrapolatory"),
        ("There are fifty students at the University of Sarnholm.", "contradictory"),
        ("The University of Sarnholm has fifty students.", "contradictory"),
        ("Fifty students study at the University of Sarnholm.", "contradictory"),
        ("The Lunde Array's twelve antennas are on the northern arm.", "contradictory"),
        ("The University of Sarnholm has 14,200 students.", "attributable"),
    ],
)
def test_some_of_those_who_are_counted_are_not_all(counted: Verifier, text: str, label: str) -> None:
    """A number of whom more is said counts these alone; "the", "there are" and "has" count all."""
    assert [verdict.label for verdict in counted.check(text).verdicts] == [label]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The Korvath Observatory did not open until 1964.", "attributable"),
        ("The Lunde Array was not opened until 1991.", "attributable"),
        ("The Korvath Observatory did not open until 1970.", "contradictory"),
        ("The Lunde Array was not opened until 1995.", "contradictory"),
        ("The Korvath Observatory did not open in 1964.", "contradictory"),
    ],
)
def test_what_is_denied_until_a_time_happened_then(counted: Verifier, text: str, label: str) -> None:
    """ "Not until" says when; no correction takes the "not" away."""
    (verdict,) = counted.check(text).verdicts
    assert verdict.label == label
    assert all("not" in one.text for one in verdict.revisions if "until" in one.text)


def test_references_come_before_a_property_of_ones_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What only the graph at hand knows as a property is a source of its own, too: both sides are shown, and the references decide."""
    lamps = opened(tmp_path_factory, "name,Price,Maker\nAria lamp,50 euros,Holm\nBrio lamp,70 euros,Holm\n")
    text = "The Aria lamp costs 60 euros."
    (verdict,) = lamps.check(text, references=[text]).verdicts
    assert verdict.label.value == "attributable"
    assert [(side.source.value, side.label.value) for side in verdict.by_source] == [
        ("request", "attributable"),
        ("kg", "contradictory"),
    ]
