"""The commands, in the order of `judge --help`: the module in `judge.commands` and a summary of each."""

COMMANDS = {
    "run": ("run", "judge solutions"),
    "watch": ("watch", "judge again what each save affects, failures first"),
    "compare": ("compare", "show what changed since a baseline, a commit or an earlier run"),
    "baseline": ("baseline", "save what the solutions do now, to compare with later"),
    "history": ("history", "list earlier runs, or those of one solution"),
    "list": ("list", "list problems, or the cases and solutions of some"),
    "debug": ("debug", "run one case on this terminal, with sanitizers or in a debugger"),
    "show": ("show", "show a problem's statement and limits, or a case's input and answer"),
    "lock": ("lock", "generate and confirm all test data, and record its hashes"),
    "new": ("new", "create the files of a new problem, ready to run"),
    "listen": ("listen", "receive problems from the browser extension Competitive Companion"),
    "import": ("import_", "create problems from the samples of another tool"),
    "check": ("check", "check whether a file is ready to be submitted to an online judge"),
    "bundle": ("bundle", "merge a solution and your own modules that it imports into one file"),
    "submit": ("submit", "judge a file and submit it to its online judge"),
    "fetch": ("fetch", "download external data, check it and keep it"),
    "config": ("config", "show every setting and where it comes from"),
    "doctor": ("doctor", "show the sandbox status of this machine, and which languages it has"),
    "schema": ("schema", "print the JSON Schema of a file or a report"),
    "completion": ("completion", "print the script that completes command lines in a shell"),
}
