"""REST routes of the corpus, for the admin: upload, list and remove documents.

    GET    /guardrail/corpus                        how much it holds, and the files that were handed in
    POST   /guardrail/corpus/documents?name=…       the file as the body: indexed as a whole, in place of the former of this name
    DELETE /guardrail/corpus/documents?name=…       removes what was handed in under this name

The next answer is checked against it, also where there was no corpus when the server started.
"""

from __future__ import annotations

import hashlib
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from guardrail.config import corpus_place
from guardrail.errors import BadRequest, KnowledgeError
from guardrail.evidence.corpus.corpus import Corpus, exists
from guardrail.evidence.corpus.documents import ENDINGS, Document, Skipped, read_file
from guardrail.evidence.corpus.indexing import index_documents
from proxy.access.login import Admin
from proxy.admin.graphs import recorded, reply
from proxy.admin.uploads import named, received
from proxy.services import Services

__all__ = ["add_documents"]

ORIGIN = "upload:"  # before the names of files that were handed in here
MOST_LISTED = 1000
_BYTES = {"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}}
Name = Annotated[str, Query(max_length=1000)]


def add_documents(app: FastAPI, services: Services, admin: Admin) -> None:
    router = APIRouter(prefix="/guardrail/corpus", dependencies=[Depends(admin.require)])
    writing = threading.Lock()  # one file is numbered and written at a time

    @router.get("")
    def held() -> Response:
        """Count the documents of the corpus and list the uploaded files."""
        return reply(_held())

    @router.post("/documents", status_code=201, openapi_extra=_BYTES)
    async def hand_in(request: Request, name: Name) -> Response:
        """Upload a document: txt, md, html, pdf, or a table with a column `text`. It replaces an earlier file with the same name."""
        wanted = named(name)
        if Path(wanted).suffix.lower() not in ENDINGS:
            raise BadRequest(
                f"{wanted}: files of this kind cannot be read; the known extensions are {', '.join(sorted(ENDINGS))}",
                param="name",
            )
        raw = await received(request, services.bodies, limit=services.settings.max_body)

        def work() -> dict[str, Any]:
            with writing:
                return _indexed(services, wanted, raw)

        return reply(await run_in_threadpool(work), status=201)

    @router.delete("/documents")
    def remove(name: Name) -> Response:
        """Remove an uploaded file. 404 if there is none with this name."""
        with writing:
            if not exists(corpus_place()) or name not in {one["name"] for one in _held()["files"]}:
                raise BadRequest(f"no file {name!r} was uploaded", status=404, code="not_found", param="name")
            recorded(services, "removed", name, f"{name}: removed from the corpus")
            with Corpus.open(corpus_place(), read_only=False) as corpus:
                _forget(corpus, name)
        return reply(_held())

    app.include_router(router)


def _indexed(services: Services, name: str, raw: bytes) -> dict[str, Any]:
    documents, skipped = _read(name, raw)
    if not documents:
        raise BadRequest(f"{name}: {skipped[0].cause if skipped else 'no text in it'}")
    digest = hashlib.sha256(raw).hexdigest()
    recorded(services, "indexed", f"sha256:{digest}", f"{name}: {len(documents)} documents into the corpus")
    place = corpus_place()
    with Corpus.open(place, read_only=False) if exists(place) else Corpus.create(place) as corpus:
        try:
            done = index_documents(corpus, documents, origin=ORIGIN + name)
        except BaseException:
            with suppress(KnowledgeError):
                _forget(corpus, name)
            raise
    return {
        "name": name,
        "documents": len(documents),
        "passages": done.passages,
        "skipped": [{"id": one.id, "cause": one.cause} for one in [*skipped, *done.skipped][:50]],
    }


def _read(name: str, raw: bytes) -> tuple[list[Document], list[Skipped]]:
    with TemporaryDirectory(prefix="guardrail-upload-") as folder:
        path = Path(folder, name)
        path.write_bytes(raw)
        found = list(read_file(path, name))
    return [one for one in found if isinstance(one, Document)], [
        one for one in found if isinstance(one, Skipped)
    ]


def _forget(corpus: Corpus, name: str) -> None:
    index_documents(corpus, [], origin=ORIGIN + name)
    with corpus.transaction() as cursor:
        cursor.many("DELETE FROM origin WHERE path = ?", [(ORIGIN + name,)])


def _held() -> dict[str, Any]:
    if not exists(corpus_place()):
        return {"documents": 0, "passages": 0, "files": []}
    with Corpus.open(corpus_place()) as corpus:
        stats = corpus.stats()
        rows = corpus.rows(
            "SELECT o.path, COUNT(DISTINCT d.n), COUNT(p.n) FROM origin o JOIN document d ON d.origin = o.n"
            " JOIN passage p ON p.document = d.n WHERE o.path LIKE 'upload:%' GROUP BY o.path ORDER BY o.path LIMIT ?",
            (MOST_LISTED,),
        )
    files = [
        {"name": path.removeprefix(ORIGIN), "documents": documents, "passages": passages}
        for path, documents, passages in rows
    ]
    return {"documents": stats.documents, "passages": stats.passages, "files": files}
