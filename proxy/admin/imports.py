"""REST routes for importing a file into a graph, for the admin: first a trial, then the import.

    POST   /guardrail/knowledge/imports?name=…         the file as the body: what was understood, and what is wrong with it
    POST   /guardrail/knowledge/imports/{id}/mapping   {mapping}: the same by a corrected mapping of a table's columns
    POST   /guardrail/knowledge/imports/{id}           {source?, as_of?, by?, allow_bad?, force?}: imports all of it, or nothing
    DELETE /guardrail/knowledge/imports/{id}           gives the file up

Nothing is written to the graph before the import, which is one transaction.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

import yaml
from fastapi import APIRouter, Query, Request, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from guardrail.errors import BadRequest, ConfigError, ImportFailed
from guardrail.evidence.catalog.faults import faults
from guardrail.evidence.door import open_graph
from guardrail.evidence.importers import saved
from guardrail.evidence.importers.chunk import BadRecord, FileReader
from guardrail.evidence.importers.entities import growth
from guardrail.evidence.importers.formats import reader_for, suffix_of
from guardrail.evidence.importers.guess import first_rows, guess_of
from guardrail.evidence.importers.load import Loader, Outcome
from guardrail.evidence.importers.mapping import (
    PLAIN,
    TableMapping,
    mapping_section,
    parse_mapping,
    read_mapping,
    section_mapping,
)
from guardrail.evidence.importers.sheet import unpacked
from guardrail.evidence.importers.source import Source
from guardrail.evidence.importers.trial import Trial, tried
from guardrail.evidence.properties.literals import date_value
from proxy.admin.graphs import Given, at, called, recorded, reply, writable
from proxy.admin.uploads import Upload, named, received
from proxy.services import Services

__all__ = ["Refused", "add_imports"]

Json = dict[str, Any]
GUESSED = (".csv", ".tsv", ".xlsx")
MOST_GROWTH = 64 * 1024 * 1024  # bytes that entities of an XML file may come to
SHOWN = 50  # of each list in what is told
_FILE = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
}


class Corrected(Given):
    """A section of a mapping file, as an object or as YAML text."""

    mapping: dict[str, Any] | Annotated[str, Field(max_length=100_000)]


class Decision(Given):
    """`allow_bad` imports the file although some records cannot be read; `force`, although it contradicts the graph. `source` and `as_of`
    apply to every fact that does not have its own.
    """

    source: Annotated[str, Field(max_length=1000)] = ""
    as_of: Annotated[str, Field(max_length=40)] = ""
    by: Annotated[str, Field(max_length=200)] = ""
    allow_bad: bool = False
    force: bool = False


class Refused(BadRequest):
    """Not imported without a second word. `detail`: what stands against it."""

    def __init__(self, message: str, *, code: str, detail: Json) -> None:
        super().__init__(message, status=409, code=code)
        self.detail = detail


@dataclass(slots=True)
class _Found:
    """What is known of a file that waits. `problem`: why it cannot be imported, then there is no `trial`."""

    graph: int
    mapping: TableMapping | None = None
    question: str = ""
    rows: Sequence[Sequence[str]] = ()
    trial: Trial | None = None
    problem: str = ""


def add_imports(router: APIRouter, services: Services) -> None:
    uploads = services.uploads

    @router.post("/imports", status_code=201, openapi_extra=_FILE)
    async def hand_in(
        request: Request, name: Annotated[str, Query(max_length=1000)], graph: Annotated[int, Query(ge=0)] = 0
    ) -> Response:
        """Upload a file and show what its import would do; nothing is imported yet. Formats: CSV, TSV, XLSX, JSONL, RDF, Wikidata JSON."""
        at(services, graph)
        wanted = named(name)
        raw = await received(request, services.bodies, limit=services.settings.max_body)
        return await run_in_threadpool(_handed_in, services, wanted, raw, graph)

    @router.post("/imports/{identifier}/mapping")
    def correct(identifier: str, given: Corrected) -> Response:
        """Try the uploaded table with another mapping. 400 if the mapping is invalid or names a column that is not there."""
        upload = uploads.get(identifier)
        found: _Found = upload.state
        if suffix_of(upload.path) not in (*GUESSED, ".jsonl", ".ndjson"):
            raise BadRequest("only a table has a mapping", param="mapping")
        now = _Found(found.graph, _mapping(given, upload.name), rows=found.rows)
        _try(services, upload, now)
        if now.problem:
            raise BadRequest(now.problem, param="mapping")
        upload.state = now
        return reply(_told(services, upload))

    @router.post("/imports/{identifier}")
    def decide(identifier: str, given: Decision) -> Response:
        """Import the uploaded file. 409 if some records are bad or contradict the graph, unless the request allows it."""
        _dated(given.as_of)
        with uploads.taken(identifier) as upload:
            _must_be_wanted(upload.state, given)
            return reply(_imported(services, upload, given))

    @router.delete("/imports/{identifier}", status_code=204)
    def give_up(identifier: str) -> Response:
        """Discard the uploaded file without importing it."""
        uploads.drop(identifier)
        return Response(status_code=204)


def _handed_in(services: Services, name: str, raw: bytes, graph: int) -> Response:
    upload = services.uploads.keep(name, raw)
    try:
        found = upload.state = _Found(graph)
        _must_be_plain(upload, raw)
        if suffix_of(upload.path) in GUESSED:
            _guess(upload, found, at(services, graph).name)
        if not found.problem:
            _try(services, upload, found)
    except BaseException:
        services.uploads.drop(upload.id)
        raise
    return reply(_told(services, upload), status=201)


def _must_be_plain(upload: Upload, raw: bytes) -> None:
    """Raises BadRequest for a file of a few bytes that becomes a large one."""
    with Source.open(upload.path) as source:
        if source.compressed:
            raise BadRequest(
                "compressed files cannot be uploaded: unpack the file, or use `guardrail kg import`"
            )
        large = source.workbook and zipfile.is_zipfile(upload.path) and unpacked(upload.path) > MOST_GROWTH
        if large:
            raise BadRequest(f"{upload.name}: its sheets come to more than {MOST_GROWTH >> 20} MB")
    if suffix_of(upload.path) in (".rdf", ".xml", ".owl") and growth(raw) > MOST_GROWTH:
        raise BadRequest(f"{upload.name}: its XML entities expand to more than {MOST_GROWTH >> 20} MB")


def _guess(upload: Upload, found: _Found, graph: str) -> None:
    """Sets the first rows and the mapping: the one that was saved for a table of this name, else a guess."""
    try:
        with Source.open(upload.path) as source:
            guessed = guess_of(source)
        with Source.open(upload.path) as source:
            rows = first_rows(source, delimiter=guessed.mapping.delimiter)
        found.rows = _readable(rows)
        if found.rows[0] != rows[0]:
            raise ImportFailed(upload.path, "not UTF-8 text", line=1)
    except ImportFailed as error:
        found.problem = _cause(upload, error)
        return
    found.mapping, found.question = guessed.mapping, guessed.question
    path = saved.beside(graph)
    if path is not None and saved.has(path, upload.name):
        with suppress(ConfigError):  # a file that cannot be read is for its owner to mend
            found.mapping, found.question = read_mapping(path, upload.name), ""


def _readable(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Without the halves of characters that stand for bytes which are no UTF-8."""
    return [[cell.encode("utf-8", "replace").decode() for cell in row] for row in rows]


def _reader(upload: Upload) -> FileReader:
    return reader_for(upload.path, mapping=upload.state.mapping)


def _try(services: Services, upload: Upload, found: _Found) -> None:
    """Imports on trial; sets `trial` or `problem`."""
    with open_graph(at(services, found.graph).name) as graph:
        try:
            found.trial = tried(
                upload.path,
                lambda: reader_for(upload.path, mapping=found.mapping),
                graph,
                name=called(graph),
            )
        except ImportFailed as error:
            found.problem = _cause(upload, error)


def _cause(upload: Upload, error: ImportFailed) -> str:
    """As the error says it, but by the file's own name."""
    return f"{upload.name}:{error.line}: {error.cause}" if error.line else f"{upload.name}: {error.cause}"


def _mapping(given: Corrected, name: str) -> TableMapping:
    try:
        if isinstance(given.mapping, str):
            return parse_mapping(given.mapping, name, where="the mapping")
        return section_mapping(given.mapping, where="the mapping")
    except ConfigError as error:
        raise BadRequest(str(error), param="mapping") from error


def _dated(as_of: str) -> None:
    try:
        if as_of:
            date_value(as_of)
    except ValueError as error:
        raise BadRequest(f"as_of: {error}; a date is 2025, 2025-06 or 2025-06-30", param="as_of") from error


def _must_be_wanted(found: _Found, given: Decision) -> None:
    """Raises BadRequest for what cannot be imported, or not without a second word."""
    if found.trial is None:
        raise BadRequest(found.problem)
    outcome = found.trial.outcome
    if outcome.bad and not given.allow_bad:
        message = f"{outcome.bad} of {outcome.read} records could not be read; `allow_bad` imports the others"
        raise Refused(message, code="bad_records", detail={"bad_records": _listed(outcome.bad_records)})
    if found.trial.conflicts and not given.force:
        message = "the file contradicts the graph; `force` imports it anyway"
        raise Refused(message, code="conflict", detail={"conflicts": list(found.trial.conflicts)})


def _imported(services: Services, upload: Upload, given: Decision) -> Json:
    digest = hashlib.sha256(upload.path.read_bytes()).hexdigest()
    found: _Found = upload.state

    def record(outcome: Outcome) -> None:
        text = f"{upload.name}: {outcome.written} written, {outcome.bad} bad of {outcome.read} records"
        source = given.source or upload.name
        recorded(services, "imported", f"sha256:{digest}", text, source=source, by=given.by)

    with writable(services, found.graph) as graph:
        loader = Loader(graph, source=given.source, as_of=given.as_of)
        outcome = loader.load_whole(upload.path, _reader(upload), confirm=record)
        counts = {
            "read": outcome.read,
            "written": outcome.written,
            "bad": outcome.bad,
            "replaced": outcome.replaced,
        }
        saved_as = _saved(graph.name, upload)
        return {**counts, "version": graph.version, "faults": faults(graph)[:SHOWN], "mapping_file": saved_as}


def _saved(graph: str, upload: Upload) -> str:
    """The name of the file beside the graph that has the mapping of a table now; "" where there is none, or none can be written."""
    mapping, path = upload.state.mapping, saved.beside(graph)
    if path is None or mapping in (None, PLAIN) or suffix_of(upload.path) not in GUESSED:
        return ""
    try:
        saved.save(path, {upload.name: mapping_section(mapping)})
    except ConfigError:
        return ""  # the facts are in the graph all the same
    return path.name


def _told(services: Services, upload: Upload) -> Json:
    found: _Found = upload.state
    section = mapping_section(found.mapping) if found.mapping is not None else None
    text = yaml.safe_dump(section, sort_keys=False, allow_unicode=True, width=110) if section else ""
    return {
        "id": upload.id,
        "name": upload.name,
        "graph": called(at(services, found.graph)),
        "columns": found.rows[0] if found.rows else [],
        "rows": found.rows[1:],
        "mapping": section,
        "mapping_text": text,
        "question": found.question,
        "problem": found.problem,
        "trial": _trial(found.trial) if found.trial else None,
    }


def _trial(trial: Trial) -> Json:
    outcome = trial.outcome
    return {
        "read": outcome.read,
        "written": outcome.written,
        "bad": outcome.bad,
        "bad_records": _listed(outcome.bad_records),
        "odd": outcome.odd,
        "odd_records": _listed(outcome.odd_records),
        "properties": [{**one.to_dict(), "values": one.values} for one in trial.properties],
        "summary": trial.summary,
        "faults": list(trial.faults)[:SHOWN],
        "conflicts": list(trial.conflicts),
    }


def _listed(records: Sequence[BadRecord]) -> list[Json]:
    return [{"line": one.number, "cause": one.cause} for one in records[:SHOWN]]
