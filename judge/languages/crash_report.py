"""What a runtime writes when a program crashes: type and message of the exception, and the line of the user's file."""

import re
from collections.abc import Collection, Iterable, Iterator

from judge.languages.table import CrashReport

_MAX_TEXT = 16 * 1024
_MAX_LINE = 500  # characters: what a program writes is not trusted, and patterns take longer for long lines


def find_crash(text: str, report: CrashReport, names: Collection[str]) -> str:
    """Return the exception that ended a program, as one line: `IndexError: list index out of range (line 3)`.

    Args:
        text: what it wrote to standard error. The program may have made it up.
        report: how its runtime reports exceptions.
        names: of the user's files; the first is that of the main file.

    Returns:
        "" if the text has no exception.
    """
    text = "\n".join(line[:_MAX_LINE] for line in text[:_MAX_TEXT].splitlines()) + "\n"
    for pattern in report.headlines:
        if matches := [*re.finditer(pattern, text, re.MULTILINE)]:
            found = matches[-1 if report.is_last else 0]
            groups = {name: " ".join(value.split()) for name, value in found.groupdict().items() if value}
            headline = ": ".join(groups[name] for name in ("type", "text") if name in groups)
            headline += f", caused by {groups['cause']}" if "cause" in groups else ""
            trace = (
                text[: found.end()] if report.is_last else text[found.end("cause" if "cause" in groups else "text") :]
            )
            frames = re.finditer(report.frame, trace, re.MULTILINE) if report.frame else ()
            own = [*_own_lines([found], names), *_own_lines(frames, names)]
            return f"{headline} ({own[-1 if report.is_last else 0]})" if own else headline
    return ""


def _own_lines(places: Iterable[re.Match[str]], names: Collection[str]) -> Iterator[str]:
    """Yield the lines of the user's files among places."""
    main, *_ = names
    for groups in (found.groupdict() for found in places):
        if (name := (groups.get("file") or "").rpartition("/")[2]) in names:
            yield f"line {groups['line']}" if name == main else f"{name}, line {groups['line']}"
