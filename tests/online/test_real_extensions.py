"""The real browser extensions, in a headless Chromium, take a submission and submit it to an imitation of the judge.

JUDGE_TEST_EXTENSIONS names a folder with the built extensions `cph-submit` (github.com/agrawal-d/cph-submit: `npm
install`, `npx webpack --mode=production`; `dist`, `icon-48.png`, and a `manifest.json` with the members of
`manifest.partial.json` and `manifest-chrome.partial.json`) and `cph-ng-submit` (github.com/langningchen/cph-ng:
`npx wxt build` in `packages/browser-ext`; its `dist/chrome-mv3`). They ask at the port 27121, which must be free.
"""

import json
import os
import shutil
import signal
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from tests.cli.command_line import JUDGE, write
from tests.online import online_judge as site
from tests.online.test_submit_tls import certificate

__all__ = ["certificate"]

FOLDER = Path(os.environ.get("JUDGE_TEST_EXTENSIONS", "/nonexistent"))
CHROMIUM = shutil.which("chromium")
HOSTS = ("codeforces.com", "cses.fi", "atcoder.jp")
SOURCE = (
    "// größer: \N{SNOWMAN}\r\n#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n << '\\n'; }\n"
)
NUMBERS = "".join(f"<option value={number}>{number}</option>" for number in (54, 7, 91, 31, 43))
FORMS = {
    "codeforces.com": "<select name=submittedProblemIndex><option>B<option>A</select><input name=submittedProblemCode>"
    f"<select name=programTypeId>{NUMBERS}</select><textarea id=sourceCodeTextarea name=source></textarea>",
    "cses.fi": "<input type=file name=file><select name=lang id=lang><option>Java<option>Python3<option>C++</select>",
}  # fmt: skip

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made with openssl"),
]


class Pages(site._Handler):
    """Serves a submit page at every address, and keeps what is posted."""

    posts: list[tuple[float, str, dict[str, Any]]]

    def act(self, method: str) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        host, path = self.headers["Host"], urlsplit(self.path).path
        if method == "POST":
            fields, files = self.form()
            form: dict[str, str | bytes] = {name: values[0] for name, values in fields.items()}
            form |= {name: data for name, _, data in files}
            self.posts.append((time.monotonic(), f"{host}{path}", form))
            self.answer(303, "", {"Location": "/status"})
        elif "submit" in path:
            text = f"<form method=post enctype=multipart/form-data>{FORMS[host]}<input type=submit class=submit></form>"
            self.answer(200, f"<!DOCTYPE html><meta charset=utf-8>{text}", {"Content-Type": "text/html"})
        else:
            self.answer(200, "nothing here", {"Content-Type": "text/html"})


@contextmanager
def pages(certificate: Path) -> Iterator[tuple[int, list[tuple[float, str, dict[str, Any]]]]]:
    """Serve the pages of all judges; yield the port and what is posted there."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    posts: list[tuple[float, str, dict[str, Any]]] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), type("_", (Pages,), {"posts": posts})) as server:
        server.daemon_threads = True
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.server_port, posts
        server.shutdown()


@contextmanager
def chromium(profile: Path, port: int, extension: Path) -> Iterator[None]:
    """Run a browser with an extension that finds the judges on a port of this machine (DevTools protocol, by pipe)."""
    rules = ",".join([*(f"MAP {host}:443 127.0.0.1:{port}" for host in HOSTS), "MAP * ~NOTFOUND", "EXCLUDE localhost"])
    argv = [
        *(cast("str", CHROMIUM), "--headless=new", "--disable-gpu", "--no-first-run", "--no-default-browser-check"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-sandbox"),
        *("--remote-debugging-pipe", "--ignore-certificate-errors", f"--user-data-dir={profile}"),
        *(f"--host-resolver-rules={rules},EXCLUDE 127.0.0.1", "about:blank"),
    ]
    there, to_browser = os.pipe()
    from_browser, here = os.pipe()
    command = ["sh", "-c", f'exec 3<&{there} 4>&{here} && exec "$@"', "sh", *argv]
    browser = subprocess.Popen(
        command, pass_fds=(there, here), start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(there)
    os.close(here)
    with os.fdopen(to_browser, "wb", 0) as requests, os.fdopen(from_browser, "rb", 0) as answers:
        try:
            params = {"path": str(extension)}
            requests.write(
                json.dumps({"id": 1, "method": "Extensions.loadUnpacked", "params": params}).encode() + b"\0"
            )
            answer = b""
            while not answer.endswith(b"\0") and (part := answers.read(1)):
                answer += part
            assert b'"result"' in answer, answer
            yield
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()


CODEFORCES, CSES = "https://codeforces.com", "https://cses.fi"


@pytest.mark.parametrize(
    ("extension", "url", "page", "fields"),
    [
        ("cph-submit", f"{CODEFORCES}/contest/9001/problem/A", "codeforces.com/contest/9001/submit",
         {"submittedProblemIndex": "A", "programTypeId": "91"}),
        ("cph-submit", f"{CODEFORCES}/problemset/problem/9001/A?locale=en", "codeforces.com/problemset/submit/9001/A",
         {"programTypeId": "91"}),
        ("cph-submit", f"{CSES}/problemset/task/1068", "cses.fi/problemset/submit/1068/", {"lang": "C++"}),
        ("cph-ng-submit", f"{CODEFORCES}/contest/9001/problem/A", "codeforces.com/contest/9001/submit",
         {"submittedProblemIndex": "A", "programTypeId": "54"}),
    ],
)  # fmt: skip
def test_an_extension_submits_the_right_text_to_the_right_problem_within_5_s_exactly_once(  # noqa: PLR0917 - pytest gives them by name
    tmp_path: Path, certificate: Path, extension: str, url: str, page: str, fields: dict[str, str]
) -> None:
    if not (FOLDER / extension / "manifest.json").is_file():
        pytest.skip(f"JUDGE_TEST_EXTENSIONS names no folder with the built extension {extension}")
    write(tmp_path / "a/problem.yaml", f"name: Twice\nsource: {{name: Twice, url: '{url}'}}\n")
    write(tmp_path / "a/tests/1.in", "4\n")
    write(tmp_path / "a/tests/1.out", "8\n")
    write(tmp_path / "a/a.cpp", SOURCE)
    argv = [*JUDGE, "submit", "a.cpp", "--browser", "--yes", "--patience", "60"]
    with pages(certificate) as (port, posts), chromium(tmp_path / "profile", port, FOLDER / extension):
        process = subprocess.Popen(argv, cwd=tmp_path / "a", text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stderr is not None
        shown = iter(process.stderr.readline, "")
        assert any("waiting for a browser extension" in line for line in shown)
        start = time.monotonic()
        _, err = process.communicate(timeout=90)
        assert process.returncode == 0, err
        again = subprocess.run(argv, cwd=tmp_path / "a", capture_output=True, text=True, check=False)
        assert "was taken by a browser extension" in again.stderr
        time.sleep(6)  # two polls of cph-submit, and one reconnection of CPH-NG Submit
    ((when, where, form),) = posts
    source = form.pop("source", None) or form.pop("file").decode()
    assert source.replace("\r\n", "\n") == SOURCE.replace("\r\n", "\n")
    assert where == page
    assert {name: form[name] for name in fields} == fields
    assert when - start < 5
