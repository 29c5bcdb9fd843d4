"""A stream of generated submissions in the shape of a training run: many tests, a third of them wrong, some hostile.

`bench_grade` times it; nothing here is taken from a data set. The same seed gives the same rows.
"""

import json
import random
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

PER_TASK = 8  # submissions to one task
TIME_LIMIT_S = 2.0

_Solve = Callable[[list[int]], int]


class _Problem(Struct, frozen=True, kw_only=True):
    """A task with a right and a wrong program; `size` is that of its largest inputs."""

    name: str
    solve: _Solve
    right: str
    wrong: str
    size: int


def _largest_sum(numbers: list[int]) -> int:
    best = current = numbers[0]
    for each in numbers[1:]:
        current = max(each, current + each)
        best = max(best, current)
    return best


def _longest_increasing(numbers: list[int]) -> int:
    ends: list[int] = []
    for each in numbers:
        at = bisect_left(ends, each)
        ends[at : at + 1] = [each]
    return len(ends)


_READ = "import sys\nn, *a = map(int, sys.stdin.read().split())\n"
_SUM = _READ + "b = c = a[0]\nfor x in a[1:]:\n    c = max(x, c + x)\n    b = max(b, c)\nprint({})\n"
_INCREASING = _READ + (
    "from bisect import {0}\nt = []\nfor x in a:\n    i = {0}(t, x)\n    t[i:i + 1] = [x]\nprint(len(t))\n"
)
_INVERSIONS = _READ + "print(sum(a[i] {} a[j] for i in range(n) for j in range(i + 1, n)))\n"
_PROBLEMS = (
    _Problem(
        name="distinct",
        solve=lambda a: len(set(a)),
        right=_READ + "print(len(set(a)))\n",
        wrong=_READ + "print(len(a))\n",
        size=3000,
    ),
    _Problem(name="largest sum", solve=_largest_sum, right=_SUM.format("b"), wrong=_SUM.format("c"), size=3000),
    _Problem(
        name="increasing",
        solve=_longest_increasing,
        right=_INCREASING.format("bisect_left"),
        wrong=_INCREASING.format("bisect"),
        size=3000,
    ),
    _Problem(
        name="inversions",
        solve=lambda a: sum(a[i] > a[j] for i in range(len(a)) for j in range(i + 1, len(a))),
        right=_INVERSIONS.format(">"),
        wrong=_INVERSIONS.format(">="),
        size=600,
    ),
)

HANGING = (
    "while True: pass\n",
    "import time\ntime.sleep(1000)\n",
    "input()\nx = []\nwhile True: x.append(1)\n",
)
CRASHING = ("print(1 // 0)\n", "def f(n): return f(n + 1)\nf(0)\n", "print((\n", "import nothing_of_this_name\n")
HOSTILE = (
    "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
    "import os, sys\nwhile True: os.write(1, b'x' * 65536)\n",
    "import os\nfor fd in range(256):\n    try: os.write(fd, b'3')\n    except OSError: pass\nos._exit(0)\n",
    "import os, signal\nos.kill(-1, signal.SIGKILL)\n",
    "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\nprint(1)\n",
    "import os\nos.setsid()\nprint(open('/proc/self/environ').read())\n",
    "x = bytearray(1 << 40)\n",
    "import ctypes\nctypes.string_at(0)\n",
    "import socket\ns = socket.create_connection(('127.0.0.1', 1), 1)\n",
    "import threading, time\nfor _ in range(10000): threading.Thread(target=time.sleep, args=(99,)).start()\n",
    "import sys\nsys.stdout.write('9' * (1 << 27))\n",
    "import shutil\nshutil.rmtree('/', ignore_errors=True)\nopen('/tmp/escaped', 'w').write('x')\n",
)


def make_rows(count: int, tests: int, *, hostile: float = 0.02, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield rows: two thirds right; of the others most are wrong, and some hang, crash or attack.

    Args:
        count: of rows.
        tests: of each row.
        hostile: the share of rows that attack the machine.
        seed: the same gives the same rows.
    """
    generator = random.Random(seed)
    task: dict[str, Any] = {}
    problem = _PROBLEMS[0]
    for number in range(count):
        if number % PER_TASK == 0:
            problem = _PROBLEMS[number // PER_TASK % len(_PROBLEMS)]
            made = list(_make_tests(problem, tests, generator))
            task = {"task": f"{problem.name} {number // PER_TASK}", "tests": made}
        chance = generator.random()
        if chance < 0.66:
            code = problem.right
        elif chance < 0.66 + hostile:
            code = generator.choice(HOSTILE)
        elif chance < 0.66 + hostile + 0.02:
            code = generator.choice(HANGING)
        elif chance < 0.72 + hostile:
            code = generator.choice(CRASHING)
        else:
            code = problem.wrong
        is_right = code == problem.right
        yield {
            "id": f"s{number}",
            "code": f"# {number}\n{code}",
            "limits": {"time_s": TIME_LIMIT_S},
            "is_right": is_right,
            **task,
        }


def _make_tests(problem: _Problem, count: int, generator: random.Random) -> Iterator[dict[str, str]]:
    for number in range(count):
        size = generator.randint(1, 12) if number < count // 2 else generator.randint(problem.size // 2, problem.size)
        numbers = [generator.randint(-20, 20) for _ in range(size)]
        yield {"input": f"{size}\n{' '.join(map(str, numbers))}\n", "output": f"{problem.solve(numbers)}\n"}


def write_rows(path: str, count: int, tests: int, *, hostile: float = 0.02) -> None:
    """Write rows as JSON lines."""
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - a path of the command line
        file.writelines(f"{json.dumps(row)}\n" for row in make_rows(count, tests, hostile=hostile))
