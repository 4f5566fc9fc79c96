"""Claims without verdicts."""

from __future__ import annotations

from pathlib import Path

import aiohttp

from guardrail.verifier import Verifier
from tests.proxy.servers import serving


async def test_claims_are_given_with_facts_and_entities(tmp_path: Path, verifier: Verifier) -> None:
    """Each claim has its exact words, a wording that stands alone, and the entities it names."""
    text = "Canberra is the capital of Australia. It is a city 🙂."
    with serving(tmp_path, verifier=verifier) as (root, _):  # type: ignore[arg-type]
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/guardrail/extract", json={"text": text})
            found = await response.json()
            assert (await http.post(f"{root}/guardrail/extract", json={"txt": ""})).status == 400
    assert all(text[c["start"] : c["end"]] == c["text"] for c in found["claims"])
    first = found["claims"][0]
    assert "label" not in first
    assert first["facts"]
    assert "Australia" in [e["label"] for e in first["entities"]]
