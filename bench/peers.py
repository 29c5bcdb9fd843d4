"""Other tools that judge a solution against cases, where they are installed: what one more case costs each.

They start in anything from a tenth of a second to half a minute (some compile validators first), so that the time of
few cases is taken off that of many. None of them shuts a solution in. bench/README.md says how to install them.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from bench.measure import JUDGE, ROOT, SUM, bare_loop, interleaved, seconds, show, write_cases
from judge.languages.interpreters import create_bare_venv

FEW, MANY = 20, 220
_ROUNDS = 3
_LEGACY = "problem_format_version: legacy\nname: Sum\n"
_NEWEST = """\
problem_format_version: 2025-09
name: {en: Sum}
uuid: 8ee7605a-55da-8947-3c59-0ac20448d556
limits: {time_limit: 3}
"""


class Peer(Struct, frozen=True, kw_only=True):
    """A tool.

    Attributes:
        program: its command; looked for on PATH.
        arguments: what makes it judge the folder that it is started in.
        arrange: makes that folder, with a number of cases, as the tool wants it.
        accepted: what it prints when all cases were accepted.
    """

    name: str
    program: str
    arguments: tuple[str, ...]
    arrange: Callable[[Path, int], None]
    accepted: str


def sample_folder(folder: Path, count: int) -> None:
    """Make what `oj test` takes: cases and a solution."""
    for path in write_cases(folder / "test", count):
        path.with_suffix(".ans").rename(path.with_suffix(".out"))
    (folder / "sum.py").write_text(SUM)


def package(folder: Path, count: int, *, settings: str) -> None:
    """Make an ICPC problem package."""
    for part in ("data/sample", "data/secret", "submissions/accepted", "problem_statement", "statement"):
        (folder / part).mkdir(parents=True)
    write_cases(folder / "data/secret", count)
    write_cases(folder / "data/sample", 1)
    (folder / "submissions/accepted/sum.py").write_text(SUM)
    (folder / "problem.yaml").write_text(settings)
    for statement in ("problem_statement/problem.en.tex", "statement/problem.en.tex"):
        (folder / statement).write_text("\\problemname{Sum}\n")


PEERS = (
    Peer(
        name="online-judge-tools",
        program="oj",
        arguments=("test", "--silent", "-c", "python3 sum.py"),
        arrange=sample_folder,
        accepted="test success",
    ),
    Peer(
        name="problemtools",
        program="verifyproblem",
        arguments=(".", "-p", "submissions", "-t", "3", "-j", "1"),
        arrange=partial(package, settings=_LEGACY),
        accepted="0 errors",
    ),
    Peer(
        name="BAPCtools",
        program="bt",
        arguments=("run", "-G", "-S", "--no-bar", "-j", "1"),
        arrange=partial(package, settings=_NEWEST),
        accepted="sum.py:  AC",
    ),
)


def compare_peers(folder: Path) -> None:
    """Print what one more case costs the judge and each tool, above a bare start of the same solution."""
    print(f"One more case of a small Python solution, from {FEW} to {MANY} cases, one at a time:")
    python = create_bare_venv(folder)
    bin_folder = Path(python).parent
    (bin_folder / "pypy3").symlink_to(Path(python).readlink())  # problemtools asks for it; one interpreter for all
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    arguments = ("run", "-s", "sum.py", "--cases", "test", "-j", "1", "-f", "plain", "--fresh")
    ours = Peer(
        name="judge run",
        program=JUDGE[0],
        arguments=(*JUDGE[1:], *arguments),
        arrange=sample_folder,
        accepted="ok",
    )
    for peer in (ours, *PEERS):
        if shutil.which(peer.program) is None:
            print(f"  {peer.name}: not measured, there is no `{peer.program}` on PATH")
            continue
        _compare(peer, python, folder / peer.program.rpartition("/")[2], environment)


def _compare(peer: Peer, python: str, folder: Path, environment: dict[str, str]) -> None:
    """Measure a tool and the bare loop in turn, and print the difference for one case."""
    calls: list[Callable[[], float]] = []
    for count in (FEW, MANY):
        inputs = write_cases(folder / f"bare-{count}", count)
        peer.arrange(folder / str(count), count)
        solution = next((folder / str(count)).rglob("sum.py"))
        ended = _run(peer, folder / str(count), environment)  # also makes what is made once, such as validators
        if peer.accepted not in ended.stdout:  # not the status: BAPCtools' is 1 without pypy3
            last = (ended.stdout.strip().splitlines() or ["it said nothing"])[-1]
            print(f"  {peer.name}: not measured, exit status {ended.returncode}: {last}")
            return
        calls += [
            partial(seconds, partial(_run, peer, folder / str(count), environment)),
            partial(seconds, partial(bare_loop, (python, str(solution)), inputs, 1)),
        ]
    few, bare_few, many, bare_many = interleaved(calls, _ROUNDS)
    each, bare = (many - few) / (MANY - FEW), (bare_many - bare_few) / (MANY - FEW)
    show(f"  {peer.name}", f"{each * 1e3:.2f} ms", f"{each / bare:5.2f} x   {(each - bare) * 1e3:+.2f} ms")


def _run(peer: Peer, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    argv = (peer.program, *peer.arguments)
    return subprocess.run(
        argv, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
