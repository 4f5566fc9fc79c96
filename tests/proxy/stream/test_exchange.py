"""An exchange is one request, named once."""

from __future__ import annotations

from policies.policy import load
from policies.terms import Mode, Request
from proxy.stream.exchange import Exchange, new_id


def test_every_exchange_has_its_own_id() -> None:
    """Ids are recognisable and do not repeat."""
    made = {Exchange(policy=load("annotate"), request=Request(), mode=Mode.OBSERVE).id for _ in range(100)}
    assert len(made) == 100
    assert all(one.startswith("grd_") and len(one) == len(new_id()) for one in made)
