"""The admin's door: by bearer for machines, by a session for browsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from proxy.access.login import COOKIE, Tries
from tests.proxy.servers import serving

TOKEN = "correct horse"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[str]:
    """A running proxy with an admin token."""
    with serving(tmp_path, admin_token=TOKEN) as (root, _):
        yield root


def browser() -> aiohttp.ClientSession:
    """A client that keeps cookies, also those of an address without a name."""
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


async def read(http: aiohttp.ClientSession, method: str, url: str, **given: Any) -> aiohttp.ClientResponse:
    """A response with its body read and its connection given back."""
    async with http.request(method, url, **given) as response:
        await response.read()
    return response


async def log_in(http: aiohttp.ClientSession, root: str, token: object = TOKEN) -> aiohttp.ClientResponse:
    return await read(http, "post", f"{root}/ui/login", json={"token": token})


async def test_a_session_opens_what_the_token_opens(root: str) -> None:
    """After the login the audit log can be read without the token, and after the logout no more."""
    async with browser() as http:
        assert (await read(http, "get", f"{root}/guardrail/audit")).status == 401
        csrf = (await (await log_in(http, root)).json())["csrf"]
        assert (await read(http, "get", f"{root}/guardrail/audit")).status == 200
        assert (await (await read(http, "get", f"{root}/ui/session")).json())["admin"] is True
        left = await read(http, "post", f"{root}/ui/logout", headers={"x-csrf-token": csrf})
        assert (await left.json())["admin"] is False
        assert (await read(http, "get", f"{root}/guardrail/audit")).status == 401


async def test_a_session_that_was_left_is_dead_for_who_kept_its_cookie(root: str) -> None:
    """Logging out ends it in the server, not only in the browser."""
    async with browser() as http:
        entered = await log_in(http, root)
        cookie = {COOKIE: entered.cookies[COOKIE].value}
        csrf = (await entered.json())["csrf"]
        await read(http, "post", f"{root}/ui/logout", headers={"x-csrf-token": csrf})
    async with aiohttp.ClientSession(cookies=cookie) as thief:
        assert (await read(thief, "get", f"{root}/guardrail/audit")).status == 401


async def test_the_cookie_is_closed_to_scripts_and_other_sites(root: str) -> None:
    """HttpOnly, SameSite=Strict, and it holds nothing of the token."""
    async with browser() as http:
        response = await log_in(http, root)
        told = response.headers["set-cookie"]
        assert "HttpOnly" in told
        assert "SameSite=strict" in told
        assert TOKEN not in told
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("csrf", [None, "", "wrong"])
async def test_a_changing_request_needs_the_sessions_own_token(root: str, csrf: str | None) -> None:
    """A cookie that a browser sends by itself changes nothing: not the log, not the session, not the graph."""
    headers = {} if csrf is None else {"x-csrf-token": csrf}
    async with browser() as http:
        right = (await (await log_in(http, root)).json())["csrf"]
        for path in (
            "/guardrail/audit/rotate",
            "/guardrail/audit/grd_1/reviews",
            "/guardrail/knowledge/facts",
            "/guardrail/knowledge/facts/retract",
            "/guardrail/policies/backtest",
            "/ui/logout",
        ):
            response = await read(http, "post", root + path, json={}, headers=headers)
            assert (response.status, (await response.json())["error"]["code"]) == (403, "invalid_csrf_token")
        given = {"claim": 0, "judgement": "agree", "reviewer": "a"}
        response = await read(
            http, "post", f"{root}/guardrail/audit/none/reviews", json=given, headers={"x-csrf-token": right}
        )
        assert response.status == 400, "the right token passes: there is no such record"


async def test_the_bearer_token_needs_no_csrf_token(root: str) -> None:
    """No browser sends it by itself."""
    headers = {"authorization": f"Bearer {TOKEN}"}
    given = {"claim": 0, "judgement": "agree", "reviewer": "a"}
    async with aiohttp.ClientSession(headers=headers) as http:
        assert (await read(http, "get", f"{root}/guardrail/audit")).status == 200
        assert (await read(http, "post", f"{root}/guardrail/audit/none/reviews", json=given)).status == 400


async def test_a_wrong_bearer_is_not_saved_by_a_session(root: str) -> None:
    """What is said out loud counts."""
    async with browser() as http:
        await log_in(http, root)
        wrong = {"authorization": "Bearer wrong"}
        assert (await read(http, "get", f"{root}/guardrail/audit", headers=wrong)).status == 401


async def test_guessing_is_slowed_down(root: str) -> None:
    """After five wrong tokens even the right one has to wait, while a machine's bearer goes on."""
    async with browser() as http:
        for wrong in ("", "x", None, 7, TOKEN + " "):
            assert (await log_in(http, root, wrong)).status == 401
        response = await log_in(http, root)
        assert response.status == 429
        assert 0 < int(response.headers["retry-after"]) <= 61
        bearer = {"authorization": f"Bearer {TOKEN}"}
        assert (await read(http, "get", f"{root}/guardrail/audit", headers=bearer)).status == 200


@pytest.mark.parametrize("body", [b"", b"nonsense", b"[]", b'{"token": ["correct horse"]}'])
async def test_nonsense_is_no_login(root: str, body: bytes) -> None:
    """And no error of the server either."""
    async with browser() as http:
        assert (await read(http, "post", f"{root}/ui/login", data=body)).status == 401


async def test_a_huge_login_is_not_read(root: str) -> None:
    """Who has not logged in cannot fill the memory of the server."""
    async with browser() as http:
        body = b'{"token": "' + b"x" * 100_000 + b'"}'
        response = await read(http, "post", f"{root}/ui/login", data=body)
        assert response.status == 413
        assert (await response.json())["error"]["code"] == "body_too_large"


async def test_a_page_of_another_site_cannot_log_anybody_in(root: str) -> None:
    """Browsers say where a request comes from."""
    headers = {"sec-fetch-site": "cross-site", "origin": "https://example.org"}
    async with browser() as http:
        response = await read(http, "post", f"{root}/ui/login", json={"token": TOKEN}, headers=headers)
        assert response.status == 403
        assert "set-cookie" not in response.headers


async def test_a_server_without_a_token_says_so(tmp_path: Path) -> None:
    """No word opens it, and the page can tell its reader why."""
    with serving(tmp_path) as (root, _):
        async with browser() as http:
            assert (await (await read(http, "get", f"{root}/ui/session")).json())["configured"] is False
            assert (await log_in(http, root, "")).status == 401


class Clock:
    """Time that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_a_session_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its lifetime the cookie opens nothing, however often it was used."""
    monkeypatch.setattr("proxy.access.login.LIFETIME_S", 0)
    with serving(tmp_path, admin_token=TOKEN) as (root, _):
        async with aiohttp.ClientSession() as http:
            response = await log_in(http, root)
            cookie = {COOKIE: response.cookies[COOKIE].value}
            assert (await response.json())["expires_in"] == 0
        async with aiohttp.ClientSession(cookies=cookie) as http:
            assert (await read(http, "get", f"{root}/guardrail/audit")).status == 401


def test_tries_are_forgotten_with_time_and_counted_by_address() -> None:
    """Two in ten seconds are looked at; the third has to wait until the first is ten seconds old."""
    clock = Clock()
    tries = Tries(2, window=10.0, clock=clock)
    tries.fail("a")
    clock.now += 4
    tries.fail("a")
    assert (tries.wait("a"), tries.wait("b")) == (7, 0)
    clock.now += 6.5
    assert tries.wait("a") == 0
    tries.fail("a")
    assert tries.wait("a") == 4


async def test_an_address_that_a_client_tells_does_not_lift_the_limit(root: str) -> None:
    """X-Forwarded-For is believed of nobody, from this machine neither: the sixth wrong token of a minute waits."""
    async with aiohttp.ClientSession() as http:
        statuses = []
        for number in range(8):
            headers = {"x-forwarded-for": f"203.0.113.{number}", "forwarded": f"for=203.0.113.{number}"}
            answer = await read(http, "post", f"{root}/ui/login", json={"token": "no"}, headers=headers)
            statuses.append(answer.status)
        bearer = [
            (
                await read(
                    http,
                    "get",
                    f"{root}/guardrail/audit",
                    headers={"authorization": "Bearer no", "x-forwarded-for": f"203.0.113.{number}"},
                )
            ).status
            for number in range(62)
        ]
    assert statuses == [401] * 5 + [429] * 3
    assert bearer == [401] * 60 + [429] * 2


async def test_a_proxy_that_is_named_tells_who_asks(tmp_path: Path) -> None:
    """The last address that is no trusted proxy's counts: what a client writes before it changes nothing."""
    with serving(tmp_path, admin_token=TOKEN, trusted_proxies=("127.0.0.0/8", "10.0.0.1")) as (root, _):
        async with aiohttp.ClientSession() as http:

            async def tried(told: str) -> int:
                headers = {"x-forwarded-for": told}
                answer = await read(http, "post", f"{root}/ui/login", json={"token": "no"}, headers=headers)
                return answer.status

            same = [await tried(f"198.51.100.{number}, 203.0.113.9, 10.0.0.1") for number in range(7)]
            other = await tried("203.0.113.9, 203.0.113.10")
    assert same == [401] * 5 + [429] * 2
    assert other == 401
