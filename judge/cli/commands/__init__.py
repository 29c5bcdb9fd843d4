"""The commands: one file each, with its options and what it does.

A command is a module with

- `EPILOG`, the end of its help: details and examples,
- `Options`, a struct that declares its arguments and holds their values (see `arguments`),
- `execute(options)`, which returns the exit status, or raises JudgeError or OSError.

Only the chosen one is imported.
"""

from enum import IntEnum

GROUPS = {
    "every day": {
        "run": ("run", "judge solutions"),
        "watch": ("watch", "judge again what each save affects, failures first"),
        "add": ("add", "add a case that you type, paste or pipe"),
        "hack": ("hack", "search for an input on which a solution fails, and shrink it"),
        "stress": ("stress", "run two programs on what a generator makes, until they differ"),
        "debug": ("debug", "run one case on this terminal, with sanitizers or in a debugger"),
        "show": ("show", "show a problem's statement and limits, or a case's input and answer"),
        "check": ("check", "check a file before you submit it, a problem's tests, or a package"),
        "submit": ("submit", "judge a file and submit it to its online judge"),
        "listen": ("listen", "receive problems from the browser extension Competitive Companion"),
        "demo": ("demo", "make a folder with solutions and samples to try the judge on"),
    },
    "problems of your own": {
        "new": ("new", "create the files of a new problem, ready to run"),
        "list": ("list", "list problems, or the cases and solutions of some"),
        "lock": ("lock", "generate and confirm all test data, and record its hashes"),
        "compare": ("compare", "show what changed since a baseline, a commit or an earlier run"),
        "baseline": ("baseline", "save what the solutions do now, to compare with later"),
        "history": ("history", "list earlier runs, or those of one solution"),
        "strength": ("strength", "show how many small mistakes in the solutions the cases notice"),
        "timelimit": ("timelimit", "propose a time limit, and show the margins on both sides"),
        "scale": ("scale", "measure how time and memory grow, and find the largest size in time"),
        "fetch": ("fetch", "download external data, check it and keep it"),
    },
    "other tools and formats": {
        "import": ("import_", "create problems from the samples of another tool"),
        "export": ("export", "write a problem as a package (Kattis, DOMjudge, BAPCtools, Polygon)"),
        "statement": ("statement", "write the statement of a problem, or those of a contest, as a page or PDF file"),
        "bundle": ("bundle", "merge a Python solution and your modules that it imports into one file"),
    },
    "many submissions": {
        "grade": ("grade", "grade the files of a class, or a stream of submissions in JSON lines"),
        "merge": ("merge", "merge the results of shards that `judge grade` wrote"),
    },
    "this machine": {
        "config": ("config", "show every setting and where it comes from"),
        "doctor": ("doctor", "show the sandbox status of this machine, and which languages it has"),
        "schema": ("schema", "print the JSON Schema of a file or a report"),
        "editor": ("editor", "print what an editor needs to run the judge and to jump to errors"),
        "completion": ("completion", "print the script that completes command lines in a shell"),
    },
}
"""The commands in groups, in the order of `judge --help`: the module here and a summary of each."""

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


class ExitStatus(IntEnum):
    """What the process returns to the shell."""

    SUCCESS = 0  # everything is as expected
    FAILURE = 1  # a verdict, an output or a cost is not as expected
    ERROR = 2  # wrong usage, wrong test data, or an error of the judge itself
    HUNG_UP = 128 + 1  # as a shell reports SIGHUP
    INTERRUPTED = 128 + 2  # SIGINT; commands return it for every signal that interrupts them
    BROKEN_PIPE = 128 + 13  # SIGPIPE
    TERMINATED = 128 + 15  # SIGTERM
