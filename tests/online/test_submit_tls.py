"""Secrets go out encrypted, to whom the certificate names, through a proxy that never sees them."""

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

from judge.errors import UsageError
from judge.online.submit.credentials import Secret
from judge.online.submit.http import Site, connection_to
from judge.online.submit.values import DeliveryState, SubmitError
from tests.online import online_judge as site
from tests.online.online_judge import OnlineJudge

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made with openssl")

LOGIN = [("user", site.USER), ("token", site.TOKEN), ("script", "true")]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 and judge.test that signs itself; its key is in the same file."""
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
    """Connects to whatever is asked for, which is always our own server, and passes bytes on."""

    def handle(self) -> None:
        """Take one `CONNECT`."""
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
    """Keeps what it has seen."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no fault of ours."""

    target = 0
    seen = b""


@pytest.fixture
def proxy(server: OnlineJudge) -> Iterator[ProxyServer]:
    with ProxyServer(("127.0.0.1", 0), Proxy) as running:
        running.target = int(server.url.rpartition(":")[2])
        threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
        yield running
        running.shutdown()


def test_who_is_trusted_gets_the_secret(
    server: OnlineJudge, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    assert Site(server.url, timeout=20).post(f"{server.url}/login", LOGIN).status == 200


def test_who_is_not_trusted_gets_nothing(server: OnlineJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with pytest.raises(SubmitError, match=r"its certificate is not to be trusted \(self.signed certificate\)") as error:
        Site(server.url, timeout=20).post(f"{server.url}/login", LOGIN, submits=True)
    assert error.value.arrival is DeliveryState.NO
    assert server.requests == []


def test_a_proxy_passes_on_what_it_cannot_read(
    proxy: ProxyServer, server: OnlineJudge, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:proxy%2Dpass@127.0.0.1:{proxy.server_address[1]}")
    for name in ("no_proxy", "NO_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert Site("https://judge.test", timeout=20).post("https://judge.test/login", LOGIN).status == 200
    assert proxy.seen.startswith(b"CONNECT judge.test:443 HTTP/1.")
    assert b"Proxy-Authorization: Basic bWU6cHJveHktcGFzcw==" in proxy.seen
    assert site.TOKEN.encode() not in proxy.seen
    assert server.requests == ["POST /login"]


def test_a_certificate_of_another_name_is_refused(
    proxy: ProxyServer, server: OnlineJudge, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.server_address[1]}")
    for name in ("no_proxy", "NO_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SubmitError, match="its certificate is not to be trusted"):
        Site("https://other.test", timeout=20).post("https://other.test/login", LOGIN)
    assert server.requests == []


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("http://127.0.0.1:port", "HTTPS_PROXY names no proxy (Port could not be cast"),
        ("socks5://127.0.0.1:1", "HTTPS_PROXY names no proxy (expected an address such as http://proxy.example:3128)"),
        ("http://127.0.0.1:1", " (through the proxy 127.0.0.1:1): the connection was refused"),
        ("http://no-such-proxy.invalid:1", "the host no-such-proxy.invalid is not known"),
    ],
)
def test_a_proxy_that_is_none_is_blamed_for_it(named: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", named)
    for name in ("no_proxy", "NO_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SubmitError) as error:
        Site("https://judge.test", timeout=20).post("https://judge.test/login", LOGIN, submits=True)
    assert message in str(error.value)
    assert str(error.value).endswith(". Nothing was sent")
    assert error.value.arrival is DeliveryState.NO


def test_an_ipv6_address_has_no_port_in_it() -> None:
    assert Site("https://[::1]/x", timeout=20).address == "https://[::1]"
    connection = connection_to("::1", None, is_tls=True, timeout=20)
    assert (connection.host, connection.port) == ("::1", 443)


@pytest.mark.parametrize("url", ["http://judge.example/x", "http://192.168.0.7/x"])
def test_a_secret_is_not_sent_in_the_clear_unless_that_is_wanted(url: str) -> None:
    with pytest.raises(UsageError, match="is not encrypted"):
        Site(url, timeout=20)
    assert Site(url, timeout=20, allow_http=True).address == url.removesuffix("/x")


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret(site.TOKEN)
    assert site.TOKEN not in f"{secret} {secret!r} {[secret]} {vars(Secret)}"
    import pickle

    with pytest.raises(TypeError, match="a secret is not written anywhere"):
        pickle.dumps(secret)
