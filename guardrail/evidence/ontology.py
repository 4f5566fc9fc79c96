"""What is known of Wikidata's properties before a single statement has been counted.

Curated by hand: which relations have one value per subject (everybody has one place of birth), which change with time,
which climb a hierarchy, and which are each other's inverse. What is measured in a graph (`Property.single_ratio`) only
adds to this, and never overrules `NEVER_SINGLE`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from guardrail.types import Property, Triplet

START, END, POINT = ("P580",), ("P582",), ("P585",)
TYPES = frozenset({"P31", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"})
GENDER = "P21"
MALE, FEMALE = frozenset({"Q6581097", "Q2449503", "Q44148"}), frozenset({"Q6581072", "Q1052281", "Q43445"})

SINGLE_FROM = 0.98
"""Share of subjects with one value from which on a relation counts as single-valued."""
MEASURED_FROM = 100
"""Subjects below which the share says nothing."""

SINGLE = frozenset(
    # place and date of birth and death, parents, sex; number, symbol; inception and its place; height, mass, area
    "P19 P20 P21 P22 P25 P569 P570 P571 P576 P740 P2048 P159 P86 P1086 P246 P215 P2067 P2046 P2044 P509 P1196 P119"
    " P1619 P575 P1249 P3999 P2386 P2043 P1448 P274 P231 P297 P298 P299 P296 P229 P230 P238 P239 P1104 P2047".split()
)
NEVER_SINGLE = frozenset(
    "P6 P17 P26 P27 P30 P31 P35 P36 P39 P50 P54 P57 P58 P61 P69 P101 P102 P106 P108 P112 P127 P131 P136 P138 P140 P150"
    " P155 P156 P161 P162 P166 P169 P170 P172 P175 P178 P279 P361 P463 P488 P527 P551 P577 P607 P800 P1082 P1412"
    " P2131 P2139 P2295 P2226 P1128 P3373 P40".split()
)
TEMPORAL = frozenset(
    "P6 P26 P27 P35 P36 P39 P54 P69 P102 P108 P127 P169 P286 P451 P463 P488 P551 P937 P1082 P1128 P1308 P2131 P2139"
    " P2226 P2295 P118 P115 P159 P37 P38 P122 P1313 P1906 P241 P410 P512 P1037 P1075 P1365 P1366 P131 P17".split()
)
COMPLETE = frozenset(
    "P50 P57 P61 P86 P170 P84 P112 P36 P38 P22 P25 P87 P17 P30 P37 P495 P175 P364 P449 P676 P178 P176".split()
)
"""Lists that name all their members as a rule: another author than those known is wrong, not unknown."""
HIERARCHICAL = frozenset("P131 P17 P30 P276 P361 P279 P706 P150 P171 P749 P355 P527 P3403".split())
PLACES = frozenset({"P17", "P30", "P131", "P276", "P706"})
"""Where something lies, at any level: two different places exclude each other only at the same level."""
PLACED = PLACES | frozenset("P19 P20 P119 P159 P551 P740 P937 P1071".split())
"""Likewise where something happened: born in Ulm, in Württemberg, in Germany."""
CLIMBS = ("P131", "P17", "P30", "P276", "P361", "P279", "P706", "P171")
"""Relations whose object is the larger of the two; the order in which the hierarchy closure follows them."""
NOT_INHERITED = frozenset("P36 P1376 P35 P6 P47 P38 P37 P150 P190 P463 P54 P1365 P1366".split())
"""Relations that do not carry over to what their object is part of: a capital of Bavaria is none of Germany."""
SYMMETRIC = frozenset("P26 P47 P190 P451 P461 P530 P1327 P1889 P3373 P460 P7".split())
INVERSE = {
    "P22": "P40", "P25": "P40", "P36": "P1376", "P1376": "P36", "P150": "P131", "P155": "P156", "P156": "P155",
    "P361": "P527", "P527": "P361", "P355": "P749", "P749": "P355", "P1365": "P1366", "P1366": "P1365", "P61": None,
    "P1830": "P127", "P127": "P1830", "P184": "P185", "P185": "P184", "P1066": "P802", "P802": "P1066", "P175": None,
    "P737": None, "P1344": "P710", "P710": "P1344", "P1441": "P674", "P674": "P1441", "P138": None, "P40": None,
}  # fmt: skip

_WIKIDATA = re.compile(r"P[1-9]\d*\Z")


def is_over(statement: Triplet) -> bool:
    """Whether the statement says until when it was so."""
    return any(q.predicate.id in END for q in statement.qualifiers)


def changes(statement: Triplet) -> bool:
    """Whether one statement is enough to see that its relation changes with time; Wikidata's are curated above."""
    return is_over(statement) and not _WIKIDATA.match(statement.predicate.id)


def with_curation(known: Property) -> Property:
    """`known` with what is curated for its id; other people's properties come back as they are."""
    if not _WIKIDATA.match(known.id):
        return known
    cardinality = known.cardinality
    if cardinality == "unknown":
        cardinality = "single" if known.id in SINGLE else "list" if known.id in NEVER_SINGLE else "unknown"
    return replace(
        known,
        cardinality=cardinality,
        inverse=known.inverse or INVERSE.get(known.id),
        symmetric=known.symmetric or known.id in SYMMETRIC,
        complete=known.complete or known.id in COMPLETE,
        temporal=known.temporal or known.id in TEMPORAL,
        hierarchical=known.hierarchical or known.id in HIERARCHICAL,
    )
