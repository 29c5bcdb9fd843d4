"""`judge submit` to judges that take nothing from programs: the clipboard and the page."""

import sys
from collections.abc import Callable

from judge.cli.hand_over import HandOver, agreed, size_of
from judge.errors import UsageError
from judge.history.submissions import SubmissionState
from judge.online import desktop
from judge.online.problem_ref import ProblemRef
from judge.online.submit.manual import manual_submission

_DONE, _NOT_DONE = 0, 1


def by_hand(way: HandOver, origin: ProblemRef, is_good: Callable[[], bool], what: Callable[[], bytes]) -> int:
    """Put what a person pastes on the clipboard and open the page; return the exit status.

    Args:
        way: what is handed over.
        origin: where the problem lives.
        is_good: judges it.
        what: the bytes to paste, once it was judged.

    Raises:
        UsageError: it was handed over before, or there is no clipboard within reach.
    """
    paste = manual_submission(origin, way.source.language, way.args.language or "")
    way.refuse_twice(paste.site, paste.problem, paste.url)
    if not is_good():
        return _NOT_DONE
    facts = [("judge", f"{paste.judge} (nothing is sent: you paste it)"), ("problem", paste.problem)]
    facts += [] if origin.judge == "euler" else [("language", paste.language)]
    if not agreed(way.args, [*facts, size_of(way.source)]):
        return _NOT_DONE
    number = way.begin(
        judge=paste.judge, host=paste.site, problem=paste.problem, language=paste.language, page=paste.url
    )
    copied = _copied(what())
    if not copied:
        way.submissions.update(number, state=SubmissionState.REJECTED)
        raise UsageError(
            "there is no clipboard within reach (no terminal, and none of wl-copy, xclip, xsel, pbcopy with a desktop):"
            f" open {paste.url} and paste {paste.content} yourself"
        )
    way.submissions.update(number, state=SubmissionState.MANUAL)
    is_open = desktop.open_page(paste.url)
    print(f"copied    {paste.content}, {copied}")
    print(f"page      {paste.url}" + (" (opened)" if is_open else " (open it yourself)"))
    print(f"now       {paste.instructions}")
    return _DONE


def _copied(data: bytes) -> str:
    """Put some bytes on the clipboard; return by which ways, "" when there was none."""
    tool = desktop.copy_to_clipboard(data)
    sequence = desktop.clipboard_sequence(data) if sys.stderr.isatty() else ""
    if sequence:
        sys.stderr.write(sequence)
        sys.stderr.flush()
    ways = [f"with {tool}"] * bool(tool)
    ways += ["through the terminal (OSC 52; not every terminal takes it)"] * bool(sequence)
    return " and ".join(ways)
