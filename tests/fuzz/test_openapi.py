"""schemathesis against our own OpenAPI page: whatever is asked is never answered by a 5xx, nor by what is not declared."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from guardrail.verifier import Verifier
from tests.proxy.servers import given_back, serving


@pytest.mark.skipif(find_spec("schemathesis") is None, reason="the dependency group `fuzz` is not installed")
async def test_answers_are_those_that_are_declared(tmp_path: Path, knowledge: Path) -> None:
    """No path of the page answers by a 5xx, nor by a status, media type or body that it does not declare."""
    own = shutil.copy(knowledge, tmp_path / "knowledge.db")  # what is asked may change what is known
    verifier = Verifier.open(own)
    tool = Path(sys.executable).with_name("schemathesis")
    with serving(tmp_path, verifier=verifier, admin_token="admin") as (root, services):
        process = await asyncio.create_subprocess_exec(
            *(
                str(tool),
                "run",
                f"{root}/openapi.json",
                "--checks",
                "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
                "--max-examples",
                "10",
                "--header",
                "Authorization: Bearer admin",
            ),
            *(
                "--phases",
                "examples,coverage,fuzzing",
                "--request-timeout",
                "20",
                "--seed",
                "1",
                "--no-color",
            ),
            cwd=tmp_path,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "lines", "PYTHONPATH": str(Path(__file__).parent)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        told = (await process.communicate())[0].decode()
        assert process.returncode == 0, told[-6000:]
        await given_back(services)
