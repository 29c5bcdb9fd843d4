"""How many inputs a second `judge stress` tries, beside a shell loop of the same programs in the same run.

    python -m bench.bench_stress [--time 5]

Both use one core. The loop is what people write: generate, run both, compare. Then `judge hack` compares the programs
in C++ with one job and with two, on inputs of its own that are like two samples.
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import judge

GENERATOR = """\
import random, sys
random.seed(int(sys.argv[1]))
n = random.randint(1, 20)
print(n)
print(*[random.randint(-50, 50) for _ in range(n)])
"""
PYTHON = "n = int(input())\na = list(map(int, input().split()))\nprint(max(a))\n"
CPP = """\
#include <algorithm>
#include <iostream>
int main() { int n, m = -1000, x; std::cin >> n; while (std::cin >> x) m = std::max(m, x); std::cout << m << "\\n"; }
"""
GENERATOR_CPP = """\
#include <cstdlib>
#include <iostream>
#include <random>
int main(int, char** argv) {
    std::mt19937 rng(std::atoi(argv[1]));
    int n = rng() % 20 + 1;
    std::cout << n << "\\n";
    for (int i = 0; i < n; i++) std::cout << int(rng() % 101) - 50 << " \\n"[i == n - 1];
}
"""
SAMPLES = {"1": ("3\n1 2 3\n", "3\n"), "2": ("5\n1 2 3 9 10\n", "10\n")}
LOOP = """\
end=$(( $(date +%s%N) + {budget}000000000 )); i=0
while [ $(( i % 10 )) -ne 0 ] || [ $(date +%s%N) -lt $end ]; do
  i=$((i + 1)); {gen} $i > in; {a} < in > out1; {b} < in > out2; cmp -s out1 out2 || break
done; echo $i
"""


def shell_rate(folder: Path, commands: dict[str, str], budget: int) -> float:
    """Return the inputs a second of the loop, on one core."""
    start = time.perf_counter()
    script = LOOP.format(budget=budget, **commands)
    ran = subprocess.run(["taskset", "-c", "0", "bash", "-c", script], cwd=folder, capture_output=True, check=True)
    return int(ran.stdout) / (time.perf_counter() - start)


def stress_rate(folder: Path, a: str, b: str, gen: str, budget: int) -> float:
    """Return the inputs a second of `judge stress` with one worker, while it searches."""
    with judge.Judge(jobs=1) as session:
        result = session.stress(folder / a, folder / b, generator=folder / gen, seconds=budget)
    assert not result.found, result.found
    return result.rate


def hack_rate(folder: Path, jobs: int, budget: int) -> float:
    """Return the inputs a second of `judge hack` while it searches."""
    with judge.Judge(jobs=jobs) as session:
        result = session.hack(folder / "a.cpp", references=[folder / "b.cpp"], seconds=budget)
    assert not result.found, result.found
    return result.rate


def main() -> None:
    """Print the rates, and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=int, default=5)
    budget = parser.parse_args().time
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {
            "gen.py": GENERATOR,
            "a.py": PYTHON,
            "b.py": PYTHON,
            "gen.cpp": GENERATOR_CPP,
            "a.cpp": CPP,
            "b.cpp": CPP,
        }
        for path, text in files.items():
            (folder / path).write_text(text)
        for stem in ("gen", "a", "b"):
            subprocess.run(["g++", "-O2", "-o", stem, f"{stem}.cpp"], cwd=folder, check=True)
        rows = (
            (
                "Python, generator in Python",
                ("a.py", "b.py", "gen.py"),
                ("python3 a.py", "python3 b.py", "python3 gen.py"),
            ),
            ("C++, generator in Python", ("a.cpp", "b.cpp", "gen.py"), ("./a", "./b", "python3 gen.py")),
            ("C++, generator in C++", ("a.cpp", "b.cpp", "gen.cpp"), ("./a", "./b", "./gen")),
        )
        for title, sources, (a, b, gen) in rows:
            loop = shell_rate(folder, {"a": a, "b": b, "gen": gen}, budget)
            ours = stress_rate(folder, *sources, budget)
            print(f"{title}: shell {loop:.1f}/s, judge stress {ours:.1f}/s, {ours / loop:.1f} x", flush=True)
        for sample, (given, answer) in SAMPLES.items():
            (folder / f"{sample}.in").write_text(given)
            (folder / f"{sample}.out").write_text(answer)
        for jobs in (1, 2):
            print(f"C++, judge hack with {jobs} job(s): {hack_rate(folder, jobs, budget):.0f}/s", flush=True)


if __name__ == "__main__":
    main()
