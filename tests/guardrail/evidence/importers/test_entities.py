"""XML that grows when it is read."""

from math import inf

import pytest

from guardrail.evidence.importers.entities import growth


@pytest.mark.parametrize(
    ("xml", "size"),
    [
        (b"<a>&lt;</a>", 0),
        (b'<!DOCTYPE a [<!ENTITY ex "http://example.org/">]><a b="&ex;c" d="&ex;e"/>', 38),
        (b"<!DOCTYPE a [<!ENTITY % p 'x'><!ENTITY q \"a &amp; b &#8211;\">]><a>&q;&none;</a>", 17),
        (b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><a>&b;</a>', inf),
    ],
)
def test_what_comes_of_declared_entities_is_counted(xml: bytes, size: float) -> None:
    """Each as often as it is used; one that is made of others may become anything."""
    assert growth(xml) == size
