"""The cost of one run, for every way of starting it, compared with a bare posix_spawn + wait4.

Also measures other judges that are installed (see `peers`).

python -m bench.bench_engine [RUNS]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bench.measure import SUM, show
from bench.peers import compare_peers
from judge.base.errors import SandboxError
from judge.languages.interpreters import create_bare_venv
from judge.model import DEFAULT_LIMITS, Level
from judge.sandbox.box import Box, Command
from judge.sandbox.warm_box import WarmBox

TINY_C = "int main(void) { return 0; }\n"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
Run = Callable[[], object]


def main() -> None:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as name:
        outer = Path(name)
        folder = outer / "programs"
        folder.mkdir()
        folder.chmod(0o755)
        source = folder / "sum.py"
        source.write_text(SUM)
        (folder / "input").write_text("1 2\n")
        compare("Python, a small solution", (create_bare_venv(folder), "-I", str(source)), folder, runs)
        compiler = shutil.which("cc")
        if compiler:
            (folder / "tiny.c").write_text(TINY_C)
            subprocess.run([compiler, "-O2", "-o", folder / "tiny", folder / "tiny.c"], check=True)
            compare("C, an empty program", (str(folder / "tiny"),), folder, runs)
            with Box() as box:
                result = box.run(Command(argv=(str(folder / "tiny"),), readable=(folder,)), DEFAULT_LIMITS).result
            bound = "upper bound" if result.is_memory_upper_bound else ""
            show("  its peak memory", f"{result.memory / 2**20:.1f} MiB", bound)
        zygote_memory()
        compare_peers(outer)


def compare(title: str, argv: tuple[str, ...], folder: Path, runs: int) -> None:
    """Print the median of each way of running a program, its ratio to the bare one, and the difference."""
    print(f"{title}:")
    data = (folder / "input").read_bytes()
    command = Command(argv=argv, stdin=data, readable=(folder,))
    with ExitStack() as stack:
        ways: dict[str, Run] = {
            "posix_spawn + wait4": lambda: bare(argv, folder / "input"),
            "subprocess.run": lambda: subprocess.run(
                argv, input=data, capture_output=True, check=True, env=ENVIRONMENT
            ),
        }
        for level in Level:
            try:
                box = stack.enter_context(Box(levels=[level]))
                assert box.level is level
            except SandboxError:
                continue
            ways[f"box, cold, level {level.value}"] = _in(box, command)
        if argv[-1].endswith(".py"):
            warm = stack.enter_context(WarmBox())
            ways[f"box, warm, level {warm.level.value}"] = _in(warm, command)
        if bubblewrap := shutil.which("bwrap"):
            around = (bubblewrap, "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", *argv)
            ways["bubblewrap"] = lambda: bare(around, folder / "input")
        else:
            print("  bubblewrap: not measured, `bwrap` not found on PATH")
        medians = _medians(ways, runs)
        # in a row: without other ways in between, which evict the processor's caches
        ours = {way: run for way, run in ways.items() if way.startswith(("posix", "box"))}
        in_a_row = {way: _medians({way: run}, runs)[way] for way, run in ours.items()}
    _show_ratios(medians, "")
    _show_ratios(in_a_row, ", in a row")


def _show_ratios(medians: dict[str, float], remark: str) -> None:
    base = medians["posix_spawn + wait4"]
    for way, median in medians.items():
        ratio = f"{median / base:5.2f} x   {(median - base) * 1e3:+.2f} ms"
        show(f"  {way}{remark}", f"{median * 1e3:.2f} ms", ratio)


def bare(argv: tuple[str, ...], stdin: Path) -> None:
    """Start a program and reap it."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    os.wait4(os.posix_spawn(argv[0], argv, ENVIRONMENT, file_actions=actions), 0)


def zygote_memory() -> None:
    """Print the size of the processes that start the runs."""
    with Box() as box:
        assert box.level
        pids = [box._pid]  # noqa: SLF001 - its processes are measured
        for pid in pids:
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += map(int, (task / "children").read_text().split())
        for number, pid in enumerate(pids):
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            fields = {line.split(":")[0]: int(line.split()[1]) for line in text.splitlines()[1:] if "kB" in line}
            title = f"zygote, process {number + 1} of {len(pids)}: resident"
            show(title, f"{fields['Rss'] / 1024:.1f} MiB", f"not shared {fields['Pss'] / 1024:.1f} MiB")


def _in(box: Box, command: Command) -> Run:
    return lambda: box.run(command, DEFAULT_LIMITS)


def _medians(ways: dict[str, Run], runs: int) -> dict[str, float]:
    """Return the median time of each way, measured in turn so that drift affects all equally."""
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(runs + 5):
        for way, run in ways.items():
            start = time.perf_counter()
            run()
            if number >= 5:  # the first runs warm up
                taken[way].append(time.perf_counter() - start)
    return {way: sorted(each)[len(each) // 2] for way, each in taken.items()}


if __name__ == "__main__":
    main()
