"""Does `judge scale` find the law of programs whose law is known, the exponent, and the largest size in time?

python -m bench.bench_scale [--time S] [--only TEXT] [--within S]

Most programs do a number of steps that is exactly the law; the others are what people write. A law counts as found if
it is among those that are named, and at most one other is: where caches make a linear program look like n log n, both
are right. Needs an idle machine: for exponents within 0.05, nothing else may run.
"""

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from bench.measure import show
from judge.base.errors import JudgeError
from judge.base.units import Seconds
from judge.scaling.experiment import Experiment
from judge.scaling.result import Scaling
from judge.scaling.sized_inputs import ScalingOptions
from judge.workspace.options import SessionOptions
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

_MOST_LAWS = 2

NUMBER = "import sys\nprint(sys.argv[1])\n"
LIST = """\
import random, sys
n, source = int(sys.argv[1]), random.Random(int(sys.argv[2]))
print(n)
print(*[source.randrange(10**9) for _ in range(n)])
"""

# {steps}: an expression of n, a float
PYTHON = """\
import math
n = int(input())
log = math.log2(n + 1)
at = 1
for number in range(int({steps})):
    at = (at * 1103515245 + number) % 2147483647
print(at)
"""
CPP = """\
#include <cmath>
#include <cstdio>
int main() {{
    long long n;
    if (scanf("%lld", &n) != 1) return 1;
    double log = std::log2(n + 1.0);
    unsigned long long at = 1, steps = {steps};
    for (unsigned long long number = 0; number < steps; number++) at = (at * 1103515245 + number) % 2147483647;
    printf("%llu\\n", at);
}}
"""
JAVA = """\
import java.util.Scanner;
class Steps {{
    static double fact(double n) {{ double all = 1; for (int each = 2; each <= n; each++) all *= each; return all; }}
    public static void main(String[] arguments) {{
        long n = new Scanner(System.in).nextLong();
        double log = Math.log(n + 1.0) / Math.log(2);
        long at = 1, steps = (long) ({steps});
        for (long number = 0; number < steps; number++) at = (at * 1103515245 + number) % 2147483647;
        System.out.println(at);
    }}
}}
"""

# The law, its exponent, and its steps in Python, C++ and Java: where the law grows slowly, each step is many.
STEPS: tuple[tuple[str, float | None, str, str, str], ...] = (
    ("1", None, "20000", "100000", "100000"),
    ("log n", None, "log * 20000", "log * 1000000", "log * 1000000"),
    ("sqrt n", 0.5, "n**0.5 * 50", "std::sqrt(n) * 200", "Math.sqrt(n) * 200"),
    ("n", 1.0, "n", "n", "n"),
    ("n log n", None, "n * log", "n * log", "n * log"),
    ("n sqrt n", 1.5, "n**1.5", "n * std::sqrt(n)", "n * Math.sqrt(n)"),
    ("n^2", 2.0, "n**2", "(double)n * n", "(double) n * n"),
    ("n^2 log n", None, "n**2 * log", "(double)n * n * log", "(double) n * n * log"),
    ("n^3", 3.0, "n**3", "(double)n * n * n", "(double) n * n * n"),
    ("2^n", None, "2**n", "std::pow(2, n)", "Math.pow(2, n)"),
    ("n!", None, "math.factorial(n)", "std::tgamma(n + 1.0)", "fact(n)"),
)

# The name, the law, and a program that people write; it reads a list of n numbers.
_READ = "n = int(input())\na = list(map(int, input().split()))\n"
_READ_CPP = """\
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n; scanf("%d", &n);
    vector<int> a(n); for (auto& each : a) scanf("%d", &each);
"""
NATURAL: tuple[tuple[str, str, str], ...] = (
    ("sum.py", "n", _READ + "print(sum(a))\n"),
    ("count.py", "n", _READ + "seen = {}\nfor x in a:\n    seen[x % 999] = seen.get(x % 999, 0) + 1\n"
     "print(len(seen))\n"),
    ("sort.py", "n log n", _READ + "print(sorted(a)[0])\n"),
    ("heap.py", "n log n", "import heapq\n" + _READ + "heap = []\nfor x in a:\n    heapq.heappush(heap, -x)\n"
     "while heap:\n    heapq.heappop(heap)\n"),
    ("inversions.py", "n^2", _READ + "print(sum(a[i] > a[j] for i in range(n) for j in range(i)))\n"),
    ("floyd.py", "n^3", _READ + "d = [[(x + y) % 1000 for x in a] for y in a]\nfor k in range(n):\n"
     "    for i in range(n):\n        via, row, top = d[i][k], d[i], d[k]\n        for j in range(n):\n"
     "            if via + top[j] < row[j]:\n                row[j] = via + top[j]\nprint(d[0][0])\n"),
    ("subsets.py", "2^n", _READ + "def go(at, total):\n    if at == n:\n        return total % 7 == 0\n"
     "    return go(at + 1, total) + go(at + 1, total + a[at])\nprint(go(0, 0))\n"),
    ("permutations.py", "n!", "from itertools import permutations\n" + _READ
     + "print(sum(1 for each in permutations(a)))\n"),
    ("sort.cpp", "n log n", _READ_CPP + 'sort(a.begin(), a.end()); printf("%d\\n", a[0]); }\n'),
    ("sum.cpp", "n", _READ_CPP + 'long long all = 0; for (int each : a) all += each; printf("%lld\\n", all); }\n'),
    ("rises.cpp", "n^2", _READ_CPP + "vector<int> best(n, 1); int top = 0;\nfor (int i = 0; i < n; i++) {\n"
     "for (int j = 0; j < i; j++) if (a[j] < a[i]) best[i] = max(best[i], best[j] + 1);\ntop = max(top, best[i]); }\n"
     'printf("%d\\n", top); }\n'),
    ("multiply.cpp", "n^3", _READ_CPP + "vector<vector<long long>> c(n, vector<long long>(n));\n"
     "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++)\n"
     'c[i][j] += (long long)(a[i] ^ a[k]) * (a[k] ^ a[j]);\nprintf("%lld\\n", c[0][0]); }\n'),
)  # fmt: skip


class Known(Struct, frozen=True, kw_only=True):
    """A program whose law is known; `exponent` if it is a power of n in exact steps."""

    name: str
    law: str
    text: str
    generator: str
    exponent: float | None = None


def known_programs() -> Iterator[Known]:
    """Yield all programs."""
    for law, exponent, *steps in STEPS:
        word = law.replace(" ", "_").replace("^", "").replace("!", "_factorial")
        for suffix, template, each in zip(("py", "cpp", "java"), (PYTHON, CPP, JAVA), steps, strict=True):
            text = template.format(steps=each)
            yield Known(name=f"steps_{word}.{suffix}", law=law, text=text, generator=NUMBER, exponent=exponent)
    for name, law, text in NATURAL:
        yield Known(name=name, law=law, text=text, generator=LIST)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how often `judge scale` finds the law of a program.")
    parser.add_argument("--time", type=float, default=10.0, metavar="S", help="for each program (default: 10)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only programs whose name has this text")
    parser.add_argument("--within", type=float, default=900.0, metavar="S", help="begin no more after (default: 900)")
    arguments = parser.parse_args()
    wanted = [each for each in known_programs() if arguments.only in each.name]
    start = time.monotonic()
    found = total = 0
    deviations: list[float] = []
    misses: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        workspace = Workspace.find_or_use(Path(name))
        with workspace.open_session(SessionOptions(jobs=1)) as session:
            for each in wanted:
                spent = time.monotonic() - start
                if spent > arguments.within:
                    break
                print(f"[{total + 1} of {len(wanted)}, {spent:.0f} s] {each.name}", file=sys.stderr, flush=True)
                result = measure(each, Path(name), workspace, session, Seconds(arguments.time))
                is_found = report(each, result)
                found, total = found + is_found, total + 1
                if isinstance(result, Scaling):
                    deviations += exponent_deviation(each, result)
                    misses += prediction_miss(result)
    if total < len(wanted):
        show(
            "not measured", f"{len(wanted) - total} of {len(wanted)}", f"the time was up after {arguments.within:.0f} s"
        )
    show("laws found", f"{found} of {total}", f"with at most {_MOST_LAWS} named")
    if deviations:
        within = sum(each <= 0.05 for each in deviations)
        show("exponents within 0.05", f"{within} of {len(deviations)}", f"largest deviation {max(deviations):.2f}")
    if misses:
        misses.sort()
        median = misses[len(misses) // 2]
        show("prediction of the time at the largest size", f"{median:.1%} off", f"median; at most {misses[-1]:.0%}")


def measure(known: Known, folder: Path, workspace: Workspace, session: Session, budget: Seconds) -> Scaling | str:
    """Measure one program; return the result, or why there is none."""
    path, generator = folder / known.name, folder / f"generate_{known.name.partition('.')[0]}.py"
    path.write_text(known.text)
    generator.write_text(known.generator)
    options = ScalingOptions(generator=str(generator), budget=budget)
    try:
        experiment = Experiment(workspace.select_source(path), session, options)
        for _ in experiment.measure():
            pass
        return experiment.conclude()
    except JudgeError as error:
        return str(error)


def report(known: Known, result: Scaling | str) -> bool:
    """Print one line; return whether the law was found."""
    if isinstance(result, str) or result.time is None:
        text = result if isinstance(result, str) else "; ".join(result.warnings)
        show(f"{known.name}: {known.law}", "WRONG", text)
        return False
    laws = [fit.law.name for fit in result.time.fits]
    is_found = known.law in laws and len(laws) <= _MOST_LAWS
    exponent = result.time.exponent
    remark = f"exponent {exponent.value:.2f} ({exponent.low:.2f} to {exponent.high:.2f})" if exponent else ""
    verified = result.verification
    if verified is not None and verified.point is not None:
        took = verified.point.cpu
        remark += f", n = {verified.size:,}: predicted {verified.predicted:.2f} s, took {took:.2f} s"
    remark += f", {len(result.points)} sizes to {result.points[-1].size:,}"
    show(f"{known.name}: {known.law}", "found" if is_found else "WRONG", f"{result.time.name}; {remark}")
    return is_found


def exponent_deviation(known: Known, result: Scaling) -> Iterator[float]:
    """Yield how far the exponent is from the true one, if there is one."""
    if known.exponent is not None and result.time is not None and result.time.exponent is not None:
        yield abs(result.time.exponent.value - known.exponent)


def prediction_miss(result: Scaling) -> Iterator[float]:
    """Yield by how much the verifying run took more or less than predicted, if it was at a new size."""
    verified = result.verification
    if verified is not None and verified.point is not None and len(verified.point.times) == 1:
        yield abs(math.log(verified.point.cpu / verified.predicted))


if __name__ == "__main__":
    main()
