"""Help: for a command or topic that the user names, and for a wrong command line.

The topics are the files of judge/cli/topics. A wrong command line gets the nearest command or option, or what another
tool's word is called here.
"""

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge.base.errors import JudgeError, UsageError
from judge.cli.commands import COMMANDS
from judge.cli.wrapping import wrap_help

if TYPE_CHECKING:  # a topic needs no argparse
    from judge.cli.commands.arguments import Parser

TOPICS = Path(__file__).parent / "topics"


def show_help(words: Sequence[str], overview: str) -> int:
    """Print the help about a command or topic, or without one, the overview and the topics; return the exit status.

    Raises:
        UsageError: there is no such command or topic.
    """
    match [word for word in words if word not in ("-h", "--help")]:
        case []:
            width = max(map(len, topic_names())) + 2
            topics = "".join(f"  {name:<{width}}{_read_topic(name)[0]}\n" for name in topic_names())
            print(wrap_help(f"{overview}\ntopics of `judge help TOPIC`:\n{topics}"), end="")
        case [name] if name in COMMANDS:
            from judge.cli.commands.arguments import make_parser

            make_parser(name).print_help()
        case [name] if name in topic_names():
            print(wrap_help(_read_topic(name)[1]), end="")
        case [name]:
            near = _find_nearest(name, [*COMMANDS, *topic_names()])
            hint = f"did you mean {near}?" if near else "`judge help` lists them"
            raise UsageError(f"{name}: no such command or topic; {hint}")
        case _:
            raise UsageError("`judge help` takes one command or topic; `judge help` lists them")
    return 0


def topic_names() -> list[str]:
    """Return the names of all topics."""
    return sorted(path.stem for path in TOPICS.glob("*.txt"))


def _read_topic(name: str) -> tuple[str, str]:
    """Return the summary of a topic, which is its first line, and the whole text."""
    text = (TOPICS / f"{name}.txt").read_text(encoding="utf-8")
    return text.partition("\n")[0], text


def _find_nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the word that is most similar; "" if none is similar enough."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=cutoff)), "")


# ---- wrong command lines --------------------------------------------------------------------------------------------

# Commands of oj, cf-tool, BAPCtools, rbx, problemtools, pytest and others: our command that does the same.
_OTHER_COMMANDS: Mapping[str, str] = {
    **dict.fromkeys(("t", "test", "tests", "exec", "execute", "judge", "irun", "all", "pytest", "nextest"), "run"),
    **dict.fromkeys(("s", "send", "upload"), "submit"),
    **dict.fromkeys(("create", "init", "new_problem", "new-problem", "scaffold"), "new"),
    **dict.fromkeys(("w", "dev", "loop"), "watch"),
    **dict.fromkeys(("ls", "problems", "status", "stats"), "list"),
    **dict.fromkeys(("cat", "view", "info", "open"), "show"),
    **dict.fromkeys(("diff", "regress", "time", "timing", "bench", "benchmark"), "compare"),
    **dict.fromkeys(("log", "runs", "submissions"), "history"),
    **dict.fromkeys(("lint", "ready"), "check"),
    **dict.fromkeys(("expand", "combine", "pack"), "bundle"),
    **dict.fromkeys(("env", "sandbox", "system-info"), "doctor"),
    **dict.fromkeys(("completions", "complete-script", "generate-shell-completion"), "completion"),
    **dict.fromkeys(("schemas",), "schema"),
    **dict.fromkeys(("settings", "show-config"), "config"),
    **dict.fromkeys(("gdb", "pdb"), "debug"),
}

_DOWNLOAD = (
    "`judge listen` receives problems from the browser, and `judge import` reads the samples that another tool "
    "downloaded"
)
_VALIDATE = "`judge lock` validates inputs and confirms answers; `judge check` examines a file before you submit it"
_GENERATE = "`judge run` compiles and generates what it needs; `judge lock` generates and confirms all test data again"
_RANDOM = "`judge stress` and `judge hack` search for an input on which a solution fails"

# Commands of others that more than one of ours, or none, replaces.
_EXPLANATIONS: Mapping[str, str] = {
    **dict.fromkeys(("d", "download", "parse", "get", "get-problem", "pull", "clone", "race", "samples"), _DOWNLOAD),
    **dict.fromkeys(("verify", "verifyproblem", "validate", "validation", "constraints", "unit"), _VALIDATE),
    **dict.fromkeys(("build", "compile", "make", "g", "gen", "generate", "generate-output", "testdata"), _GENERATE),
    **dict.fromkeys(("fuzz", "random"), _RANDOM),
    **dict.fromkeys(("login", "l"), "`judge submit` reads ~/.kattisrc and ~/.netrc: see `judge help online-judges`"),
    "version": "`judge --version` shows the version",
}

# Options of others: our option that does the same. Shown only where the command has it.
_OTHER_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("-k", "-m", "-E", "--filter", "--filterset", "--testcase", "--test-case"), "--case"),
    **dict.fromkeys(("--lf", "--last-failed", "--ff", "--failed-first", "--rerun", "--only-failed"), "--failed"),
    **dict.fromkeys(("--maxfail", "--exitfirst", "--max-fail", "--stop"), "--fail-fast"),
    **dict.fromkeys(("-d", "--directory", "--dir", "--tests", "--test-dir", "--samples"), "--cases"),
    **dict.fromkeys(("-t", "--tle", "--timeout", "--timelimit", "--tl", "--time"), "--time-limit"),
    **dict.fromkeys(("--mle", "--memory", "--memlimit", "--ml"), "--memory-limit"),
    **dict.fromkeys(("-e", "--error", "--eps", "--epsilon", "--tolerance"), "--float-tolerance"),
    **dict.fromkeys(("-n", "--numprocesses", "--test-threads", "--threads", "--workers", "--parallel"), "--jobs"),
    **dict.fromkeys(("--no-cache", "--cache-clear", "--force"), "--fresh"),
    **dict.fromkeys(("--message-format", "--reporter", "--output-format", "--json"), "--format"),
    **dict.fromkeys(("--no-capture", "--nocapture", "--success-output", "--print-output"), "--show-output"),
    **dict.fromkeys(("--silent",), "--quiet"),
    **dict.fromkeys(("-o", "--out"), "--output"),
    **dict.fromkeys(("--format", "--target", "--type"), "--to"),
    **dict.fromkeys(("--confirm", "--no-confirm", "--no-open", "-f"), "--yes"),
    **dict.fromkeys(("-p",), "--problem"),
    **dict.fromkeys(("-c", "--command", "--source", "--file"), "--solution"),
}

_OPTION_EXPLANATIONS: Mapping[str, str] = {
    **dict.fromkeys(("--no-fail-fast", "--keep-going"), "leave it out: every case is judged without --fail-fast"),
    **dict.fromkeys(("--collect-only", "--co", "--list"), "`judge list` lists problems, cases and solutions"),
    **dict.fromkeys(("--durations", "--slowest"), "leave it out: the report names the slowest case of each solution"),
    "--interactive": "an interactor belongs to a problem: its problem.yaml names it (see docs/format.md)",
    **dict.fromkeys(("--junitxml", "--junit"), "pytest writes JUnit XML: `pytest --judge --junitxml report.xml`"),
}


def explain_command(words: Sequence[str]) -> str:
    """Return what is wrong with a command line whose first word is no command, and what to type instead."""
    word = words[0]
    if not word:
        return "the first word is empty, perhaps an unset variable of the shell; expected a command or a file"
    if text := _EXPLANATIONS.get(word):
        return f"{word}: no such command; {text}"
    if (ours := _OTHER_COMMANDS.get(word)) in COMMANDS:
        parts = (part for each in words[1:] for part in each.split())  # files may be in words, as in -c "python3 a.py"
        files = [part for part in parts if os.path.isfile(part)]  # noqa: PTH113 - any text is allowed
        return f"{word}: no such command; did you mean `{shlex.join(['judge', ours, *files])}`?"
    if _is_target(word):
        return f"{word}: no such command; did you mean `{shlex.join(['judge', 'run', *words])}`?"
    if "." in word or "/" in word:
        return f"{word}: no such file or command"
    near = _find_nearest(word.lower(), [*COMMANDS, "help"]) or _find_nearest(word.lower(), _OTHER_COMMANDS, 0.75)
    ours = _OTHER_COMMANDS.get(near, near)
    return f"{word}: no such command" + (f"; did you mean {ours}?" if ours in COMMANDS or ours == "help" else "")


def explain_arguments(words: Sequence[str], parser: "Parser") -> str:
    """Return what is wrong with arguments that a command does not know, and what to type instead."""
    option = next((word for word in words if word.startswith("-")), None)
    if option is None:
        return f"{shlex.join(words)}: unexpected; `{parser.prog}` takes fewer arguments"
    name = _option_name(option)
    ours = _OTHER_OPTIONS.get(name)
    if ours in parser.options:
        pattern = " It takes a pattern such as 'edge*'" if ours == "--case" else ""
        return f"{name}: no such option; did you mean {ours}?{pattern}"
    if text := _OPTION_EXPLANATIONS.get(name):
        return f"{name}: no such option; {text}"
    near = _find_nearest(name, sorted(parser.options))
    return f"{name}: no such option" + (f"; did you mean {near}?" if near else "")


def explain_first_option(word: str, known: Sequence[str]) -> str:
    """Return what is wrong with an option that stands before the command; `known` are those that may stand there."""
    name = _option_name(word)
    if name in known:
        return f"{word}: {name} takes no value"
    if near := _find_nearest(name, known):
        return f"{name}: no such option; did you mean {near}?"
    return f"{name}: no such option before a command; the options of a command stand after it"


def _option_name(word: str) -> str:
    """Return an option without its value: `--maxfail` of `--maxfail=1`, `-n` of `-n4`."""
    return word.partition("=")[0] if word.startswith("--") else word[:2]


def _is_target(word: str) -> bool:
    """Return whether a word is an existing folder or file, or a problem's id."""
    if os.path.exists(word):  # noqa: PTH110 - any text is allowed
        return True
    from judge.workspace.workspace import Workspace

    try:
        return word.partition("/")[0] in Workspace.find().problem_ids()
    except (JudgeError, OSError):
        return False
