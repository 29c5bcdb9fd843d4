"""`judge listen`: receive problems from the browser extension Competitive Companion."""

import sys
from collections import Counter
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from judge.base.errors import JudgeError, describe_error, make_safe
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import option
from judge.cli.commands.options import Arguments
from judge.cli.commands.starter import (
    Destination,
    DestinationOptions,
    find_destination,
    print_result,
    with_progress,
    write_draft,
)
from judge.online.samples import DEFAULT_PORT
from judge.online.samples.readers import Batch

if TYPE_CHECKING:  # imported when the server starts: help and completion need none of them
    from judge.online.samples.server import CompanionServer, ProblemRequest

EPILOG = """\
Click the extension's green plus on the page of a problem or a contest: each problem becomes files here, ready to run.
In a repository these are problems/ID, testcases/ID and solutions/ID; elsewhere abc300/a/a.py and abc300/a/tests, or
with `--layout contest` abc300/a.py and abc300/tests/a. A solution that is there already is kept. A problem that is
there already is recognized by its URL, also from another page. An interactive one gets a sketch of an interactor.

The extension posts to the ports 1327 4244 6174 10042 10043 10045 27121.

examples:
  judge listen
  judge listen --once              receive one problem or one contest, then exit
  judge listen --layout contest --language cpp
  judge listen --template ~/template.cpp
  judge listen --port 10045

A template may contain {{name}}, {{id}}, {{url}} and {{date}}.
"""


class Options(Arguments, frozen=True, kw_only=True):
    """How `judge listen` receives problems."""

    port: Annotated[int, option(f"the port, 0 for any free one (default: {DEFAULT_PORT})", between=(0, 65535))] = (
        DEFAULT_PORT
    )
    once: Annotated[bool, option("exit after one problem, or one whole contest")] = False
    destination: DestinationOptions


def execute(options: Options) -> ExitStatus:
    """Receive problems until one batch is complete, or without end; return the exit status."""
    from judge.cli.commands.signals import raise_on_signal
    from judge.online.samples.server import CompanionServer

    to = find_destination(options.root, options.destination)
    with raise_on_signal(), CompanionServer(options.port) as server:
        print(
            f"listening on http://localhost:{server.server_port}/ for Competitive Companion, writing to {to.root}; "
            "Ctrl-C stops it",
            file=sys.stderr, flush=True,
        )  # fmt: skip
        return _receive(server, to, once=options.once)


def _receive(server: "CompanionServer", to: Destination, *, once: bool) -> ExitStatus:
    from judge.online.loopback import SEND_TIMEOUT_S, RejectedError

    counts = Counter[str]()  # of the problems of contests
    status = ExitStatus.SUCCESS
    while True:
        request = server.queue.get()
        is_rejected = isinstance(request, RejectedError)
        batch = request.batch if is_rejected else request.draft.batch or Batch(id="", size=1)
        counts.update([batch.id] if batch else ())
        progress = f"{counts[batch.id]} of {batch.size}" if batch and batch.size > 1 else ""
        if is_rejected:
            text = f"rejected a request: {request} (status {request.status.value} {request.status.phrase})"
            print(make_safe(f"judge: {with_progress(text, progress)}"), file=sys.stderr, flush=True)
            if batch is None:  # of no contest: a valid problem may still arrive
                continue
            request.is_sent.wait(SEND_TIMEOUT_S)
            status = ExitStatus.ERROR
        else:
            status = max(status, _accept(request, to, progress))
        if counts[batch.id] >= batch.size:
            del counts[batch.id]
            if once:
                return status


def _accept(request: "ProblemRequest", to: Destination, progress: str) -> ExitStatus:
    try:
        result, steps = write_draft(request.draft, to)
    except (JudgeError, OSError) as error:
        reason = describe_error(error)
        print(make_safe(f"judge: {with_progress(reason, progress)}"), file=sys.stderr, flush=True)
        request.respond((HTTPStatus.CONFLICT, reason))
        return ExitStatus.ERROR
    try:
        print_result(with_progress(result, progress), steps)  # before the response: the client may stop us after it
    finally:
        request.respond((HTTPStatus.OK, result))
    return ExitStatus.SUCCESS
