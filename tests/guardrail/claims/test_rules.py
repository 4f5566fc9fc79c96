from __future__ import annotations

import cProfile
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.claims.rules import RuleExtractor
from guardrail.segment import segment
from guardrail.types import Candidate, Claim, Context, Entity, Kind, Mention, Reason, Sentence, Span

Claims = Callable[..., list[Claim]]
Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (  # ClaimVer, Table 2
            "George O'Malley is a fictional character from the medical drama television series Grey's Anatomy, "
            "which airs on the American Broadcasting Company (ABC) in the United States.",
            [
                "George O'Malley is a fictional character from the medical drama television series Grey's Anatomy",
                "which airs on the American Broadcasting Company (ABC) in the United States.",
            ],
        ),
        (
            "Bane was portrayed as a tertiary villain by Robert Swenson in Batman & Robin, directed by Joel Schumacher, "
            "and Batman's Back",
            [
                "Bane was portrayed as a tertiary villain by Robert Swenson in Batman & Robin",
                "directed by Joel Schumacher, and Batman's Back",
            ],
        ),
        (
            "Crater Lake is the main feature of Crater Lake National Park and famous for its deep blue color and water clarity.",
            [
                "Crater Lake is the main feature of Crater Lake National Park",
                "famous for its deep blue color and water clarity.",
            ],
        ),
        (
            "Based in Blagnac, France, a suburb of Toulouse, and with significant activity across Europe, airbus produces "
            "approximately half of the world's jet airliners .",
            [
                "Based in Blagnac, France, a suburb of Toulouse, and with significant activity across Europe, airbus produces "
                "approximately half of the world's jet airliners .",
            ],
        ),
        (
            "Pope Benedict XVI never appointed anyone significant within the Catholic Church, nor did he ever teach the "
            "importance of understanding God's redemptive love.",
            [
                "Pope Benedict XVI never appointed anyone significant within the Catholic Church",
                "nor did he ever teach the importance of understanding God's redemptive love.",
            ],
        ),
        (
            "Southwest Airlines has never operated any Boeing 737 models.",
            ["Southwest Airlines has never operated any Boeing 737 models."],
        ),
        (  # FLEEK, Figures 1 and 3
            "Taylor Swift is 30 years old (born December 13, 1989).",
            ["Taylor Swift is 30 years old", "born December 13, 1989"],
        ),
        (
            "United States is in North America and has 51 states",
            ["United States is in North America", "has 51 states"],
        ),
    ],
)
def test_texts_of_the_papers_decompose_as_printed(claims_of: Claims, text: str, spans: list[str]) -> None:
    """The texts of ClaimVer's Table 2 and FLEEK's examples fall into the claims that the papers show, as far as each of them
    has a predicate; what joins them belongs to none.
    """
    claims = claims_of(text)
    assert [claim.text for claim in claims] == spans
    assert all(claim.text == claim.span.of(text) for claim in claims)


def test_facts_of_the_papers(facts_of: Triples) -> None:
    """The facts that the papers verify are found, with the relation that the graph holds them under."""
    assert ("Grey's Anatomy", "P449", "American Broadcasting Company") in facts_of(
        "George O'Malley is a character from the series Grey's Anatomy, which airs on the American Broadcasting Company."
    )
    assert ("Batman & Robin", "P57", "Joel Schumacher") in facts_of(
        "Bane was portrayed by Robert Swenson in Batman & Robin, directed by Joel Schumacher."
    )
    assert ("Taylor Swift", "P569", "December 13, 1989") in facts_of(
        "Taylor Swift is 30 years old (born December 13, 1989)."
    )
    assert ("United States", "P150", "51") in facts_of("United States is in North America and has 51 states")


def test_negated_universal(claims_of: Claims) -> None:
    """ "Never operated any" is negated and universal, and the number in the aircraft's name is no value."""
    (claim,) = claims_of("Southwest Airlines has never operated any Boeing 737 models.")
    (fact,) = claim.facts
    assert fact.negated
    assert fact.universal
    assert fact.object.value is None
    assert fact.object.mention is not None
    assert fact.object.mention.text == "Boeing 737"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who wrote it?", Kind.QUESTION),
        ("Hello there!", Kind.GREETING),
        ("I think that Paris is nice.", Kind.OPINION),
        ("Please check your sources.", Kind.INSTRUCTION),
        ("```\nx = 1\n```", Kind.CODE),
        ("# Early life", Kind.HEADING),
        ("Its main sights are:", Kind.HEADING),
        ("Marie Curie may have been born in Warsaw.", Kind.HEDGED),
        ("If Marie Curie was born in Paris, she was French.", Kind.HEDGED),
        ("Marie Curie was born in Warsaw.", Kind.FACT),
        ("In May 1903 Marie Curie lived in Paris.", Kind.FACT),
    ],
)
def test_selection(claims_of: Claims, text: str, kind: Kind) -> None:
    """What cannot be looked up has a kind that says so; a month is no hedge."""
    assert [claim.kind for claim in claims_of(text)] == [kind]


def test_conditional_is_kept_whole(claims_of: Claims) -> None:
    """The condition and what depends on it are one claim."""
    text = "If France joins, Germany will win the cup."
    assert [claim.text for claim in claims_of(text)] == [text]


def test_said_that(claims_of: Claims) -> None:
    """What somebody said is one claim with the saying, and holds the fact that was said."""
    text = "Niels Bohr said that Albert Einstein was born in Ulm."
    (claim,) = claims_of(text)
    assert claim.text == text
    assert "Albert Einstein" in [fact.subject.text for fact in claim.facts]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Albert Einstein was born in 1879 in Ulm.", ("Albert Einstein", "P19", "Ulm")),
        ("Albert Einstein was born in 1879 in Ulm.", ("Albert Einstein", "P569", "1879")),
        ("Titanic was directed by James Cameron.", ("Titanic", "P57", "James Cameron")),
        ("James Cameron directed Titanic.", ("James Cameron", "^P57", "Titanic")),
        ("The capital of France is Paris.", ("France", "P36", "Paris")),
        ("France's capital is Paris.", ("France", "P36", "Paris")),
        ("Paris, the capital of France, lies in North America.", ("Paris", "^P36", "France")),
        ("Spain borders France and Portugal.", ("Spain", "P47", "Portugal")),
        ("France shares a border with Spain.", ("France", "P47", "Spain")),
        (
            "Marie Curie won the Nobel Prize in Physics in 1903.",
            ("Marie Curie", "P166", "Nobel Prize in Physics"),
        ),
        ("Marie Curie was married to Pierre Curie.", ("Marie Curie", "P26", "Pierre Curie")),
        ("Marie Curie was a French physicist.", ("Marie Curie", "P27", "French")),
        ("Marie Curie was a French physicist.", ("Marie Curie", "P106", "physicist")),
        ("Apple was founded by Steve Jobs and Steve Wozniak in 1976.", ("Apple", "P112", "Steve Wozniak")),
        ("Apple was founded by Steve Jobs and Steve Wozniak in 1976.", ("Apple", "P571", "1976")),
        ("Apple CEO Tim Cook lives in Paris.", ("Apple", "P169", "Tim Cook")),
        ("Titanic stars Kate Winslet as Rose.", ("Titanic", "P161", "Kate Winslet")),
        ("Titanic is 195 minutes long.", ("Titanic", "P2047", "195 minutes")),
        ("Marie Curie (1867–1934) lived in Paris.", ("Marie Curie", "P569", "1867")),
        ("Marie Curie (1867–1934) lived in Paris.", ("Marie Curie", "P570", "1934")),
        ("The United States has a population of 330 million.", ("United States", "P1082", "330 million")),
        ("Titanic is a 1997 film.", ("Titanic", "P577", "1997")),
    ],
)
def test_relations(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """Verbs, nouns, possessives, titles, brackets and measures give the property that says the same."""
    assert triple in facts_of(text)


def test_collective_predicate_is_not_split(claims_of: Claims) -> None:
    """ "A and B are partners" is one fact about both."""
    (claim,) = claims_of("Marie Curie and Pierre Curie are partners.")
    assert [(fact.subject.text, fact.object.text) for fact in claim.facts] == [
        ("Marie Curie", "Pierre Curie")
    ]


def test_distributive_subject_is_split(facts_of: Triples) -> None:
    """What is said of two is said of each."""
    found = facts_of("Albert Einstein and Niels Bohr won the Nobel Prize in Physics.")
    assert ("Albert Einstein", "P166", "Nobel Prize in Physics") in found
    assert ("Niels Bohr", "P166", "Nobel Prize in Physics") in found


def test_negation_over_coordination(claims_of: Claims) -> None:
    """ "Did not win or receive" denies both."""
    facts = [
        f
        for claim in claims_of("Ada Lovelace did not win or receive the Nobel Prize in Physics.")
        for f in claim.facts
    ]
    assert facts
    assert all(fact.negated for fact in facts)


def test_only_is_universal(claims_of: Claims) -> None:
    """ "The only" is kept as a universal."""
    (claim,) = claims_of("Spain is the only country that borders Portugal.")
    assert claim.facts[0].universal


def test_markdown_inside_a_number(claims_of: Claims) -> None:
    """Bold marks in the middle of a number do not break it, and the span stays exact."""
    text = "France has a population of **68** million people."
    (claim,) = claims_of(text)
    fact = next(fact for fact in claim.facts if fact.relations == ("P1082",))
    assert fact.object.value is not None
    assert fact.object.value.value == "68000000"
    assert fact.object.span is not None
    assert fact.object.span.of(text) == "68** million"


def test_citations_and_emoji_are_no_words(facts_of: Triples) -> None:
    """Citation marks, emoji and links in a sentence do not disturb its facts."""
    assert ("Albert Einstein", "P19", "Ulm") in facts_of("🎉 Albert Einstein [1] was born in Ulm.[2]")
    assert ("Titanic", "P57", "James Cameron") in facts_of(
        "Titanic was directed by James Cameron (https://x.org/a.b?c=d)."
    )


def test_other_scripts_do_no_harm(claims_of: Claims) -> None:
    """A sentence in another script is one claim with an exact span."""
    text = "アインシュタインはウルムで生まれた。"
    assert [claim.text for claim in claims_of(text)] == [text]


def test_missing_antecedent_is_never_guessed(claims_of: Claims) -> None:
    """A pronoun without a safe antecedent makes the claim ambiguous."""
    assert claims_of("He was born in Ulm.")[0].reason is Reason.AMBIGUOUS_REFERENCE
    two = claims_of("Niels Bohr met Albert Einstein in Berlin. He was born in Ulm.")
    assert two[-1].reason is Reason.AMBIGUOUS_REFERENCE
    assert two[-1].facts[0].subject.mention is None


def test_ids_count_on(claims_of: Claims) -> None:
    """Claims are numbered through the text."""
    claims = claims_of("Paris is in France. Berlin is in Germany and has 4 rivers.")
    assert [claim.id for claim in claims] == list(range(len(claims)))
    assert len(claims) == 3


PIECES = st.sampled_from(
    "Marie Curie|Paris|who|which|,|and|(|)|[1]|**|born|in|1867|was|is|the|capital|of|film|directed by|not|never|his|it|"
    "that|said|;|:|—|“|”|.|\n|- || |It|has|5|km|'s|🎉|東京。|if|to win|an|only|e.g.".split("|")
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_claims_are_disjoint_exact_and_ordered(text: str) -> None:
    """Whatever the text, claims lie in order within it, do not overlap, and so do the places of their arguments."""
    extractor, claims, at = RuleExtractor(), [], 0
    for sentence in segment(text):
        context = Context(earlier=tuple(claims))
        for claim in extractor.extract(sentence, (), context, first_id=len(claims)):
            assert claim.text == claim.span.of(text)
            assert claim.span.start >= at
            assert sentence.span.contains(claim.span)
            at = claim.span.end
            claims.append(claim)
            for fact in claim.facts:
                for argument in (fact.subject, fact.object):
                    assert argument.span is None or argument.span.end <= len(text)
                    if argument.span is not None and argument.value is None:
                        assert argument.text == argument.span.of(text)


def test_time_is_linear_and_short() -> None:
    """Claims of a sentence are found in a few milliseconds, and four times the text takes about four times as long."""
    extractor = RuleExtractor()
    text = "Marie Curie, who was born in Warsaw in 1867, was a Polish physicist and won the Nobel Prize in 1903 with her husband. "

    def seconds(times: int) -> float:
        start = time.process_time()
        for sentence in segment(text * times):
            extractor.extract(sentence, (), Context())
        return time.process_time() - start

    seconds(5)
    assert seconds(80) < 10 * max(seconds(20), 0.01)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Cats can see at night.", Kind.FACT),
        ("You can visit Paris by train.", Kind.FACT),
        ("We love Paris in spring.", Kind.OPINION),
        ("However, it is important to remember that Paris is big.", Kind.OPINION),
        ("Additionally, Paris has many parks.", Kind.FACT),
    ],
)
def test_ability_advice_and_links(claims_of: Claims, text: str, kind: Kind) -> None:
    """What something or the reader can do is a fact, what the speaker loves is not; linking words change nothing."""
    assert [claim.kind for claim in claims_of(text)] == [kind]


def test_condition_with_a_participle_is_kept_whole(claims_of: Claims) -> None:
    """A participle inside a condition does not cut it off."""
    text = "If France feels threatened by Spain, Germany will help."
    assert [claim.text for claim in claims_of(text)] == [text]


def test_titles_that_look_like_orders() -> None:
    """A sentence that begins with a name of the graph is no instruction and no greeting, whatever the name says."""
    claims = RuleExtractor().extract(
        Sentence(Span(0, 39), "Don't Look Up was directed by Bob Smith."[:39]),
        [
            Mention(
                Span(0, 13),
                "Don't Look Up",
                (Candidate(Entity("Q1", "Don't Look Up", types=("Q11424",)), 0.0),),
            )
        ],
        Context(),
    )
    assert claims[0].kind is Kind.FACT
    assert claims[0].facts[0].relations[0] == "P57"


def test_long_texts_take_time_in_proportion(claims_of: Callable[..., list[Claim]]) -> None:
    """Four times the text takes about four times the work, counted in function calls and not by the clock."""
    sentence = (
        "Marie Curie (1867–1934), who was born in Warsaw, won a prize in Paris in 1903 and lived in Ulm. "
    )

    def calls(times: int) -> int:
        profile = cProfile.Profile()
        profile.runcall(claims_of, sentence * times)
        return sum(entry.callcount for entry in profile.getstats())

    claims_of(sentence)
    assert calls(200) < 6 * calls(50)


def test_one_endless_sentence_takes_time_in_proportion(claims_of: Callable[..., list[Claim]]) -> None:
    """A sentence of thousands of words is no trap either."""

    def calls(times: int) -> int:
        text = "Marie Curie met " + ", ".join(["Pierre Curie of Paris (1990)"] * times) + "."
        profile = cProfile.Profile()
        profile.runcall(claims_of, text)
        return sum(entry.callcount for entry in profile.getstats())

    claims_of("Marie Curie lived in Paris.")
    assert calls(160) < 7 * calls(40)
