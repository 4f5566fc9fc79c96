"""A sequence that is found when somebody first looks at it."""

import pickle

from guardrail.deferred import Deferred


def test_nothing_is_found_before_somebody_looks_and_then_once() -> None:
    asked: list[str] = []

    def find() -> tuple[str, ...]:
        asked.append("found")
        return ("a", "b", "c")

    late = Deferred(find)
    assert asked == []
    assert (late[0], late[1:], len(late), list(late)) == ("a", ("b", "c"), 3, ["a", "b", "c"])
    assert asked == ["found"]


def test_it_is_what_was_found_wherever_it_goes() -> None:
    """Compared with a tuple, shown, hashed, and in another process."""
    late = Deferred(lambda: (1, 2))
    assert late == (1, 2)
    assert late == (1, 2)
    assert late != (2, 1)
    assert hash(late) == hash((1, 2))
    assert repr(late) == "Deferred((1, 2))"
    assert pickle.loads(pickle.dumps(late)) == (1, 2)
    assert not Deferred(tuple)
