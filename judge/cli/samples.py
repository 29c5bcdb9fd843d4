"""`judge listen` and `judge import`: import problems from a browser or another tool."""

import argparse
import re
import sys
from http import HTTPStatus
from pathlib import Path

from judge.cli.new import root_or_here
from judge.cli.signals import interruptible
from judge.errors import DataError, JudgeError, UsageError, describe_error
from judge.online.samples.draft import Draft
from judge.online.samples.server import CompanionServer, ProblemRequest, RejectedRequest
from judge.online.samples.writer import write_problem

_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")
_MAX_PORT = 65535


def import_command(args: argparse.Namespace) -> int:
    """Carry out `judge import`; return the exit status."""
    from judge.online.samples.readers import read_drafts

    if args.id is not None and not _ID.fullmatch(args.id):
        raise UsageError(f"--id {args.id}: expected lower-case letters, digits, `_` and `-`")
    if args.id is not None and len(args.places) > 1:
        raise UsageError(f"--id {args.id}: expected one problem, found {len(args.places)}; import one at a time")
    root = root_or_here(args)
    had_errors = False
    for given in args.places:
        try:
            for draft in read_drafts(given, args.id):
                _print_draft(draft, _write(draft, root, force=args.force))
        except (JudgeError, OSError) as error:
            if len(args.places) == 1:
                raise
            print(str(error) if isinstance(error, DataError) else f"judge: {describe_error(error)}", file=sys.stderr)
            had_errors = True
    return 2 if had_errors else 0


def listen_command(args: argparse.Namespace) -> int:
    """Carry out `judge listen`; return the exit status."""
    if not 0 <= args.port <= _MAX_PORT:
        raise UsageError(f"--port {args.port}: expected a number from 1 to {_MAX_PORT}, or 0 for a free port")
    root = root_or_here(args)
    with interruptible(), CompanionServer(args.port) as server:
        print(
            f"listening for Competitive Companion on http://localhost:{server.port}/, writing to {root}; press Ctrl-C "
            "to stop",
            file=sys.stderr, flush=True,
        )  # fmt: skip
        return _listen(server, root, once=args.once, force=args.force)


def _listen(server: CompanionServer, root: Path, *, once: bool, force: bool) -> int:
    """Import problems; with `once`, until one batch is complete."""
    counts: dict[str, int] = {}
    status = 0
    for request in server.requests():
        batch = request.batch if isinstance(request, RejectedRequest) else request.draft.batch
        key = batch.id if batch else ""
        counts[key] = counts.get(key, 0) + 1
        progress = f"{counts[key]} of {batch.size}" if batch and batch.size > 1 else ""
        if isinstance(request, RejectedRequest):
            print(f"judge: rejected a request: {request.reason}" + _in_brackets(progress), file=sys.stderr, flush=True)
            if batch is None:  # not part of a batch: a valid problem may still arrive
                del counts[key]
                continue
            status = 2
        else:
            status = max(status, _import(request, root, progress, force=force))
        if batch is None or counts[key] >= batch.size:
            del counts[key]
            if once:
                return status
    raise AssertionError("the server does not stop by itself")


def _import(request: ProblemRequest, root: Path, progress: str, *, force: bool) -> int:
    draft = request.draft
    try:
        text = _write(draft, root, force=force)
    except JudgeError as error:
        print(f"judge: {error}" + _in_brackets(progress), file=sys.stderr, flush=True)
        request.respond(HTTPStatus.CONFLICT, str(error))
        return 2
    try:
        _print_draft(draft, text, progress)  # before the response: the client may stop us after it
    finally:
        request.respond(HTTPStatus.OK, text)
    return 0


def _write(draft: Draft, root: Path, *, force: bool) -> str:
    """Write a problem's files; return a message about the result."""
    if draft.is_interactive:
        return f"{draft.id} is interactive, which this judge does not support; nothing was written"
    if not write_problem(draft, root, force=force):
        return f"{draft.id} is up to date"
    count = len(draft.samples)
    cases = f"{count} case{'s' * (count != 1)}" if count else "no cases, since it has no samples"
    return f"created {draft.id}: {cases}"


def _print_draft(draft: Draft, result: str, progress: str = "") -> None:
    print(result + _in_brackets(progress))
    if draft.is_interactive:
        sys.stdout.flush()
        return
    for note in draft.notes:
        print(f"  note: {note}")
    if draft.samples:
        print(f"  judge run {draft.id}")
    sys.stdout.flush()


def _in_brackets(progress: str) -> str:
    return f" ({progress})" if progress else ""
