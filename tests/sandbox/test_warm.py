"""Warm and cold runs agree: in how they end, exit code, output and the last line on standard error."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from judge.languages.build import Program, build
from judge.languages.interpreters import create_bare_venv
from judge.model import Ending, Level, Problem, Solution
from judge.preparation.generate import GENERATOR_LIMITS
from judge.problems.native import load_problem
from judge.problems.paths import problem_ids
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.confine import Confinement, Steps
from judge.sandbox.launcher import Arena
from judge.sandbox.protocol import Request
from judge.sandbox.warm_box import SharedWarmBox, WarmBox
from judge.sandbox.zygote import Zygote
from tests.parameters import first_of
from tests.programs import limits

ROOT = Path(__file__).parents[2]
INPUT = b"3 4\nsome words\n\n5\n"

_CARRIAGE_RETURNS = b"a\r\nb\rc\r\n"
IDIOMS = {
    "for line in stdin": "import sys\nfor line in sys.stdin: print(len(line))",
    "input to EOFError": "while True:\n  try: print(input()[::-1])\n  except EOFError: break",
    "EOFError unhandled": "while True: print(input())",
    "stdin buffer": "import sys; print(sys.stdin.buffer.read())",
    "stdin buffer readline": "import sys; print(sys.stdin.buffer.readline(), sys.stdin.readline())",
    "os.read": "import os; print(os.read(0, 5), os.read(0, 99999))",
    "open(0)": "print(open(0).read().split())",
    "open(0) in bytes": "print(open(0, 'rb').readlines())",
    "stdin.read": "import sys; print(sys.stdin.read().splitlines())",
    "stdout buffer": "import sys; sys.stdout.buffer.write(b'\\xff\\x00 bytes'); sys.stdout.buffer.flush()",
    "stdout write mixed": "import sys; print('a'); sys.stdout.flush(); sys.stdout.buffer.write(b'b\\n'); print('c')",
    "os.write": "import os; os.write(1, b'straight\\n')",
    "print flush": "print('x', flush=True); print('y', end='')",
    "open(1)": "out = open(1, 'w'); out.write('late')",
    "open(1) closed": "with open(1, 'w') as out: out.write('in time')",
    "rebound print": "import sys; write = sys.stdout.write; write('1\\n'); write('2\\n')",
    "redirected stdout": "import io, sys; sys.stdout = io.StringIO(); print('lost')",
    "exit": "exit()",
    "quit with a code": "quit(3)",
    "sys.exit text": "import sys; print('a'); sys.exit('text')",
    "sys.exit large": "import sys; sys.exit(300)",
    "sys.exit negative": "import sys; sys.exit(-1)",
    "sys.exit huge": "import sys; sys.exit(2**64)",
    "sys.exit None": "import sys; sys.exit(None)",
    "sys.exit list": "import sys; sys.exit([1, 2])",
    "raise SystemExit": "raise SystemExit",
    "os._exit": "import os; print('lost'); os._exit(4)",
    "exception": "print('before'); [][1]",
    "exception in a function": "def f(n): return f(n - 1) if n else 1 / 0\nprint('x')\nf(3)",
    "exception chained": "try: 1 / 0\nexcept ZeroDivisionError as e: raise ValueError('late') from e",
    "own exception": "class Oops(Exception): pass\nraise Oops('once')",
    "import of a program": "if False:\n  import unittest.__main__\nprint('x')",
    "KeyError": "{}['missing']",
    "AssertionError": "assert input() == 'no', 'message'",
    "own excepthook": "import sys; sys.excepthook = lambda *a: print('hook', a[0].__name__); 1 / 0",
    "unicode": "print('größe \\u2660')",
    "unencodable": "print('\\udc80')",
    "threads": "import threading\nt = threading.Thread(target=print, args=('in',)); t.start(); t.join(); print('out')",
    "thread not joined": (
        "import threading, time\ndef f(): time.sleep(0.05); print('end')\nthreading.Thread(target=f).start()"
    ),
    "deep recursion in a thread": (
        "import sys, threading\nsys.setrecursionlimit(10**6); threading.stack_size(512 << 20)\n"
        "def f(n): return 0 if n == 0 else 1 + f(n - 1)\n"
        "t = threading.Thread(target=lambda: print(f(100000))); t.start(); t.join()"
    ),
    "deep recursion": (
        "import sys; sys.setrecursionlimit(10**6)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(10**5))"
    ),
    "recursion error": "def f(n): return f(n + 1)\nf(0)",
    "atexit": "import atexit; atexit.register(print, 'bye'); print('hello')",
    "atexit that fails": "import atexit; atexit.register(lambda: 1 / 0); print('hello')",
    "multiprocessing refused": "import multiprocessing as m\nm.Process(target=print).start()",
    "multiprocessing pool refused": "import multiprocessing as m\nm.Pool(2)",
    "subprocess refused": "import subprocess; subprocess.run(['true'])",
    "unflushed at a crash": "import os, signal\nprint('lost'); os.kill(os.getpid(), signal.SIGKILL)",
    "abort": "import os; print('lost'); os.abort()",
    "ended by SIGTERM": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "alarm": "import signal, time; signal.alarm(1); time.sleep(9)",
    "main guard": "def main(): print('main')\nif __name__ == '__main__': main()",
    "file name": "print(__file__.rsplit('/', 1)[1], __name__, __doc__)",
    "argv": "import sys; print(len(sys.argv), sys.argv[0] == __file__)",
    "path": "import sys; print(sys.path == [p for p in sys.path if 'judge' not in p])",
    "import judge": "import judge",
    "module names": "import sys; print(sorted(name for name in sys.modules if 'judge' in name))",
    "globals": "print(sorted(globals()))",
    "environment": "import os; print(sorted(os.environ.items()))",
    "dataclass": "from dataclasses import dataclass\n@dataclass\nclass P:\n  x: int\n  y: 'P'\nprint(P(1, P(2, None)))",
    "pickle": "import pickle\nclass C:\n  def __init__(self): self.x = 1\nprint(pickle.loads(pickle.dumps(C())).x)",
    "future annotations": "from __future__ import annotations\nx: nothing = 1\nprint(__annotations__)",
    "no annotations leak": "def f(a: int): pass\nprint(f.__annotations__)",
    "random seeded": "import random; random.seed(5); print(random.random())",
    "input with prompt": "print(input('? '))",
    "star imports": "from math import *\nfrom itertools import *\nprint(sqrt(16), list(islice(count(), 3)))",
    "import that fails": "import nothing_of_this_name",
    "numpy is not there": "import numpy",
    "carriage returns": "import sys; print(repr(input())); print(repr(sys.stdin.read()), end='\\r\\n')",
    "read nothing": "pass",
    "write nothing": "input()",
    "isatty": "import sys; print(sys.stdin.isatty(), sys.stdout.isatty())",
    "encoding": "import sys; print(sys.stdin.encoding, sys.stdout.encoding, sys.stdin.errors, sys.stdout.errors)",
    "descriptors": "import sys; print(sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno())",
    "stderr": "import sys; print('to stderr', file=sys.stderr)",
    "warnings": "import warnings; warnings.warn('careful')",
    "finalizer": "class C:\n  def __del__(self): print('gone')\nkept = C()",
    "finalizer that exits": "import os\nclass C:\n  def __del__(self): os._exit(7)\nk = C(); print('fine')",
    "finalizer that exits in a cycle": (
        "import os\nclass C:\n  def __del__(self): os._exit(7)\nk = C(); k.k = k; print('fine', flush=True)"
    ),
    "finalizer that fails": "class C:\n  def __del__(self): 1 / 0\nk = C(); print('fine')",
    "finalizer after an exception": "class C:\n  def __del__(self): print('gone')\nk = C(); 1 / 0",
    "finalizer after sys.exit": "import sys\nclass C:\n  def __del__(self): print('gone')\nk = C(); sys.exit(3)",
    "finalizer after an interrupt": "class C:\n  def __del__(self): print('gone')\nk = C(); raise KeyboardInterrupt",
    "finalizer stored in builtins": (
        "import builtins, os\nclass C:\n  def __del__(self): os.write(1, b'gone')\nbuiltins.k = C()"
    ),
    "weakref.finalize": "import weakref\nclass C: pass\nk = C(); weakref.finalize(k, print, 'gone')",
    "no modules": "import sys; print('fine', flush=True); sys.modules.clear()",
    "no main module": "import sys; print('fine'); del sys.modules['__main__']",
    "no main module, by another name": "import sys; print('fine'); vars(sys)['mod' + 'ules'].pop('__main__')",
    "another main module": "import sys, types; sys.modules['__main__'] = types.ModuleType('x'); print('fine')",
    "gc": "import gc; gc.collect(); gc.disable(); print(gc.isenabled())",
    "closed stdout": "import sys; print('x'); sys.stdout.close()",
    "another stdout": "import io, sys; print('x'); sys.stdout = io.StringIO(); print('y')",
    "no stdout": "import sys; print('x'); sys.stdout = None",
    "a stdout that does not flush": (
        "import sys\nclass Out:\n  def __init__(self, to): self.write = to.write\n  def flush(self): pass\n"
        "sys.stdout = Out(sys.stdout); print('x')"
    ),
    "its own stdout": "import os, sys; sys.stdout = open(os.devnull, 'w'); sys.__stdout__.write('x')",
    "interrupted": "print('x'); raise KeyboardInterrupt",
    "a status of another class": (
        "import sys\nclass S(int):\n  def __and__(self, other): return 0\n  __rand__ = __and__\nsys.exit(S(5))"
    ),
    "another os._exit": "import os; os._exit = lambda status: None; raise ValueError",
    "an expression as deep as the compiler takes it": f"print({'+'.join('1' * 2988)})",
    "limits": "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))",
    "set stack limit": (
        "import resource as r; h = r.getrlimit(r.RLIMIT_STACK)[1]\nr.setrlimit(r.RLIMIT_STACK, (h, h)); print(h)"
    ),
    "spins": "while True: pass",
    "memory": "x = bytearray(1 << 30)",
    "flood": "while True: print('x' * 10000)",
}


@pytest.fixture(scope="module")
def work_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the boxes show from the start: later ones would restart their zygotes."""
    made = tmp_path_factory.mktemp("work")
    made.chmod(0o755)  # a judge that is root runs programs as another user
    return made


@pytest.fixture(scope="module")
def cold(work_folder: Path) -> Iterator[Box]:
    with Box(work_folder=work_folder) as box:
        yield box


@pytest.fixture(scope="module")
def warm(work_folder: Path) -> Iterator[WarmBox]:
    with WarmBox(work_folder=work_folder) as box:
        yield box


@pytest.fixture(scope="module")
def shared(work_folder: Path) -> Iterator[SharedWarmBox]:
    with SharedWarmBox(work_folder=work_folder) as box:
        yield box


@pytest.fixture
def folder(work_folder: Path) -> Path:
    """A folder for one source."""
    made = Path(mkdtemp(dir=work_folder))
    made.chmod(0o755)
    return made


@pytest.mark.parametrize("name", first_of(IDIOMS, 15))
def test_an_idiom_does_the_same_warm_and_cold(
    name: str, cold: Box, warm: WarmBox, shared: SharedWarmBox, folder: Path
) -> None:
    source = folder / "idiom.py"
    source.write_text(IDIOMS[name] + "\n")
    command = Command(
        argv=(create_bare_venv(folder), "-I", str(source)),
        stdin=_CARRIAGE_RETURNS if name == "carriage returns" else INPUT,
        readable=(folder,),
    )
    cpu = 1.0 if name == "spins" else 5.0  # allocating much memory takes time, too
    few = limits(cpu=cpu, memory=256 << 20, output=1 << 20)
    facts = [
        _facts(box.run(command, few)) for box in (cold, warm, warm, shared)
    ]  # a run leaves nothing to the next one
    assert facts[1:] == facts[:1] * 3


def _facts(outcome: Outcome) -> tuple[object, ...]:
    lines = outcome.result.stderr_tail.decode(errors="replace").splitlines()
    ending = outcome.result.ending
    if ending not in (Ending.EXITED, Ending.SIGNALED):
        return (ending,)  # its output until then differs between runs
    return ending, outcome.result.exit_code, outcome.result.signal, outcome.stdout, lines[-1:]


@cache
def loaded(name: str) -> Problem:
    return load_problem(ROOT, name)


def shipped() -> list[Solution]:
    return [solution for each in problem_ids(ROOT) for solution in loaded(each).solutions]


@pytest.mark.thorough
@pytest.mark.parametrize("solution", shipped(), ids=lambda solution: solution.display_path)
def test_a_shipped_solution_does_the_same_warm_and_cold(
    solution: Solution, cold: Box, warm: WarmBox, folder: Path
) -> None:
    problem = loaded(solution.path.parts[-3])
    program = build(solution.path, folder, cold)
    assert isinstance(program, Program)
    for case in [case for case in problem.cases if case.group in ("sample", "dirty")][:4]:
        data = getattr(case.input, "data", b"")
        outcomes = [box.run(program.command(data, GENERATOR_LIMITS), case.limits) for box in (cold, warm)]
        assert _facts(outcomes[1]) == _facts(outcomes[0])
        if outcomes[0].result.ending is Ending.EXITED:
            assert outcomes[1].result.ending is Ending.EXITED


def test_runs_of_one_source_do_not_affect_each_other(warm: WarmBox, folder: Path) -> None:
    source = folder / "x.py"
    source.write_text(
        "import builtins, collections, os\n"
        "print(hasattr(builtins, 'mark'), hasattr(collections, 'mark'), os.environ.get('MARK'))\n"
        "builtins.mark = collections.mark = 1; os.environ['MARK'] = '1'\n"
    )
    command = Command(argv=(create_bare_venv(folder), "-I", str(source)), readable=(folder,))
    assert [warm.run(command, limits()).stdout for _ in range(3)] == [b"False False None\n"] * 3


def test_random_numbers_differ_from_run_to_run(warm: WarmBox, folder: Path) -> None:
    source = folder / "x.py"
    source.write_text("import random; print(random.random())\n")
    command = Command(argv=(create_bare_venv(folder), "-I", str(source)), readable=(folder,))
    assert len({warm.run(command, limits()).stdout for _ in range(5)}) == 5


def test_a_run_sees_no_frame_of_the_zygote_but_the_one_that_calls_it(warm: WarmBox, folder: Path) -> None:
    source = folder / "x.py"
    source.write_text("import sys; f = sys._getframe().f_back; print(f.f_back, f.f_code.co_filename)\n")
    command = Command(argv=(create_bare_venv(folder), "-I", str(source)), readable=(folder,))
    assert warm.run(command, limits()).stdout == b"None <string>\n"


def test_a_run_shares_no_memory_with_the_zygote_that_it_can_write(warm: WarmBox, folder: Path) -> None:
    if warm.level is not Level.FULL:
        pytest.skip("runs cannot read /proc")
    source = folder / "x.py"
    source.write_text("print([line for line in open('/proc/self/maps') if line.split()[1] == 'rw-s'])\n")
    command = Command(argv=(create_bare_venv(folder), "-I", str(source)), readable=(folder,))
    assert warm.run(command, limits()).stdout == b"[]\n"


def test_arguments_of_a_command_reach_the_program(warm: WarmBox, folder: Path) -> None:
    source = folder / "x.py"
    source.write_text("import sys; print(sys.argv[1:])\n")
    command = Command(argv=(create_bare_venv(folder), "-I", str(source), "a", "b"), readable=(folder,))
    assert warm.run(command, limits()).stdout == b"['a', 'b']\n"


def test_warnings_about_the_source_are_not_shown_to_the_user(
    warm: WarmBox, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = folder / "x.py"
    source.write_text("if 1 is 1: print('x')\n")
    command = Command(argv=(create_bare_venv(folder), "-I", str(source)), readable=(folder,))
    assert warm.run(command, limits()).stdout == b"x\n"
    assert capfd.readouterr().err == ""


def test_a_fork_that_fails_leaves_no_descriptor_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise BlockingIOError

    zygote = Zygote.__new__(Zygote)
    zygote.launcher = None
    zygote.plans = {}
    zygote.confinement = Confinement.__new__(Confinement)
    zygote.confinement.arena = Arena(1 << 12)
    monkeypatch.setattr(Confinement, "prepare", lambda *_: -1)
    monkeypatch.setattr(Confinement, "steps", lambda self, *_: Steps(self.arena))
    monkeypatch.setattr(os, "fork", fail)
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(BlockingIOError):
        zygote.fork(Request(**dict.fromkeys(Request.__annotations__)), [0, 1, 2])
    assert len(list(Path("/proc/self/fd").iterdir())) == before
