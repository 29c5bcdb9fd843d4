"""Programs for tests of a search."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from judge.base.units import MIB, Bytes, Seconds
from judge.hack.values import NamedProgram
from judge.languages.build import Program, build
from judge.model import Limits
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box
from judge.workspace.session import open_temporary_folder

LIMITS = Limits(cpu=Seconds(2.0), wall=Seconds(5.0), memory=Bytes(256 * MIB), output=Bytes(MIB))


@contextmanager
def build_programs(texts: Mapping[str, str]) -> Iterator[dict[str, NamedProgram]]:
    """Yield Python programs by their names; their files exist until the context ends."""
    with open_temporary_folder() as folder:
        (folder / "programs").mkdir()
        folder.chmod(0o755)
        (folder / "programs").chmod(0o755)

        def make(box: Box, name: str) -> NamedProgram:
            built = build(Path(f"/x/{name}.py"), folder / "programs", box, text=texts[name].encode())
            assert isinstance(built, Program)
            return NamedProgram(name=name, program=built)

        with LocalExecutor(1, work_folder=folder / "programs") as executor:
            programs = dict(zip(texts, executor.map(make, list(texts)), strict=True))
        yield programs
