"""Which language a sentence is in."""

from __future__ import annotations

import pytest

from guardrail.claims.checkable.language import UNKNOWN, foreign, foreign_parts, known_word
from guardrail.types import Span


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der höchste Berg der Welt ist der Mount Everest.", "German"),
        ("Le plus haut sommet du monde est l'Everest.", "French"),
        ("La montaña más alta del mundo es el Everest.", "Spanish"),
        ("La montagna più alta del mondo è l'Everest.", "Italian"),
        ("A montanha mais alta do mundo é o Everest.", "Portuguese"),
        ("De hoogste berg van de wereld werd door het team voor het eerst beklommen.", "Dutch"),
        ("Najwyższą górą świata jest Mount Everest.", "Polish"),
        ("Cel mai înalt munte din lume este Everestul.", "Romanian"),
        ("Dünyanın en yüksek dağı bir doruk olarak Everest'tir ve çok soğuktur.", "Turkish"),
        ("Nejvyšší horou světa je Mount Everest, který se nachází v Himálaji.", "Czech"),
        ("Самая высокая гора мира — Эверест.", "Cyrillic script"),
        ("Το ψηλότερο βουνό στον κόσμο είναι το Έβερεστ.", "Greek"),
        ("世界上最高的山是珠穆朗玛峰。", "Chinese"),
        ("世界で最も高い山はエベレストです。", "Japanese"),
        ("세계에서 가장 높은 산은 에베레스트산이다.", "Korean"),
        ("أعلى جبل في العالم هو إيفرست.", "Arabic script"),
        ("DER HÖCHSTE BERG DER WELT IST DER MOUNT EVEREST.", "German"),
        ("Ethay ighesthay ountainmay inway ethay orldway isway Everestway.", UNKNOWN),
    ],
)
def test_a_sentence_in_another_language_is_named(text: str, language: str) -> None:
    """By its letters where they are not Latin, by its frequent words where they are, in capitals too."""
    assert foreign(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "The capital of Australia is Canberra.",
        "Marcel Proust wrote *À la recherche du temps perdu* in 1913.",
        "Gabriel García Márquez wrote “Cien años de soledad”.",
        "Ludwig van Beethoven was born in Bonn and died in Wien.",
        "Tokyo (東京) is the capital of Japan.",
        "Leo Tolstoy (Лев Николаевич Толстой) wrote War and Peace.",
        "Antoine de Saint-Exupéry",
        "He worked in São Paulo, Rio de Janeiro and Brasília.",
        "Koalas eat eucalyptus leaves.",
        "WARNING: Do not mix bleach and ammonia.",
        "Paris, 1889",
        "def add(a, b): return a + b",
        "",
    ],
)
def test_english_with_foreign_names_stays_english(text: str) -> None:
    """Names, titles, glosses and quoted words say nothing of the language of the sentence."""
    assert foreign_parts(text) == []


def test_a_foreign_part_of_an_english_sentence_is_found() -> None:
    """A clause in another language is a stretch of its own; the English part is not in it."""
    text = "The capital of France is Paris, a large city on the Seine, und Sydney ist die Hauptstadt von Australien."
    ((span, language),) = foreign_parts(text)
    assert language == "German"
    assert span.of(text).strip(" .") == "und Sydney ist die Hauptstadt von Australien"
    text = "The capital of France (澳大利亚的首都是悉尼) is Paris."
    assert [(span.of(text), language) for span, language in foreign_parts(text)] == [
        ("(澳大利亚的首都是悉尼)", "Chinese")
    ]


def test_the_whole_of_a_foreign_sentence_is_one_stretch() -> None:
    """Marks do not cut it."""
    text = "Die Hauptstadt, die in Australien liegt, ist nicht Sydney."
    assert foreign_parts(text) == [(Span(0, len(text)), "German")]


def test_usual_endings_are_known() -> None:
    """A word counts as English by its root, too."""
    assert known_word("mountains")
    assert not known_word("hauptstadt")
