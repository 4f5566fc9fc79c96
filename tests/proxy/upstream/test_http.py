"""The HTTP upstream passes headers and bytes through and puts failures in our own words."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from guardrail.errors import ConfigError, UpstreamBroken, UpstreamError, UpstreamUnreachable
from proxy.upstream.http import Call, HttpUpstream, Timeouts, Tls
from tests.fakes import FakeModel, Script
from tests.proxy.sockets import answer_ok, listening, silent
from tests.received import receive_from

TEXT = (("content-type", "text/plain"),)


async def ask(upstream: HttpUpstream, call: Call) -> tuple[int, dict[bytes, bytes], bytes]:
    await upstream.open()
    try:
        answer = await upstream.send(call)
        try:
            body = b"".join([data async for data in answer.body()])
        finally:
            answer.close()
        return answer.status, dict(answer.headers), body
    finally:
        await upstream.close()


def call(*headers: tuple[bytes, bytes], decode: bool = True, target: str = "/x") -> Call:
    return Call("POST", target, list(headers), b"body", decode=decode)


async def test_headers_of_the_connection_stay_behind() -> None:
    """Hop-by-hop headers, Host and ours are not passed on; Authorization and unknown ones are, once."""
    async with FakeModel(
        Script([b"ok"], headers=(*TEXT, ("x-request-id", "7"), ("connection", "close")))
    ).running() as model:
        given = [
            (b"host", b"proxy"),
            (b"connection", b"keep-alive"),
            (b"authorization", b"Bearer k"),
            (b"x-guardrail-policy", b"p"),
            (b"x-a", b"1"),
            (b"te", b"trailers"),
            (b"content-length", b"4"),
        ]
        status, headers, body = await ask(HttpUpstream(model.url), call(*given))
    sent = model.requests[0].headers
    assert (status, body, model.requests[0].body) == (200, b"ok", b"body")
    assert sent["authorization"] == "Bearer k"
    assert sent["x-a"] == "1"
    assert sent["host"].startswith("127.0.0.1")
    assert not {"x-guardrail-policy", "te", "user-agent"} & sent.keys()
    assert headers[b"x-request-id"] == b"7"
    assert not {b"connection", b"transfer-encoding"} & headers.keys()


@pytest.mark.parametrize("shown", [(b"authorization", b"Bearer theirs"), (b"x-api-key", b"theirs")])
async def test_a_key_of_the_proxy_replaces_that_of_the_client(shown: tuple[bytes, bytes]) -> None:
    """With a key of its own the proxy never passes the client's on; Anthropic's server gets it where it looks."""
    async with FakeModel(Script([b"ok"], headers=TEXT)).running() as model:
        await ask(HttpUpstream(model.url, key="ours"), call(shown))
        await ask(HttpUpstream(model.url, key="ours"), call(shown, (b"anthropic-version", b"1")))
    assert "theirs" not in str([request.headers for request in model.requests])
    assert model.requests[0].headers["authorization"] == "Bearer ours"
    assert model.requests[1].headers["x-api-key"] == "ours"


@pytest.mark.parametrize("decode", [True, False])
async def test_compressed_answers(decode: bool) -> None:
    """What is read is decoded and says so; what is only passed on stays as it is."""
    packed = zlib.compress(b"hello")
    async with FakeModel(
        Script([packed], headers=(*TEXT, ("content-encoding", "deflate")))
    ).running() as model:
        _, headers, body = await ask(
            HttpUpstream(model.url), call((b"accept-encoding", b"br"), decode=decode)
        )
    assert body == (b"hello" if decode else packed)
    assert (b"content-encoding" in headers) is not decode
    assert model.requests[0].headers["accept-encoding"] == ("gzip, deflate" if decode else "br")


async def test_damaged_compression_is_a_broken_answer() -> None:
    """Bytes that are not what their encoding says end in an error of ours."""
    async with FakeModel(
        Script([b"no gzip"], headers=(*TEXT, ("content-encoding", "gzip")))
    ).running() as model:
        with pytest.raises(UpstreamBroken):
            await ask(HttpUpstream(model.url), call())


@dataclass
class Redirecting:
    """A server that redirects `/v1/x` to `location`, `status` times `status`, and answers `ok` anywhere else."""

    location: str
    status: int = 307
    asked: list[tuple[str, str, bytes]] = field(default_factory=list)
    at: str = ""

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got = await receive_from(reader)
        head, _, body = got.partition(b"\r\n\r\n")
        method, path, _ = head.decode().partition("\r\n")[0].split(" ")
        self.asked.append((method, path, body))
        if path in ("/v1/x", self.at):
            head = f"HTTP/1.1 {self.status} Go\r\nlocation: {self.location}\r\ncontent-length: 0\r\n\r\n".encode()
            writer.write(head)
        else:
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        await writer.drain()


@pytest.mark.parametrize("location", ["/v1/x/", "http://{at}/v1/x/", "x/", "//{at}/v1/x/?a=1"])
@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_on_the_same_server_is_followed(location: str, status: int) -> None:
    """A slash more is asked for with the same method and body; the client hears nothing of it."""
    server = Redirecting(location, status)
    async with listening(server) as port:
        server.location = location.format(at=f"127.0.0.1:{port}")
        answer = await ask(HttpUpstream(f"http://127.0.0.1:{port}/v1"), call())
    assert (answer[0], answer[2]) == (200, b"ok")
    assert [one[0] for one in server.asked] == ["POST", "POST"]
    assert server.asked[1][1].startswith("/v1/x/")
    assert server.asked[1][2] == b"body"


@pytest.mark.parametrize("decode", [True, False])
@pytest.mark.parametrize(
    ("location", "status"),
    [
        ("http://other.example/v1/x", 307),
        ("https://127.0.0.2/v1/x", 308),
        ("http://127.0.0.1:9/v1/x", 307),
        ("/v1/elsewhere", 301),
        ("/v1/elsewhere", 302),
        ("/v1/elsewhere", 303),
        ("http:\\\\127.0.0.1/v1", 307),
        ("http://[::1/v1", 307),
        ("ftp://127.0.0.1/", 307),
        ("/v1/x", 307),
    ],
)
async def test_no_other_redirect_reaches_the_client(
    location: str, status: int, decode: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Not to another place, not in a circle, and no POST becomes a GET: an error names the setting that mends it."""
    server = Redirecting(location, status)
    async with listening(server) as port:
        with pytest.raises(UpstreamBroken, match="--upstream") as caught:
            await ask(HttpUpstream(f"http://127.0.0.1:{port}/v1"), call(decode=decode))
    assert "http:" not in str(caught.value)
    assert len(server.asked) <= 4
    assert {one[0] for one in server.asked} == {"POST"}
    assert any("redirects to" in said for said in caplog.messages)


async def test_an_answer_that_is_read_is_no_redirect_of_any_kind() -> None:
    """A list of choices, or a status that nobody follows, tells no place either; a success does not."""
    for status in (300, 304, 305):
        async with listening(Redirecting("http://other.example/", status)) as port:
            with pytest.raises(UpstreamBroken):
                await ask(HttpUpstream(f"http://127.0.0.1:{port}/v1"), call())
    async with FakeModel(Script([b"ok"], headers=(*TEXT, ("location", "http://other/")))).running() as model:
        _, headers, _ = await ask(HttpUpstream(model.url), call())
    assert b"location" not in headers


async def test_a_file_that_lies_elsewhere_is_the_clients_to_get() -> None:
    """A download that is signed for another host; never a place on the model's own host."""
    signed = "https://files.example/a?signature=1"
    got = Call("GET", "/x", [], decode=False)
    async with listening(Redirecting(signed, 302)) as port:
        status, headers, _ = await ask(HttpUpstream(f"http://127.0.0.1:{port}/v1"), got)
    assert (status, headers[b"location"]) == (302, signed.encode())
    for location in ("ftp://127.0.0.1/a", "http://127.0.0.1:9/v1/x", "http://127.0.0.1.:9/v1/x"):
        async with listening(Redirecting(location, 302)) as port:
            with pytest.raises(UpstreamBroken):
                await ask(HttpUpstream(f"http://127.0.0.1:{port}/v1"), got)


async def test_a_server_that_has_moved_to_tls_is_followed(tmp_path: Path) -> None:
    """From http to https on the same host, with the key."""
    authority, files = certificates(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*files)
    server = Redirecting("")
    async with listening(answer_ok, context=context) as secure, listening(server) as port:
        server.location = f"https://localhost:{secure}/v1/x"
        upstream = HttpUpstream(f"http://localhost:{port}/v1", tls=Tls(ca=authority))
        assert (await ask(upstream, call()))[2] == b"ok"


async def test_words_that_would_pass_for_ours_stay_behind() -> None:
    """An upstream cannot say in our headers how its answer was judged, nor speak as this server to a browser."""
    said = [
        ("x-guardrail-outcome", "confirmed"),
        ("X-Guardrail-Id", "evil"),
        ("alt-svc", 'h3="evil:443"'),
        ("access-control-allow-origin", "*"),
        ("set-cookie", "guardrail_session=evil; Path=/"),
        ("connection", "x-hop"),
        ("x-hop", "1"),
        ("x-request-id", "7"),
    ]
    async with FakeModel(Script([b"ok"], headers=[*TEXT, *said])).running() as model:
        for decode in (True, False):
            _, headers, _ = await ask(HttpUpstream(model.url), call(decode=decode))
            assert headers.keys() - {b"content-type"} == {b"x-request-id"}


async def test_cookies_are_not_kept() -> None:
    """One client's cookie never reaches another's request."""
    async with FakeModel(Script([b"ok"], headers=(*TEXT, ("set-cookie", "a=b")))).running() as model:
        upstream = HttpUpstream(model.url)
        await upstream.open()
        for _ in range(2):
            (await upstream.send(call())).close()
        await upstream.close()
    assert all("cookie" not in request.headers for request in model.requests)


@pytest.mark.parametrize(
    ("script", "expected", "message"),
    [
        (Script([b"x"], hang=True), UpstreamUnreachable, "did not answer in time"),
        (Script([b"x"], cut=True), UpstreamBroken, "broke off"),
    ],
)
async def test_failures_in_mid_answer(script: Script, expected: type[UpstreamError], message: str) -> None:
    """Silence and a cut connection are told apart, without an address in the text."""
    async with FakeModel(script).running() as model:
        with pytest.raises(expected, match=message) as caught:
            await ask(HttpUpstream(model.url, timeouts=Timeouts(read=1.5)), call())
    assert caught.value.begun
    assert "127.0.0.1" not in str(caught.value)


async def test_a_malformed_chunk_is_a_broken_answer() -> None:
    """The reader is woken although the HTTP client says nothing of it."""
    begun = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receive_from(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n")
        await begun.wait()
        writer.write(b"zz\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    upstream = HttpUpstream(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    await upstream.open()
    answer = await upstream.send(call())
    body = answer.body()
    assert await anext(body) == b"x"
    begun.set()
    with pytest.raises(UpstreamBroken, match="broke off"):
        await asyncio.wait_for(anext(body), 10)
    answer.close()
    await upstream.close()
    server.close()


async def test_the_log_says_who_did_not_answer_and_why(caplog: pytest.LogCaptureFixture) -> None:
    """The operator reads the server's name and the system's words, and no key."""
    upstream = HttpUpstream("http://127.0.0.1:9/v1", timeouts=Timeouts(attempts=1), key="sk-secret")
    with pytest.raises(UpstreamUnreachable):
        await ask(upstream, call())
    (said,) = caplog.messages
    assert "127.0.0.1:9" in said
    assert "Connect call failed" in said
    assert "sk-secret" not in said


async def test_nobody_there() -> None:
    """A server that cannot be connected to, or whose name does not exist, is unreachable."""
    for base in ("http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1"):
        with pytest.raises(UpstreamUnreachable, match="cannot be reached"):
            await ask(HttpUpstream(base), call())


@pytest.mark.parametrize("base", ["", "host/v1", "ftp://host", "http://", "file:///etc/passwd"])
def test_a_base_that_is_no_http_url_is_refused(base: str) -> None:
    """Only http and https servers can be an upstream."""
    with pytest.raises(ConfigError, match="--upstream"):
        HttpUpstream(base)


async def test_the_query_arrives_as_written() -> None:
    """Encoded characters of path and query are neither decoded nor encoded again."""
    async with FakeModel(Script([b"ok"], headers=TEXT)).running() as model:
        await ask(HttpUpstream(model.url), call(target="/files/a%2Fb?x=%20y&z=a+b"))
    assert model.requests[0].path == "/v1/files/a%2Fb?x=%20y&z=a+b"


async def test_a_connection_dropped_before_the_answer_is_tried_again() -> None:
    """A server that closes without a byte is asked again, a few times, where asking twice does no harm."""
    asked = 0

    async def drop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await receive_from(reader)
        if asked == 2:
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

    for safe in (Call("GET", "/x", []), call((b"idempotency-key", b"1"))):
        async with listening(drop) as port:
            base, asked = f"http://127.0.0.1:{port}/v1", 0
            assert (await ask(HttpUpstream(base), safe))[2] == b"ok"
            asked = 2
            with pytest.raises(UpstreamBroken, match="without an answer"):
                await ask(HttpUpstream(base), safe)
        assert asked == 5


@pytest.mark.parametrize(
    "target", ["/batches", "/fine_tuning/jobs", "/files", "/responses", "/chat/completions"]
)
@pytest.mark.parametrize("words", [b"", b"HTTP/1.1 2"])
async def test_what_a_server_has_taken_is_not_sent_again(target: str, words: bytes) -> None:
    """A POST whose connection ends without an answer may have been done; the client is told not to try blindly."""
    asked = 0

    async def drop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await receive_from(reader)
        writer.write(words)

    async with listening(drop) as port:
        with pytest.raises(UpstreamBroken) as caught:
            await ask(HttpUpstream(f"http://127.0.0.1:{port}/v1"), call(target=target))
    assert asked == 1
    assert caught.value.begun


@pytest.mark.parametrize(("target", "times"), [("/chat/completions", 2), ("/batches", 1)])
async def test_a_kept_connection_that_was_given_up(target: str, times: int) -> None:
    """Where nothing but an answer is asked for, it is asked for once more, over a new connection, and then no more."""
    bodies: list[bytes] = []

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bodies.append(await receive_from(reader))
        if len(bodies) == 1:
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            bodies.append(await receive_from(reader))

    async with listening(once) as port:
        upstream = HttpUpstream(f"http://127.0.0.1:{port}/v1")
        await upstream.open()
        first = await upstream.send(call(target=target))
        assert [data async for data in first.body()] == [b"ok"]
        first.close()
        with pytest.raises(UpstreamBroken, match="without an answer"):
            await upstream.send(call(target=target))
        await upstream.close()
    assert len(bodies) == 1 + times


@pytest.mark.parametrize("status", [0, 99, 600, 999])
async def test_a_status_that_is_none_is_a_broken_answer(status: int) -> None:
    """Three digits outside 100 to 599 are an error of the server, told as one."""
    async with listening(Redirecting("/", status)) as port:
        with pytest.raises(UpstreamBroken, match=r"not valid HTTP|broke off"):
            await ask(HttpUpstream(f"http://127.0.0.1:{port}/v1"), call())


async def test_a_server_that_restarts_is_waited_for() -> None:
    """A refused connection is tried again, while nothing has been sent."""
    async with listening(silent) as port:
        pass
    upstream = HttpUpstream(f"http://127.0.0.1:{port}/v1", timeouts=Timeouts(attempts=40))
    asked = asyncio.create_task(ask(upstream, call()))
    await asyncio.sleep(0.05)
    async with listening(answer_ok, port=port):
        assert (await asked)[2] == b"ok"


async def test_each_phase_has_its_time() -> None:
    """A head that does not come in time, and silence in mid-answer, are told apart by whether the answer had begun."""
    async with FakeModel(Script([b"x"], hang=True)).running() as model:
        with pytest.raises(UpstreamUnreachable, match="in time") as caught:
            await ask(HttpUpstream(model.url, timeouts=Timeouts(first=20, read=1.5)), call())
        assert caught.value.begun
    async with listening(silent) as port:
        base = f"http://127.0.0.1:{port}/v1"
        with pytest.raises(UpstreamUnreachable, match="in time") as caught:
            await ask(HttpUpstream(base, timeouts=Timeouts(first=0.1, read=60)), call())
        assert not caught.value.begun


# ── TLS and proxies ───────────────────────────────────────────────────────────────────────────────────


async def test_a_server_is_trusted_by_the_authority_that_is_named(tmp_path: Path) -> None:
    """With `ca` its server is trusted and no other; a certificate of ours is shown where the server asks for one."""
    authority, files = certificates(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority)
    context.load_cert_chain(*files)
    context.verify_mode = ssl.CERT_REQUIRED
    async with listening(answer_ok, context=context) as port:
        base = f"https://localhost:{port}/v1"
        known = HttpUpstream(base, tls=Tls(ca=authority, certificate=files[0], key=files[1]))
        assert (await ask(known, call()))[2] == b"ok"
        once = Timeouts(attempts=1)
        with pytest.raises(UpstreamError) as caught:
            await ask(HttpUpstream(base, timeouts=once), call())
        assert str(tmp_path) not in str(caught.value)
        with pytest.raises(UpstreamError):
            await ask(HttpUpstream(base, timeouts=once, tls=Tls(ca=authority)), call())


@pytest.mark.parametrize("wrong", [Tls(ca=Path("missing.pem")), Tls(certificate=Path("missing.pem"))])
def test_tls_files_that_cannot_be_used_are_told(wrong: Tls) -> None:
    """A missing file is an error at start."""
    with pytest.raises(ConfigError, match=r"missing\.pem"):
        HttpUpstream("https://host/v1", tls=wrong)


@pytest.mark.parametrize("by_environment", [True, False])
async def test_a_proxy_is_asked_for_the_server(monkeypatch: pytest.MonkeyPatch, by_environment: bool) -> None:
    """Requests go through the proxy of the settings, or of the usual variables, with the server's whole address."""
    async with FakeModel(Script([b"ok"], headers=TEXT)).running() as proxy:
        address = proxy.url.removesuffix("/v1")
        if by_environment:
            monkeypatch.setenv("http_proxy", address)
            monkeypatch.delenv("no_proxy", raising=False)
        upstream = HttpUpstream("http://model.invalid/v1", proxy="" if by_environment else address)
        assert (await ask(upstream, call()))[2] == b"ok"
    assert proxy.requests[0].path == "http://model.invalid/v1/x"


def certificates(folder: Path) -> tuple[Path, tuple[Path, Path]]:
    """An authority, and a certificate of its with the key, for localhost and for clients alike."""
    now = datetime.now(UTC)
    files = [folder / name for name in ("ca.pem", "host.pem", "host.key")]
    own, hosts = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    names = [
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("authority", "localhost")
    ]

    def signed(name: x509.Name, key: ec.EllipticCurvePublicKey, *, authority: bool) -> x509.Certificate:
        built = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(names[0])
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(own.public_key()), critical=False
            )
        )
        return built.sign(own, hashes.SHA256())

    files[0].write_bytes(signed(names[0], own.public_key(), authority=True).public_bytes(Encoding.PEM))
    files[1].write_bytes(signed(names[1], hosts.public_key(), authority=False).public_bytes(Encoding.PEM))
    files[2].write_bytes(hosts.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files[0], (files[1], files[2])
