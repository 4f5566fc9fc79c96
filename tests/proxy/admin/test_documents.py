"""Documents that are handed in over HTTP, beside the real checker that reads the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guardrail.audit.events import Change
from guardrail.audit.store import Query
from guardrail.verifier import Verifier
from proxy.services import Services
from tests.proxy.asking import TOKEN, ask
from tests.proxy.servers import serving

HANDBOOK = "The Nebula gateway listens on port 7443.\n\nIts logs are kept for ninety days.\n"
Running = tuple[str, Services]


@pytest.fixture
def running(tmp_path: Path, knowledge: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A proxy that was started without a corpus."""
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(tmp_path / "corpus.db"))
    verifier = Verifier.open(knowledge)
    verifier.warm()
    with serving(tmp_path, verifier=verifier, admin_token=TOKEN, max_body=100_000) as found:  # type: ignore[arg-type]
        yield found


async def hand_in(root: str, name: str, content: str | bytes) -> tuple[int, Any]:
    return await ask("POST", f"{root}/guardrail/corpus/documents", params={"name": name}, data=content)


async def claim(root: str, text: str) -> Any:
    _, report = await ask("POST", f"{root}/guardrail/verify", json={"text": text}, headers={})
    return report["claims"][0]


async def test_the_next_answer_is_checked_against_a_document_that_is_handed_in(running: Running) -> None:
    """Until it is removed; both are on record."""
    root, services = running
    text = "The Nebula gateway listens on port 7443."
    assert (await claim(root, text))["label"] == "extrapolatory"
    status, told = await hand_in(root, "handbook.txt", HANDBOOK)
    assert (status, told["documents"], told["passages"], told["skipped"]) == (201, 1, 2, [])
    found = await claim(root, text)
    assert found["label"] == "attributable"
    assert found["evidence"]["passages"][0]["title"] == "handbook"
    _, held = await ask("GET", f"{root}/guardrail/corpus")
    assert held["files"] == [{"name": "handbook.txt", "documents": 1, "passages": 2}]
    gone = await ask("DELETE", f"{root}/guardrail/corpus/documents", params={"name": "handbook.txt"})
    assert gone == (200, {"documents": 0, "passages": 0, "files": []})
    assert (await claim(root, text))["label"] == "extrapolatory"
    changes = [s.item for s in services.log.scan(query=Query(kind="knowledge"))]
    assert [one.change for one in changes if isinstance(one, Change)] == ["indexed", "removed"]


async def test_a_file_takes_the_place_of_the_former_of_its_name(running: Running) -> None:
    """What is not in it any more is not found any more."""
    root, _ = running
    await hand_in(root, "handbook.txt", HANDBOOK)
    await hand_in(root, "handbook.txt", "The Nebula gateway was retired.\n")
    _, held = await ask("GET", f"{root}/guardrail/corpus")
    assert (held["documents"], held["passages"]) == (1, 1)


@pytest.mark.parametrize(
    ("name", "content", "status", "words"),
    [
        ("setup.exe", b"MZ", 400, "files of this kind cannot be read"),
        ("a.txt", b"", 400, "empty"),
        ("a.txt", b"  \n", 400, "no text in it"),
        ("a.txt", b"\0\1\2", 400, "a binary file"),
        ("a.csv", b"name,size\nx,1\n", 400, "no column named text"),
        ("a.txt", b"x" * 100_001, 413, "larger than"),
    ],
)
async def test_what_is_no_document_is_refused(
    running: Running, name: str, content: bytes, status: int, words: str
) -> None:
    """With the cause; nothing is indexed, nothing recorded."""
    root, services = running
    found, told = await hand_in(root, name, content)
    assert found == status
    assert words in told["error"]["message"]
    _, held = await ask("GET", f"{root}/guardrail/corpus")
    assert held["documents"] == 0
    assert list(services.log.scan(query=Query(kind="knowledge"))) == []


async def test_only_the_admin_sees_and_changes_the_corpus(running: Running) -> None:
    """A document that cannot be put on record is not indexed."""
    root, services = running
    url = f"{root}/guardrail/corpus"
    assert (await ask("GET", url, headers={}))[0] == 401
    for method in ("POST", "DELETE"):
        assert (await ask(method, f"{url}/documents", params={"name": "a.txt"}, data=b"a", headers={}))[
            0
        ] == 401
    assert (await ask("DELETE", f"{url}/documents", params={"name": "a.txt"}))[0] == 404
    services.log.close()
    assert (await hand_in(root, "handbook.txt", HANDBOOK))[0] == 400
    assert (await ask("GET", url))[1]["documents"] == 0
