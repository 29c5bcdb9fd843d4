"""Whether compilers run on all cores: a run of eight C++ solutions whose header is slow to compile.

Then, what one of them takes to compile in the sandbox, without the precompiled header and with it.

python -m bench.bench_compile
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.measure import JUDGE, ROOT, interleaved, seconds, show, write_cases
from judge.languages.build import build
from judge.sandbox.box import Box

SOLUTIONS = 8
CASES = 5
ROUNDS = 3
SOURCE = """#include <bits/stdc++.h>
int main() {{ long long a, b; std::cin >> a >> b; std::vector<std::string> v{{"{}"}}; std::cout << a + b << "\\n"; }}
"""


def main() -> None:
    """Measure and print."""
    compiler = shutil.which("g++")
    if compiler is None:
        sys.exit("this benchmark needs g++")
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [folder / f"solution{number}.cpp" for number in range(SOLUTIONS)]
        for number, source in enumerate(sources):
            source.write_text(SOURCE.format(number))
        write_cases(folder / "cases", CASES)

        def compile_alone() -> None:
            with ThreadPoolExecutor(cores) as pool:
                argv = [[compiler, "-O2", "-o", f"{source}.out", str(source)] for source in sources]
                list(pool.map(lambda each: subprocess.run(each, check=True), argv))

        def judge(workers: int) -> None:
            with tempfile.TemporaryDirectory() as cache:  # nothing is compiled yet
                options = [option for source in sources for option in ("-s", source.name)]
                argv = [*JUDGE, "run", *options, "--cases", "cases", "-j", str(workers)]
                environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache}
                subprocess.run(argv, cwd=folder, env=environment, check=True, capture_output=True)

        calls = [compile_alone, lambda: judge(1), lambda: judge(cores)]
        alone, one, all_cores = interleaved([lambda call=call: seconds(call) for call in calls], ROUNDS)  # type: ignore[misc]
    show(f"the compilers alone, {cores} at a time", f"{alone:.1f} s", "1.00 x")
    show("judge run -j 1", f"{one:.1f} s", f"{one / alone:.2f} x")
    show(f"judge run -j {cores}", f"{all_cores:.1f} s", f"{all_cores / alone:.2f} x")
    measure_header()


def measure_header() -> None:
    """Compile solutions one after the other, until the header is precompiled and afterwards."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = name
        (work := Path(name) / "work").mkdir()
        for folder in (work.parent, work):
            folder.chmod(0o755)  # the sandbox may run the compiler as another user
        with Box(work_folder=work) as box:
            times = []
            for number in range(SOLUTIONS):
                text = SOURCE.format(number).encode()
                times.append(seconds(lambda text=text: build(work / "a.cpp", work, box, text=text)))  # type: ignore[misc]
    without, with_it = statistics.median(times[:2]), statistics.median(times[4:])
    show("one solution, compiled in the sandbox", f"{without:.2f} s", "1.00 x")
    show("with the precompiled header", f"{with_it:.2f} s", f"{with_it / without:.2f} x")
    show("the third one, which also makes that header", f"{times[2]:.2f} s")


if __name__ == "__main__":
    main()
