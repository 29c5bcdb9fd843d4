"""Small packages of Polygon for tests, written as code."""

from collections.abc import Mapping
from pathlib import Path

from judge.base.errors import DataError, Diagnostic
from judge.model import Problem
from judge.problems.polygon.load import load_polygon

SUM = "print(sum(map(int, input().split())))\n"

# The protocol of testlib without its header: 0 accepts, 1 rejects, 2 is a wrong format, 3 a failure.
CHECKER = """\
import sys
given, output, answer = (open(path).read().split() for path in sys.argv[1:4])
if len(output) != 1:
    print("expected one number", file=sys.stderr)
    sys.exit(2)
print("ok" if output == answer else "the sum differs", file=sys.stderr)
sys.exit(output != answer)
"""

XML = """\
<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="sum" url="https://polygon.example/p/sum">
    <names>
        <name language="russian" value="Сумма"/>
        <name language="english" value="Sum"/>
    </names>
    <judging {judging}>
        <testset name="tests">
            <time-limit>5000</time-limit>
            <memory-limit>268435456</memory-limit>
            <input-path-pattern>tests/%02d</input-path-pattern>
            <answer-path-pattern>tests/%02d.a</answer-path-pattern>
            <tests>
                {tests}
            </tests>
            <groups>
                {groups}
            </groups>
        </testset>
    </judging>
    <files>
        <resources>
            <file path="files/testlib.h" type="h.g++"/>
            {resources}
        </resources>
        <executables>
            <executable><source path="files/gen.py" type="python.3"/></executable>
        </executables>
    </files>
    <assets>
        {checker}
        {assets}
        <solutions>
            <solution tag="main"><source path="solutions/main.py" type="python.3"/></solution>
            {solutions}
        </solutions>
    </assets>
</problem>
"""

PARTS: Mapping[str, str] = {
    "judging": 'input-file="" output-file="" run-count="1"',
    "tests": """<test method="manual" sample="true" description="small"/>
                <test method="generated" cmd="gen 40 &quot;2&quot;"/>""",
    "groups": "",
    "resources": "",
    "checker": '<checker type="testlib"><source path="files/check.py" type="python.3"/></checker>',
    "assets": "",
    "solutions": '<solution tag="wrong-answer"><source path="solutions/wrong.py" type="python.3"/></solution>',
}

FILES: Mapping[str, str] = {
    "files/check.py": CHECKER,
    "files/gen.py": "import sys\nprint(sys.argv[1], sys.argv[2])\n",
    "solutions/main.py": SUM,
    "solutions/wrong.py": "print(3)\n",
    "tests/01": "1 2\n",
}


def write(folder: Path, files: Mapping[str, str | None] | None = None, **parts: str) -> Path:
    """Write a standard package: a test with an input, and one that its generator makes; None removes a file."""
    written = {"problem.xml": XML.format(**{**PARTS, **parts}), **FILES, **(files or {})}
    for name, text in written.items():
        if text is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder


def load(folder: Path, files: Mapping[str, str | None] | None = None, **parts: str) -> tuple[Problem, list[Diagnostic]]:
    """Load the standard package with other files and parts."""
    return load_polygon(write(folder / "sum", files, **parts), root_for_display=folder)


def load_clean(folder: Path, files: Mapping[str, str | None] | None = None, **parts: str) -> Problem:
    """Load a package with which nothing is wrong."""
    problem, diagnostics = load(folder, files, **parts)
    assert not diagnostics, "\n".join(map(str, diagnostics))
    return problem


def messages(folder: Path, files: Mapping[str, str | None] | None = None, **parts: str) -> str:
    """Load a package and return what is wrong with it, as it is printed."""
    try:
        _, diagnostics = load(folder, files, **parts)
    except DataError as error:
        diagnostics = list(error.diagnostics)
    return "\n".join(map(str, diagnostics))
