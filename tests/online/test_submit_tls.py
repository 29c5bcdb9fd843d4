"""Secrets are sent encrypted, only to the host that the certificate names, and a proxy never sees them."""

import select
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer

import pytest

from judge.base.errors import UsageError
from judge.online.submit.credentials import Secret
from judge.online.submit.http import Site, make_connection
from judge.online.submit.values import SubmitError
from tests.online import online_judge as site
from tests.online.online_judge import OnlineJudge

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made with openssl")

LOGIN = [("user", site.USER), ("token", site.TOKEN), ("script", "true")]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for 127.0.0.1 and judge.test, with its key in the same file."""
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    names = "subjectAltName=IP:127.0.0.1,DNS:judge.test"
    argv = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    argv += ["-subj", "/CN=judge.test", "-addext", names, "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run(argv, check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


@pytest.fixture
def server(certificate: Path) -> Iterator[OnlineJudge]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with site.online_judge(context) as running:
        yield running


class Proxy(BaseRequestHandler):
    """Connects every client to our own server and forwards the bytes."""

    def handle(self) -> None:
        """Handle one `CONNECT`."""
        assert isinstance(self.server, ProxyServer)
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.request.recv(4096)
        self.server.seen += head
        self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.server.target)) as other:
            ends = {self.request: other, other: self.request}
            while True:
                for end in select.select(list(ends), [], [], 30)[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    self.server.seen += data
                    ends[end].sendall(data)


class ProxyServer(ThreadingTCPServer):
    """Keeps all bytes that it forwards."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that has gone."""

    target = 0
    seen = b""


@pytest.fixture
def proxy(server: OnlineJudge) -> Iterator[ProxyServer]:
    with ProxyServer(("127.0.0.1", 0), Proxy) as running:
        running.target = int(server.url.rpartition(":")[2])
        threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
        yield running
        running.shutdown()


def test_a_trusted_host_gets_the_secret(
    server: OnlineJudge, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    assert Site(server.url, timeout=20).post(f"{server.url}/login", LOGIN, action="log in").status == 200


def test_an_untrusted_host_gets_nothing(server: OnlineJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with pytest.raises(SubmitError, match=r"untrusted certificate \(self.signed certificate\)") as error:
        Site(server.url, timeout=20).post(f"{server.url}/login", LOGIN, action="log in", is_submission=True)
    assert not error.value.may_have_arrived
    assert server.requests == []


def test_a_proxy_forwards_what_it_cannot_read(
    proxy: ProxyServer, server: OnlineJudge, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:proxy%2Dpass@127.0.0.1:{proxy.server_address[1]}")
    for name in ("no_proxy", "NO_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert Site("https://judge.test", timeout=20).post("https://judge.test/login", LOGIN, action="log in").status == 200
    assert proxy.seen.startswith(b"CONNECT judge.test:443 HTTP/1.")
    assert b"Proxy-Authorization: Basic bWU6cHJveHktcGFzcw==" in proxy.seen
    assert site.TOKEN.encode() not in proxy.seen
    assert server.requests == ["POST /login"]


def test_a_certificate_for_another_host_is_rejected(
    proxy: ProxyServer, server: OnlineJudge, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.server_address[1]}")
    for name in ("no_proxy", "NO_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SubmitError, match="untrusted certificate"):
        Site("https://other.test", timeout=20).post("https://other.test/login", LOGIN, action="log in")
    assert server.requests == []


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("http://127.0.0.1:port", "invalid proxy in HTTPS_PROXY: Port could not be cast"),
        ("socks5://127.0.0.1:1", "invalid proxy in HTTPS_PROXY: expected a URL such as http://proxy.example:3128"),
        ("http://127.0.0.1:1", " (through the proxy 127.0.0.1:1): cannot connect (Connection refused)"),
        ("http://no-such-proxy.invalid:1", "(through the proxy no-such-proxy.invalid:1): cannot connect"),
    ],
)
def test_a_wrong_proxy_is_named(named: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", named)
    for name in ("no_proxy", "NO_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SubmitError) as error:
        Site("https://judge.test", timeout=20).post(
            "https://judge.test/login", LOGIN, action="log in", is_submission=True
        )
    assert message in str(error.value)
    assert not error.value.may_have_arrived


def test_an_ipv6_address_has_no_port_in_it() -> None:
    assert Site("https://[::1]/x", timeout=20).origin == "https://[::1]"
    connection = make_connection("::1", None, is_tls=True, timeout=20)
    assert (connection.host, connection.port) == ("::1", 443)


@pytest.mark.parametrize("url", ["http://judge.example/x", "http://192.168.0.7/x"])
def test_a_secret_is_sent_in_clear_text_only_on_request(url: str) -> None:
    with pytest.raises(UsageError, match="is not encrypted"):
        Site(url, timeout=20)
    assert Site(url, timeout=20, allow_http=True).origin == url.removesuffix("/x")


def test_a_secret_is_never_shown_or_pickled() -> None:
    secret = Secret(site.TOKEN)
    assert site.TOKEN not in f"{secret} {secret!r} {[secret]} {vars(Secret)}"
    import pickle

    with pytest.raises(TypeError, match="cannot pickle a secret"):
        pickle.dumps(secret)
