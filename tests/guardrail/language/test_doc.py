from __future__ import annotations

from guardrail.language import Doc, Token


def chain(*heads: int) -> Doc:
    """Words `w0 w1 …` that hang on the words at `heads`."""
    tokens = [Token(at, f"w{at}", at * 3, f"w{at}", "NN", "dep", head) for at, head in enumerate(heads)]
    return Doc.of(" ".join(token.text for token in tokens), tokens)


def test_stretch_of_a_token_holds_all_that_hangs_on_it() -> None:
    """What hangs on a token, however far down, lies between its first and its last place."""
    doc = chain(1, 1, 3, 1, 3)
    assert (doc.first[1], doc.last[1]) == (0, 4)
    assert (doc.first[3], doc.last[3]) == (2, 4)
    assert [kid.at for kid in doc.kids(3)] == [2, 4]


def test_roots_are_their_own_heads() -> None:
    """A sentence that was read as two has two roots."""
    assert [root.at for root in chain(0, 0, 2).roots()] == [0, 2]


def test_nothing_was_read_of_an_empty_text() -> None:
    """A Doc without tokens has no roots and no length."""
    doc = Doc.of("", ())
    assert len(doc) == 0
    assert list(doc.roots()) == []


def test_long_chains_are_no_trap() -> None:
    """A chain of thousands of heads is followed without recursion."""
    size = 5000
    doc = chain(*[max(0, at - 1) for at in range(size)])
    assert doc.last[0] == size - 1
