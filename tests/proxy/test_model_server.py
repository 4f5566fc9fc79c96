"""The proxy with a model on a server: what `/readyz` and the metrics tell of it, and what becomes of answers meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from guardrail.verifier import Verifier
from tests.model_server import Fault, ModelServer
from tests.proxy.servers import serving
from tests.waiting import eventually

ASKED = {
    "text": "The ferry to Lindau sails at noon.",
    "references": ["The ferry to Lindau sails every day at noon."],
}


def test_a_server_that_goes_and_comes_back_is_seen(tmp_path: Path) -> None:
    """While it is away `/readyz` is degraded with status 200, the metrics say so, and reports name the model that judged;
    a late model makes the answer not checked; afterwards all is as before.
    """
    with ModelServer() as server:
        verifier = Verifier.open(model=f"tei+{server.root}?timeout=1")
        with serving(tmp_path, verifier=verifier) as (root, services), httpx.Client(base_url=root, timeout=30) as client:  # type: ignore[arg-type]  # fmt: skip

            def checked() -> dict[str, Any]:
                return dict(client.post("/guardrail/verify", json=ASKED).raise_for_status().json())

            assert checked()["claims"][0]["checker"] == "text:tei:test/nli"
            assert client.get("/readyz").json()["status"] == "ready"
            server.fault = Fault(status=503, body={"error": "loading"})
            report = checked()
            assert report["claims"][0]["checker"].startswith("text:")
            assert "tei" not in report["claims"][0]["checker"]
            state = client.get("/readyz")
            assert (state.status_code, state.json()["status"]) == (200, "degraded")
            assert state.json()["degraded"] == ["model: the checking model answered 503: loading"]
            assert "is away" in state.json()["versions"]["checker"]
            told = client.get("/metrics").text
            assert "guardrail_model_away 1" in told
            assert "guardrail_model_replaced 1" in told
            server.fault = None
            eventually(lambda: client.get("/readyz").json()["status"] == "ready")
            assert checked()["claims"][0]["checker"] == "text:tei:test/nli"
            server.fault = Fault(delay_s=2.5)
            late = checked()
            assert late["outcome"] == "not_checked"
            assert (late["unchecked"][0]["reason"], late["claims"]) == ("deadline", [])
            assert services.verifier.remote is not None
