"""A job that is ready, and a folder for its program."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge.base.units import MIB, Bytes, Seconds
from judge.judging.judge import Job
from judge.languages.build import Program, build
from judge.model import Case, CheckerConfig, Inline, Limits
from judge.runner.executors import LocalExecutor
from judge.workspace.session import open_temporary_folder

LIMITS = Limits(cpu=Seconds(2.0), wall=Seconds(5.0), memory=Bytes(256 * MIB), output=Bytes(MIB))
CASE = Case(
    group="g", name="1", input=Inline(b"x\n"), limits=LIMITS, checker=CheckerConfig(), origin=Path("/x/cases.yaml")
)


@contextmanager
def open_folder() -> Iterator[Path]:
    """Make a folder that the sandbox's users can enter."""
    with open_temporary_folder() as private:
        (private / "programs").mkdir()
        (private / "programs").chmod(0o755)
        yield private / "programs"


def make_job(folder: Path, text: str = "print(input())\n") -> Job:
    """Return a job whose program is in the folder; its answer is large enough to travel separately."""
    with LocalExecutor(1, work_folder=folder) as executor:
        (program,) = executor.map(lambda box, path: build(path, folder, box, text=text.encode()), [Path("/x/a.py")])
    assert isinstance(program, Program)
    return Job(program=program, case=CASE, input=b"x\n", answer=b"x\n" + b" " * 20_000)
