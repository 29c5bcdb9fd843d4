"""What a runtime writes when a program crashes: type and message of the exception, and the line of the user's file."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct, field

from judge.languages.table import Language


class CrashReport(Struct, frozen=True, kw_only=True):
    """What a runtime writes to standard error when a program crashes.

    Attributes:
        headlines: regular expressions for what says which exception it was; the first that is found counts. The groups
            `type`, `text` and `cause` are parts of the message, `file` and `line` where it was.
        frame: a regular expression with the groups `file` and `line` for the lines of a stack trace.
        is_last: the last call of the stack trace is the one that failed, and it comes before the headline.
        meanings: what headlines say that are only numbers.
    """

    headlines: tuple[str, ...] = ()
    frame: str = ""
    is_last: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)


_OF_PYTHON = CrashReport(  # of exceptions that lead to others, the last one ended the program
    headlines=(
        r"^Traceback \(most recent call last\):\n(?:[ \t].*\n)*(?P<text>\S.*)",
        r"^  \+ Exception Group Traceback \(most recent call last\):\n(?:  \|  .*\n)*  \| (?P<text>\S.*)",
        r"^  File \"(?P<file>.+)\", line (?P<line>\d+)\n(?:    .*\n)*(?P<text>\w+Error: .*)",  # of `compile`
    ),
    frame=r'File "(?P<file>.+)", line (?P<line>\d+)',
    is_last=True,
)
_OF_C = CrashReport(  # the C++ runtime, glibc (`assert`, its heap, its stack protector), sanitizers
    headlines=(
        r"^Error: (?P<text>attempt to .*(?:\n\S.*)*)",  # of -D_GLIBCXX_DEBUG
        r"^terminate called after throwing an instance of '(?P<type>.+)'\n  what\(\):  (?P<text>.*)",
        r"^(?:\S+: )?(?P<file>[^\s:]+):(?P<line>\d+): .*(?P<text>Assertion [`'].*' failed)",
        r"^(?P<text>terminate called .*|\*\*\* .*terminated|(?:\w+\(\): |double free |corrupted ).*)",
        r"^(?P<file>.+?):(?P<line>\d+):\d+: runtime error: (?P<text>.*)",
        r"ERROR: (?P<text>\w+Sanitizer: \S+)",
    ),
    frame=r" (?P<file>/.+?):(?P<line>\d+)",
)
_OF_JVM = CrashReport(
    headlines=(
        r"^Exception in thread \".*\" (?P<text>.+)(?:\n(?:.*\n)*Caused by: (?P<cause>.+))?",
        r"^(?P<text>[\w.$]+(?:Exception|Error)\b.*)\n\s+at (?:.*\n)*(?:Caused by: (?P<cause>.+))?",
    ),
    frame=r"\((?P<file>[^():]+):(?P<line>\d+)\)",
)
_OF_MONO = CrashReport(
    headlines=(r"^Unhandled [Ee]xception[.:]\s+(?P<text>.+)",), frame=r" in (?P<file>\S+?):(?:line )?(?P<line>\d+)"
)
_OF_NODE = CrashReport(
    headlines=(
        r"^[ \t]*\^+\n+(?P<text>\S.*)",  # below the line and the column, whatever was thrown
        r"^FATAL ERROR: (?P<text>.+)",
        r"^(?P<text>\w*Error\b.*)\n    at ",
    ),
    frame=r"(?P<file>[^\s(:]+):(?P<line>\d+):\d+\)?$",
)

_REPORTS: dict[str, CrashReport] = {
    **dict.fromkeys(("python3", "python2", "pypy3"), _OF_PYTHON),
    **dict.fromkeys(("c", "cpp"), _OF_C),
    **dict.fromkeys(("java", "kotlin", "scala"), _OF_JVM),
    **dict.fromkeys(("csharp", "fsharp"), _OF_MONO),
    **dict.fromkeys(("javascript", "typescript"), _OF_NODE),
    "go": CrashReport(
        headlines=(r"^(?P<text>(?:panic|fatal error): .+)",), frame=r"(?P<file>[^\s:]+\.go):(?P<line>\d+)"
    ),
    "rust": CrashReport(
        headlines=(
            r"panicked at (?:'(?P<text>.*)', )?(?P<file>[^\s:]+):(?P<line>\d+):\d+$",
            r"panicked at (?P<file>[^\s:]+):(?P<line>\d+):\d+:\n(?P<text>.+)",
        )
    ),
    "ruby": CrashReport(
        headlines=(r"^(?P<file>\S+?):(?P<line>\d+):in .+?: (?P<text>.+) \((?P<type>[\w:]+)\)$",),
        frame=r"(?P<file>[^\s:]+):(?P<line>\d+):in ",
    ),
    "perl": CrashReport(headlines=(r"^(?P<text>.+) at (?P<file>\S+) line (?P<line>\d+)\.",)),
    "php": CrashReport(
        headlines=(
            r"^(?:PHP )?Fatal error: +(?:Uncaught )?(?P<text>.+) in (?P<file>\S+?)(?::| on line )(?P<line>\d+)$",
        )
    ),
    "lua": CrashReport(headlines=(r"^\S*lua\S*: (?:(?P<file>\S+):(?P<line>\d+): )?(?P<text>.+)",)),
    "haskell": CrashReport(headlines=(r"^program: (?P<text>.+)",)),
    "ocaml": CrashReport(
        headlines=(r"^Fatal error: exception (?P<text>.+)",),
        frame=r'file "(?P<file>.+?)"(?: \(inlined\))?, line (?P<line>\d+)',
    ),
    "pascal": CrashReport(
        headlines=(r"^(?P<text>Runtime error \d+|An unhandled exception occurred .+\n.+)",),
        frame=r"line (?P<line>\d+) of (?P<file>\S+)",
        meanings={  # Free Pascal's user's guide, "Run-time errors"
            "Runtime error 2": "file not found",
            "Runtime error 106": "invalid numeric format",
            "Runtime error 200": "division by zero",
            "Runtime error 201": "range check error",
            "Runtime error 202": "stack overflow",
            "Runtime error 203": "heap overflow",
            "Runtime error 204": "invalid pointer operation",
            "Runtime error 215": "arithmetic overflow",
            "Runtime error 216": "access to memory that is not the program's",
        },
    ),
    "r": CrashReport(headlines=(r"^(?P<text>Error\b.*(?:\n {2}\S.*)?)",)),
    "fortran": CrashReport(
        headlines=(
            r"^(?:At line (?P<line>\d+) of file (?P<file>\S+).*\n)?Fortran runtime error: (?P<text>.+)",
            r"^Program received signal \w+: (?P<text>.+)\.$",
        ),
        frame=r"^\tat (?P<file>\S+):(?P<line>\d+)$",
    ),
    "ada": CrashReport(headlines=(r"^raised (?P<type>\S+) : (?:(?P<file>[^\s:]+):(?P<line>\d+) )?(?P<text>.+)",)),
    "lisp": CrashReport(headlines=(r"^Unhandled (?P<type>[\w:.-]+)[^:]*:\n\s+(?P<text>.+)",)),
    "nim": CrashReport(
        headlines=(r"^Error: unhandled exception: (?P<text>.+)",),
        frame=r"^(?P<file>\S+)\((?P<line>\d+)\)",
        is_last=True,
    ),
    "d": CrashReport(headlines=(r"^(?P<text>[\w.]+)@(?P<file>\S+)\((?P<line>\d+)\)",)),
    "swift": CrashReport(headlines=(r"^(?P<file>\S+?):(?P<line>\d+): (?P<text>Fatal error: .+)",)),
    "dart": CrashReport(headlines=(r"^Unhandled exception:\n(?P<text>.+)",)),
    "julia": CrashReport(headlines=(r"^ERROR: (?:LoadError: )?(?P<text>.+)",)),
    "zig": CrashReport(headlines=(r"^thread \d+ panic: (?P<text>.+)",)),
    "crystal": CrashReport(headlines=(r"^Unhandled exception: (?P<text>.+)",)),
    "elixir": CrashReport(headlines=(r"^\*\* \((?P<type>[\w.]+)\) (?P<text>.+)",)),
}


def report_of(language: Language) -> CrashReport:
    """Return how the runtime of a language reports exceptions."""
    return _REPORTS.get(language.id, CrashReport())


def find_crash(text: str, report: CrashReport, names: Collection[str]) -> str:
    """Return the exception that ended a program, as one line: `IndexError: list index out of range (line 3)`.

    Args:
        text: what it wrote to standard error. The program may have made it up.
        report: how its runtime reports exceptions.
        names: of the user's files; the first is that of the main file.

    Returns:
        "" if the text has no exception.
    """
    # What a program writes is not trusted, and patterns take longer for long lines.
    text = "\n".join(line[:500] for line in text[: 16 * 1024].splitlines()) + "\n"
    for pattern in report.headlines:
        if matches := [*re.finditer(pattern, text, re.MULTILINE)]:
            found = matches[-1 if report.is_last else 0]
            groups = {name: " ".join(value.split()) for name, value in found.groupdict().items() if value}
            headline = ": ".join(groups[name] for name in ("type", "text") if name in groups)
            headline += f": {report.meanings[headline]}" if headline in report.meanings else ""
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
