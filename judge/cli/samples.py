"""`judge listen` and `judge import`: problems from a browser or another tool into this repository."""

import argparse
import re
import sys
from http import HTTPStatus
from pathlib import Path

from judge.cli.new import root_or_here
from judge.cli.signals import interruptible
from judge.errors import DataError, JudgeError, UsageError, describe_error
from judge.online.samples.draft import Draft
from judge.online.samples.server import CompanionServer, Delivery, Refused
from judge.online.samples.writer import place

_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")
_LARGEST_PORT = 65535


def import_command(args: argparse.Namespace) -> int:
    """Carry out `judge import`; return the exit status."""
    from judge.online.samples.readers import read_drafts

    if args.id is not None and not _ID.fullmatch(args.id):
        raise UsageError(f"--id {args.id}: an id has lower-case letters, digits, _ and -")
    if args.id is not None and len(args.places) > 1:
        raise UsageError(f"--id {args.id}: one id for {len(args.places)} problems; import them one by one")
    root = root_or_here(args)
    had_errors = False
    for given in args.places:
        try:
            for draft in read_drafts(given, args.id):
                _tell(draft, _placed(draft, root, force=args.force))
        except (JudgeError, OSError) as error:
            if len(args.places) == 1:
                raise
            print(str(error) if isinstance(error, DataError) else f"judge: {describe_error(error)}", file=sys.stderr)
            had_errors = True
    return 2 if had_errors else 0


def listen_command(args: argparse.Namespace) -> int:
    """Carry out `judge listen`; return the exit status."""
    if not 0 <= args.port <= _LARGEST_PORT:
        raise UsageError(f"--port {args.port}: expected a number from 1 to {_LARGEST_PORT}, or 0 for any that is free")
    root = root_or_here(args)
    with interruptible(), CompanionServer(args.port) as inbox:
        print(
            f"listening on http://localhost:{inbox.port}/ for Competitive Companion, for {root}; Ctrl-C ends it",
            file=sys.stderr, flush=True,
        )  # fmt: skip
        return _listen(inbox, root, once=args.once, force=args.force)


def _listen(inbox: CompanionServer, root: Path, *, once: bool, force: bool) -> int:
    """Take problems until one batch is complete, or without end."""
    counts: dict[str, int] = {}
    status = 0
    for came in inbox.received():
        batch = came.batch if isinstance(came, Refused) else came.draft.batch
        key = batch.id if batch else ""
        counts[key] = counts.get(key, 0) + 1
        progress = f"{counts[key]} of {batch.size}" if batch and batch.size > 1 else ""
        if isinstance(came, Refused):
            print(f"judge: refused {came.reason}" + _in_brackets(progress), file=sys.stderr, flush=True)
            if batch is None:  # no problem, nor one of a contest: what is waited for may still come
                del counts[key]
                continue
            status = 2
        else:
            status = max(status, _take(came, root, progress, force=force))
        if batch is None or counts[key] >= batch.size:
            del counts[key]
            if once:
                return status
    raise AssertionError("the inbox never ends")


def _take(came: Delivery, root: Path, progress: str, *, force: bool) -> int:
    draft = came.draft
    try:
        lines = _placed(draft, root, force=force)
    except JudgeError as error:
        print(f"judge: {error}" + _in_brackets(progress), file=sys.stderr, flush=True)
        came.answer(HTTPStatus.CONFLICT, str(error))
        return 2
    try:
        _tell(draft, lines, progress)  # before the answer, after which a sender may end us
    finally:
        came.answer(HTTPStatus.OK, lines)
    return 0


def _placed(draft: Draft, root: Path, *, force: bool) -> str:
    """Write a problem's files; return what was done, in words."""
    if draft.is_interactive:
        return (
            f"{draft.id} is interactive: its samples are a dialogue, which this judge does not run; nothing was written"
        )
    written = place(draft, root, force=force).written
    if not written:
        return f"{draft.id} is there already, and the same"
    count = len(draft.samples)
    cases = f"{count} case{'s' * (count != 1)}" if count else "no cases yet: it came without samples"
    return f"made {draft.id}: {cases}"


def _tell(draft: Draft, done: str, progress: str = "") -> None:
    print(done + _in_brackets(progress))
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
