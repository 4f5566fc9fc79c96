"""Asking a proxy that runs, as its admin unless other headers are given."""

from __future__ import annotations

from typing import Any

import aiohttp

TOKEN = "correct horse"
ADMIN = {"authorization": f"Bearer {TOKEN}"}


async def ask(
    method: str, url: str, *, headers: dict[str, str] | None = None, **sent: Any
) -> tuple[int, Any]:
    """The status and the JSON of the answer."""
    async with (
        aiohttp.ClientSession(headers=ADMIN if headers is None else headers) as http,
        http.request(method, url, **sent) as response,
    ):
        return response.status, await response.json() if response.status != 204 else None


async def get(url: str) -> tuple[int, Any]:
    """As anybody."""
    return await ask("GET", url, headers={})


async def post(url: str, body: object, *, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    return await ask("POST", url, headers=headers, json=body)


async def label(root: str, text: str) -> str:
    """Of the first claim."""
    _, report = await post(f"{root}/guardrail/verify", {"text": text}, headers={})
    found: str = report["claims"][0]["label"]
    return found
