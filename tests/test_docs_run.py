"""The documentation, run: every command of README.md and docs/ works as printed, and prints what is shown.

Each page has a copy of one repository as its current folder, and the files in `FILES`. A block that cannot run has
`<!-- not run: REASON -->` above it; single commands that wait for somebody, or need another machine, are in `WAITING`.
"""

import io
import os
import re
import shlex
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import Struct

from judge.cli.main import run_cli
from tests.cli.command_line import CapSys
from tests.files import write_files
from tests.history.judging import git
from tests.test_docs import PAGES, ROOT

WAITING = {
    "judge watch": "until Ctrl-C",
    "judge listen": "for the browser",
    "judge submit": "an online judge",
    "judge fetch": "a server",
    "judge run uva131 --scheduler": "a cluster",
    "judge grade submissions.jsonl -o results.jsonl --workers": "a cluster",
    "judge hack my.py --workers": "a cluster",
    "judge add a.py  ": "for somebody who types",
    "judge add a.py --from clipboard": "a desktop",
}
NOT_RUN = 12  # blocks with a comment that says why
COMMANDS_RUN = 90  # at least

# What keeps commands short that search or measure.
SHORT = {
    "hack": "--max-inputs 20 -j 1",
    "stress": "--max-inputs 40 -j 1",
    "scale": "--max 64 --time 2",
    "strength": "--mutants 2 --search 0",
    "compare --timing": "--max-time 1",
}
THOROUGH = {
    "ci.md",
    "compare.md",
    "counterexamples.md",
    "html.md",
    "report.md",
    "run.md",
    "strength.md",
    "write-a-problem.md",
}  # take seconds

_BLOCK = re.compile(r"(?m)^(?:<!-- not run: (.+) -->\n)?^(`{3,})(\w*)\n((?s:.*?))^\2$")
_COMMAND = re.compile(r"(echo .*\| *)?(judge [a-z]+\b(?!  \w)|mkdir )")
_OTHERS = re.compile(r"(?m)^(\S*/)?(pip|make|pytest|python3?|git|export|source|curl) ")  # what the tests do not run
_WORD = re.compile(r"(?<!\S)[`(]*([A-Za-z_][A-Za-z_./-]+)[`),:;]*(?!\S)")  # without digits, which vary


class Block(Struct, frozen=True):
    """A block of commands, or of what one printed."""

    page: Path
    line: int
    reason: str
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines without continuations."""
        return self.text.replace("\\\n", " ").splitlines()

    @property
    def commands(self) -> list[str]:
        """The commands; those of a block that shows what they print begin with `$`."""
        prompts = [line[2:] for line in self.lines if line.startswith("$ ")]
        return prompts or [line for line in self.lines if _COMMAND.match(line)]

    @property
    def output(self) -> list[str]:
        """What the commands print."""
        lines = self.text.splitlines()
        return [line for line in lines if not line.startswith("$ ")] if "$ " in self.text else []


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        if found[3] in ("", "sh"):
            yield Block(page, text.count("\n", 0, found.start(3)) + 1, found[1] or "", found[4])


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


# ---- the folder ------------------------------------------------------------------------------------------------------

SUM = "print(sum(map(int, input().split())))\n"
SUM_LINES = "import sys\nfor line in sys.stdin:\n    a, b = line.split()\n    print(int(a) + int(b))\n"
NO_SIGNS = "for _ in range(int(input())):\n    a, b = map(int, input().split())\n    print(a + abs(b))\n"
SUM_CPP = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n"
FILES_CPP = SUM_CPP.replace("<iostream>", "<fstream>").replace("std::cin", 'std::ifstream("sum.in")').replace(
    "std::cout", 'std::ofstream("sum.out")'
)  # fmt: skip
SUM_CASES = {"test/1.in": "1 2\n", "test/1.out": "3\n", "test/2.in": "3 4\n", "test/2.out": "7\n"}
MAX = "input()\nprint(max(map(int, input().split())))\n"
TWO_NUMBERS = "import random, sys\nrandom.seed(sys.argv[-1])\nprint(2)\nprint(*random.choices(range(-9, 9), k=2))\n"
BY_LUCK = """#include <iostream>
int main() {
    int a, b;
    std::cin >> a >> b;
    int values[3] = {a, b, 0};
    int i = a;
    if (values[i] == -77) return 1;
    std::cout << a + b;
}
"""
CHECK = "import sys\nsys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)\n"
TALK = "import sys\nprint(open(sys.argv[1]).read(), flush=True)\nsys.exit(42 if input() else 43)\n"
ROW = '{"id": "%s", "task": "sum", "code": "print(sum(map(int, input().split())))", '
ROWS = "".join(ROW % name + '"tests": [{"input": "1 2", "output": "3"}]}\n' for name in ("s1", "s2"))
POKER = (ROOT / "solutions/uva131/accepted/try_all.py").read_text()
WRONG_POKER = (ROOT / "solutions/uva131/wrong_answer/ace_high_only.py").read_text()
HAND = "TH JH QC QD QS QH KH AH 2S 6S\n"
BEST = "Hand: TH JH QC QD QS Deck: QH KH AH 2S 6S Best hand: straight-flush\n"
POKER_CASES = {f"{n}.{suffix}": text for n in (1, 2, 3) for suffix, text in (("in", HAND), ("out", BEST))}
EXTERNAL_INPUT = "1 2\n"
EXTERNAL = f"""cases:
  - name: txt
    external:
      url: https://projecteuler.net/poker.txt
      sha256: {sha256(EXTERNAL_INPUT.encode()).hexdigest()}
      file: 0054_poker.txt
    answer: "3"
"""
HELLO = {
    "problem.yaml": "name: Hello\nproblem_format_version: legacy\n",
    ".timelimit": "1\n",
    **{f"data/{name}.{end}": text for name in ("sample/1", "sample/2", "secret/group1/1", "secret/1")
       for end, text in (("in", "1 2\n"), ("ans", "3\n"))},
    "submissions/accepted/a.py": SUM,
    "submissions/accepted/b.py": SUM,
    "submissions/wrong_answer/w.py": "print(4)\n",
    "problem_statement/problem.en.tex": "Add.\n",
    "input_validators/validate.py": "import sys\nsys.exit(42 if len(input().split()) == 2 else 43)\n",
}  # fmt: skip
REJECTED = {
    "input_validators/v.py": "import sys\nsys.exit(42 if input() == '1 2' else 43)\n",
    "data/secret/4.in": "1 3\n",
    "data/secret/4.ans": "4\n",
    "data/secret/2.in": "1 2\n",
    "data/secret/2.ans": "3",
}
ADDITION = {"1.in": "1 2\n", "1.out": "3\n", "2.in": "3 4\n", "2.out": "7\n"}
COMPANION = (
    '{"name": "A", "url": "https://codeforces.com/contest/1/problem/A", "tests": [{"input": "1", "output": "1"}]}'
)


def inside(folder: str, files: Mapping[str, str]) -> dict[str, str | bytes]:
    return {f"{folder}/{name}": text for name, text in files.items()}


def archive(files: Mapping[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as written:
        for name, text in files.items():
            written.writestr(name, text)
    return data.getvalue()


# The files of each page besides the repository; a name with `~/` is in the home folder.
FILES: Mapping[str, Mapping[str, str | bytes]] = {
    "report.md": {
        "a.py": "a = input().split()\nprint(a[2])\n", "b.cpp": "int main() {}\nint x\n    return 0;\n",
        "tests/1.in": "1 2 3\n", "tests/1.out": "3\n", "tests/2.in": "1\n", "tests/2.out": "1\n",
    },
    "pictures.md": {
        "a.py": "print(3, 6)\n", "1.in": "6\n1 2\n1 3\n3 4\n3 5\n5 6\n", "1.ans": "3 5\n",
    },
    "run.md": {
        "a.cpp": BY_LUCK,
        "a.py": SUM, **SUM_CASES, "check.py": CHECK, "talk.py": TALK, "big.in": "5 5\n", "big.out": "10\n",
        "poker.py": POKER, **inside("tests", POKER_CASES), **inside("~/work/tests", POKER_CASES),
        "samples.zip": archive(POKER_CASES), "~/lib/mine.py": "", "add.py": "print(12)\n", "sum.cpp": FILES_CPP,
        "~/downloads/0054_poker.txt": EXTERNAL_INPUT,
    },
    "getting-started.md": {
        "sum.py": NO_SIGNS, "tests/1.in": "1\n1 2\n", "tests/1.out": "3\n", "tests/2.in": "3\n1 2\n10 -4\n5 5\n",
        "tests/2.out": "3\n6\n10\n", "~/.config/fish/completions/other.fish": "",
    },
    "packages.md": {
        **inside("hello", HELLO), **inside("contest/one", HELLO), "hello.zip": archive(HELLO), "my.cpp": SUM_CPP,
    },
    "export.md": inside("finals/one", HELLO),
    "samples.md": {
        "two-sums.zip": archive(HELLO),
        **inside("~/packages/hello", HELLO), "test/sample-1.in": "1\n", "test/sample-1.out": "1\n",
        "~/cf/contest/1900/a/in1.txt": "1\n", "~/cf/contest/1900/a/ans1.txt": "1\n",
        "~/work/.cph/.A.cpp_1f2e.prob": COMPANION,
    },
    "grade.md": {"submissions.jsonl": ROWS},
    "class.md": {
        **inside("submissions", {"anna/sums.py": SUM, "anna/graph.py": SUM, "ben/sums.py": "print(3)\n"}),
        **inside("week-1", {f"{name}/{each}": text for name in ("sums", "graph") for each, text in ADDITION.items()}),
        "submissions/ben/essay.docx": b"PK", "class/anna@sums-final.py": SUM, "class/ben@graph-final.py": SUM,
        "~/downloads/submissions.zip": archive({"anna/sums.py": SUM, "ben/sums.py": "print(3)\n"}),
        "~/downloads/problems.zip": archive(dict(inside("course/sums", HELLO))),  # type: ignore[arg-type]
    },
    "growth.md": {
        "sort.py": "print(*sorted(map(int, input().split())))\n",
        "gen.py": "import sys\nprint(*range(int(sys.argv[1])))\n",
    },
    "counterexamples.md": {
        "my.py": WRONG_POKER, **inside("my", POKER_CASES), "a.py": MAX.replace("max(", "max(0, *"), "brute.py": MAX,
        "a1.in": "3\n1 2 3\n", "a1.out": "3\n", "a2.in": "2\n5 4\n", "a2.out": "5\n", "gen.py": TWO_NUMBERS,
        "format.yaml": "input:\n  - n: 1..9\n  - a: {list: -9..9, count: n}\n",
        **inside("~/contest/sums", HELLO), "greedy.cpp": "int main() {}\n",
    },
    "check.md": {
        "poker.py": "import math\nimport sys\n\nimport cards\nimport hands\n\nprint(math.prod([1]))\n",
        "cards.py": "", "hands.py": "",
    },
    "submit.md": {"poker.py": f"import cards\nimport hands\n{POKER}", "cards.py": "", "hands.py": ""},
    "compare.md": {"test/1.in": "1 2\n", "test/1.out": "3\n"},
    "check-packages.md": inside("sum", {**HELLO, **REJECTED}),
}  # fmt: skip
VARIES = {"like", "edge/ace-low", "golang-go"}  # with the machine


def add_sums(root: Path, sums: Path, name: str = "sums") -> None:
    for part in ("problems", "testcases", "solutions"):
        shutil.copytree(sums / part / "sums", root / part / name)


def prepare_comparison(root: Path, sums: Path) -> None:
    """Make five runs, the last ones after an edit that makes a solution wrong."""
    add_sums(root, sums)
    edited = "solutions/sums/accepted/by_line.py"
    write_files(root, {edited: SUM_LINES})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "sums")
    for number in range(5):
        if number == 3:
            write_files(root, {edited: "print(1)\n"})
        run_cli(["run", "sums"])
    slow = "for _ in range({}): pass\n"
    write_files(root, {"old.py": slow.format(10**6) + SUM, "new.py": slow.format(10**7) + SUM})


PREPARE: Mapping[str, Callable[[Path, Path], None]] = {"compare.md": prepare_comparison}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory, judged_sums: Path) -> Path:
    """A git repository with the problems that the pages name, made small; to be copied, not to be changed."""
    root = tmp_path_factory.mktemp("docs") / "contest"
    for problem in ("handclear", "euler54"):
        add_sums(root, judged_sums, problem)
    write_files(root, {"testcases/euler54/external.yaml": EXTERNAL})
    shutil.copytree(ROOT / "problems/uva131", root / "problems/uva131")
    for name in ("accepted/try_all.py", "accepted/packed_ranks.py", "wrong_answer/ace_high_only.py"):
        write_files(root / "solutions/uva131", {name: (ROOT / "solutions/uva131" / name).read_text()})
    edge = re.split(r"(?m)^(?=  - name: )", (ROOT / "testcases/uva131/edge.yaml").read_text())
    sample = (ROOT / "testcases/uva131/sample.yaml").read_text()
    write_files(root / "testcases/uva131", {"edge.yaml": "".join(edge[:4]), "sample.yaml": sample})
    git(root, "init", "-qb", "main")
    for number in range(5):
        write_files(root, {"notes": str(number)})
        git(root, "add", "-A")
        git(root, "commit", "-qm", str(number))
    git(root, "tag", "v1.2")
    git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    return root


@pytest.fixture
def folder(page: Path, repository: Path, judged_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder of a page: a copy of the repository, with the files of the page."""
    root = tmp_path / "home/you/contest"
    shutil.copytree(repository, root, symlinks=True)
    monkeypatch.setenv("HOME", str(root.parent))
    monkeypatch.chdir(root)
    for name, content in FILES.get(page.name, {}).items():
        write_files(root.parent if name.startswith("~/") else root, {name.removeprefix("~/"): content})
    if prepare := PREPARE.get(page.name):
        prepare(root, judged_sums)
    return root


# ---- the commands ----------------------------------------------------------------------------------------------------


def run_command(line: str, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, *, more: str = "") -> tuple[int, str]:
    """Run a line of a shell: `echo WORDS | judge ARGUMENTS > FILE`; return the status, and what was printed."""
    words = shlex.split(line.replace("~/", f"{Path.home()}/"), comments=True)
    if words[0] == "mkdir":
        Path(words[-1]).mkdir(parents=True, exist_ok=True)
        return 0, ""
    standard_input = ""
    if words[0] == "echo":
        at = words.index("|")
        standard_input, words = f"{' '.join(words[1:at])}\n", words[at + 1 :]
    reading, writing = os.pipe()
    os.write(writing, standard_input.encode())
    os.close(writing)
    expanded = [sorted(map(str, Path().glob(word))) if "*" in word else [] for word in words]
    words = [each for word, found in zip(words, expanded, strict=True) for each in found or [word]]
    target = next((word[1:] or words[at + 1] for at, word in enumerate(words) if word.startswith(">")), None)
    words = [word for at, word in enumerate(words) if not word.startswith(">") and (not at or words[at - 1] != ">")]
    assert words[0] == "judge", line
    short = next((text for start, text in SHORT.items() if " ".join(words[1:]).startswith(start)), "")
    capsys.readouterr()
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        status = run_cli([*words[1:], *short.split(), *more.split()])
    out, err = capsys.readouterr()
    if target is not None:
        Path(target).write_text(out)
    return status, out + err


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=pytest.mark.thorough if page.name in THOROUGH else ())
        for page in dict.fromkeys(block.page for block in BLOCKS if block.commands)
    ],
)
def test_every_command_of_a_page_runs_and_prints_what_is_shown(
    page: Path, folder: Path, judged_sums: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    failures = []
    for block in blocks_of(page):
        printed, is_waiting = "", False
        for command in [] if block.reason else block.commands:
            if any(command.startswith(start) for start in WAITING):
                is_waiting = True
                continue
            if "sums" in command and "new" not in command and not Path("problems/sums").exists():
                add_sums(folder, judged_sums)
            more = "-f rich" if "│" in block.text and command.startswith("judge run") else ""
            status, text = run_command(command, capsys, monkeypatch, more=more)
            printed += text
            if status not in (0, 1):
                failures.append(f"{page.name}:{block.line}: {command}: exit status {status}\n{printed}")
        if block.output and not block.reason and not is_waiting and "--timing" not in block.text:
            words = _WORD.findall("\n".join(block.output))
            missing = [word for word in dict.fromkeys(words) if word not in printed and word not in VARIES]
            if missing:
                failures.append(f"{page.name}:{block.line}: not printed: {missing}\n{printed}")
    assert not failures, "\n".join(failures)


def test_blocks_that_do_not_run_are_counted() -> None:
    for block in BLOCKS:
        is_all = not block.commands or block.output or len(block.commands) == len(list(filter(None, block.lines)))
        assert block.reason or (is_all and not _OTHERS.search(block.text)), f"{block.page.name}:{block.line}"
    assert sum(bool(block.reason) for block in BLOCKS) == NOT_RUN
    run = [each for block in BLOCKS if not block.reason for each in block.commands]
    assert sum(not any(each.startswith(start) for start in WAITING) for each in run) >= COMMANDS_RUN
    for start in WAITING:
        assert any(each.startswith(start) for each in run), start
