"""Files that wait for somebody's decision."""

from __future__ import annotations

import pytest

from guardrail.errors import BadRequest
from proxy.admin.uploads import LIFETIME_S, MOST, Uploads, named


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_file_waits_until_it_is_used_given_up_or_forgotten() -> None:
    """Then nothing of it is left on the disk."""
    clock = Clock()
    uploads = Uploads(clock=clock)
    used, dropped, old = (uploads.keep("a.csv", b"a") for _ in range(3))
    with uploads.taken(used.id) as one:
        assert one.path.read_bytes() == b"a"
        with pytest.raises(BadRequest):
            uploads.get(used.id)
    uploads.drop(dropped.id)
    clock.now = LIFETIME_S
    for gone in (used, dropped, old):
        with pytest.raises(BadRequest) as told:
            uploads.get(gone.id)
        assert told.value.status == 404
        assert not gone.path.parent.exists()


def test_a_use_that_fails_leaves_the_file_waiting() -> None:
    """For another try."""
    uploads = Uploads()
    kept = uploads.keep("a.csv", b"a")
    with pytest.raises(ValueError), uploads.taken(kept.id):
        raise ValueError
    assert uploads.get(kept.id).path.exists()
    uploads.close()
    assert not kept.path.exists()


def test_the_file_that_has_waited_longest_gives_way() -> None:
    """As many wait as `MOST` says."""
    uploads = Uploads()
    kept = [uploads.keep("a.csv", b"a") for _ in range(MOST + 1)]
    assert uploads.count == MOST
    assert not kept[0].path.exists()
    assert kept[-1].path.exists()
    uploads.close()


@pytest.mark.parametrize(
    ("told", "name"),
    [("a.csv", "a.csv"), ("../../a.csv", "a.csv"), ("C:\\x\\a b.csv", "a b.csv"), ("a\0\n.csv", "a.csv")],
)
def test_a_name_is_its_last_part(told: str, name: str) -> None:
    """Without what cannot be shown."""
    assert named(told) == name


@pytest.mark.parametrize("told", ["", "..", "a/", "\n", "é" * 101])
def test_what_is_no_name_is_refused(told: str) -> None:
    """Also where it is too long for a file."""
    with pytest.raises(BadRequest):
        named(told)
