"""Jobs and inputs of searches that travel, with their programs: built by the client, with the paths of the worker.

The files of a program keep their paths within the folder of programs (`DataStore.build`), which are unique by content.
What a program needs outside of that folder, such as an interpreter, must be at the same path on the worker.

What decides whether an input of a search is a failure travels once, and inputs follow.
"""

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cloudpickle
from msgspec import Struct
from msgspec.structs import replace

from judge.grading.cluster.values import Content, Recent
from judge.hack.values import Examination, NamedProgram, Target
from judge.judging.judge import Job
from judge.judging.programs import ReadyProgram
from judge.languages.build import Program
from judge.languages.interpreters import create_bare_venv
from judge.model import Inline
from judge.sandbox.work_folder import remove

_SMALL = 16 << 10  # bytes of data that travel with each job
_MAX_DATA = 64 << 20  # bytes of data of a job that travels
_KEPT = 256 << 20  # bytes of the files of programs that stay in memory; the least recently used are dropped first
_MAX_TREE = 256 << 20  # bytes of the files of a program that travels


class Tree(Struct, frozen=True):
    """The files of a program.

    Attributes:
        files: their paths below the folder of programs, whether they are executable, and their contents.
    """

    files: tuple[tuple[str, bool, bytes], ...]


class JobPayload(Struct, frozen=True, kw_only=True):
    """A job on its way to a worker, with the paths of the client. Its contents are trees, then the data that is large.

    Attributes:
        root: the client's folder of programs.
        has_input, has_answer: they are contents, too.
    """

    job: Job
    root: str
    has_input: bool
    has_answer: bool


class Packer:
    """Packs jobs; may be used by several threads.

    Args:
        root: the folder of programs.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._trees = Recent[tuple[Path, Path], Content](_KEPT, lambda each: each.size)

    def pack(self, job: Job) -> tuple[JobPayload, tuple[Content, ...]] | None:
        """Return a job with the contents that it needs; None if it must be judged on this machine.

        Raises:
            OSError: a file cannot be read.
        """
        if job.case.files is not None or (trees := self.pack_programs(_programs(job))) is None:
            return None
        given, answer = _read(job.input), b"" if job.answer is None else _read(job.answer)
        if given is None or answer is None:
            return None
        has_input, has_answer = len(given) >= _SMALL, len(answer) >= _SMALL
        case = replace(job.case, input=Inline(b""), answer=None if job.case.answer is None else Inline(b""))
        payload = JobPayload(
            job=replace(
                job,
                case=case,
                input=b"" if has_input else given,
                answer=None if job.answer is None else b"" if has_answer else answer,
            ),
            root=str(self.root),
            has_input=has_input,
            has_answer=has_answer,
        )
        large = [*([given] if has_input else []), *([answer] if has_answer else [])]
        return payload, (*trees, *(Content(hashlib.sha256(each).hexdigest(), each, len(each)) for each in large))

    def pack_programs(self, programs: Sequence[Program]) -> tuple[Content, ...] | None:
        """Return the files of programs; None if one must run on this machine.

        Raises:
            OSError: a file cannot be read.
        """
        folders = [folder for each in programs for folder in (each.place, *(part.copy for part in each.include))]
        if not all(folder.is_relative_to(self.root) for folder in folders):
            return None
        trees = {content.key: content for program in programs for content in self._find_trees(program)}
        return tuple(trees.values()) if all(each.size <= _MAX_TREE for each in trees.values()) else None

    def _find_trees(self, program: Program) -> Iterator[Content]:
        # a program of one file may be beside those of its variants
        runs_its_source = not program.is_folder and program.argv[-1] == str(program.copy)
        yield self._find(program.place, program.copy if runs_its_source else Path())
        if program.base is not None:
            yield self._find(program.place, program.base)
        for folder in program.include:
            yield self._find(folder.copy, Path())

    def _find(self, folder: Path, file: Path) -> Content:
        """Return a file of a folder, or all of its files."""

        def read() -> Content:
            return self._read_tree([file] if file.name else sorted(_walk(folder)))

        with self._lock:
            return self._trees.get((folder, file), read)

    def _read_tree(self, paths: list[Path]) -> Content:
        files, hasher = [], hashlib.sha256()
        for path in paths:
            name, is_executable, data = str(path.relative_to(self.root)), os.access(path, os.X_OK), path.read_bytes()
            files.append((name, is_executable, data))
            hasher.update(repr((name, is_executable, len(data))).encode() + data)
        return Content(hasher.hexdigest(), Tree(tuple(files)), sum(len(each[2]) for each in files))


class Unpacker:
    """Writes the files of programs on a worker, each once; may be used by several threads.

    Args:
        root: the worker's folder of programs.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()

    def unpack(self, payload: JobPayload, contents: list[Tree | bytes]) -> Job | str:
        """Return a job with the paths of this worker, or what it needs and this worker does not have.

        Raises:
            OSError: a file cannot be written.
        """
        data = self.unpack_programs(contents)
        job = payload.job
        job = replace(
            job,
            program=self.relocate(job.program, payload.root),
            checker=self.relocate_ready(job.checker, payload.root),
            interactor=self.relocate_ready(job.interactor, payload.root),
        )
        if payload.has_answer:
            job = replace(job, answer=data.pop())
        if payload.has_input:
            job = replace(job, input=data.pop())
        return find_missing(_programs(job)) or job

    def unpack_programs(self, contents: Sequence[Tree | bytes]) -> list[bytes]:
        """Write the files of programs; return the contents that are data.

        Raises:
            OSError: a file cannot be written.
        """
        data: list[bytes] = []
        for content in contents:
            if isinstance(content, Tree):
                with self._lock:
                    self._write(content)
            else:
                data.append(content)
        create_bare_venv(self._root)  # at the same place as on the client
        return data

    def relocate(self, program: Program, root: str) -> Program:
        """Return a program with the paths of this worker; `root` is the client's folder of programs."""

        def move(text: str) -> str:
            return text.replace(root, str(self._root))

        def move_path(path: Path) -> Path:
            return Path(move(str(path)))

        return replace(
            program,
            argv=tuple(map(move, program.argv)),
            copy=move_path(program.copy),
            place=move_path(program.place),
            include=tuple(replace(each, copy=move_path(each.copy)) for each in program.include),
            readable=tuple(map(move_path, program.readable)),
            environment={name: move(value) for name, value in program.environment.items()},
            base=None if program.base is None else move_path(program.base),
        )

    def relocate_ready(self, ready: ReadyProgram | None, root: str) -> ReadyProgram | None:
        """Return a program that judges with the paths of this worker."""
        if ready is None:
            return None
        others = tuple(replace(each, program=self.relocate(each.program, root)) for each in ready.others)
        return replace(ready, program=self.relocate(ready.program, root), others=others)

    def _write(self, tree: Tree) -> None:
        for name, is_executable, data in tree.files:
            path = self._root / name
            if path.exists():
                continue
            for folder in reversed(path.relative_to(self._root).parents):
                place = self._root / folder
                if not place.exists():
                    place.mkdir()
                    place.chmod(0o755)  # the sandbox may run programs as another user
            new = path.with_name(f".new-{path.name}")
            try:
                new.write_bytes(data)
                new.chmod(0o755 if is_executable else 0o644)
                new.replace(path)
            except OSError:
                remove(str(new))
                raise


def find_missing(programs: Iterable[Program]) -> str:
    """Return what programs need and this machine does not have; "" if it has everything."""
    paths = (path for program in programs for path in (program.argv[0], *map(str, program.readable)))
    missing = next((path for path in paths if not os.path.exists(path)), "")  # noqa: PTH110 - of any kind
    return f"it has no {missing}" if missing else ""


def programs_of(ready: ReadyProgram | None) -> list[Program]:
    """Return the programs of a checker or an interactor: several of the legacy format are one."""
    return [] if ready is None else [each.program for each in (ready, *ready.others)]


def _programs(job: Job) -> list[Program]:
    return [job.program, *programs_of(job.checker), *programs_of(job.interactor)]


def _walk(folder: Path) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        yield from (Path(parent, name) for name in names)


def _read(data: bytes | Path) -> bytes | None:
    """Return data; None if there is too much of it."""
    if isinstance(data, bytes):
        return data if len(data) <= _MAX_DATA else None
    return data.read_bytes() if data.stat().st_size <= _MAX_DATA else None


# ---- inputs of searches ---------------------------------------------------------------------------------------------


_MAX_TARGETS = 64  # the least recently used are dropped first


class ExaminationPayload(Struct, frozen=True, kw_only=True):
    """An input on its way to a worker. Its contents are the files of the programs, then the target.

    Attributes:
        root: the client's folder of programs.
        target: the key of the target.
    """

    examination: Examination
    root: str
    target: str


class TargetPacker:
    """Packs targets; may be used by several threads."""

    def __init__(self, packer: Packer) -> None:
        self._packer = packer
        self._lock = threading.Lock()
        # each target is kept, so that no other one gets its id
        self._packed = Recent[int, tuple[Target, tuple[Content, ...] | None]](_MAX_TARGETS)

    def pack(self, target: Target, examination: Examination) -> tuple[ExaminationPayload, tuple[Content, ...]] | None:
        """Return an input with the contents that it needs; None if it must be examined on this machine.

        Raises:
            OSError: a file cannot be read.
        """
        with self._lock:
            contents = self._packed.get(id(target), lambda: (target, self._pack(target)))[1]
        if contents is None:
            return None
        root = str(self._packer.root)
        return ExaminationPayload(examination=examination, root=root, target=contents[-1].key), contents

    def _pack(self, target: Target) -> tuple[Content, ...] | None:
        trees = self._packer.pack_programs(list(_target_programs(target)))
        if trees is None:
            return None
        data = cloudpickle.dumps(target)  # a grammar contains code
        return (*trees, Content(hashlib.sha256(data).hexdigest(), data, len(data)))


class TargetUnpacker:
    """Gives targets the paths of a worker; may be used by several threads."""

    def __init__(self, unpacker: Unpacker) -> None:
        self._unpacker = unpacker
        self._lock = threading.Lock()
        self._targets = Recent[str, Target | str](_MAX_TARGETS)

    def unpack(self, payload: ExaminationPayload, contents: Sequence[Tree | bytes]) -> Target | str:
        """Return the target of an input, or what it needs and this worker does not have.

        Raises:
            OSError: a file cannot be written.
        """
        with self._lock:
            return self._targets.get(payload.target, lambda: self._unpack(payload.root, contents))

    def _unpack(self, root: str, contents: Sequence[Tree | bytes]) -> Target | str:
        (data,) = self._unpacker.unpack_programs(contents)
        target: Target = cloudpickle.loads(data)

        def move(named: NamedProgram) -> NamedProgram:
            program, *static = (self._unpacker.relocate(each, root) for each in named.programs)
            return replace(named, program=program, static=static[0] if static else None)

        target = replace(
            target,
            submission=move(target.submission),
            references=tuple(map(move, target.references)),
            validators=tuple(tuple(map(move, group)) for group in target.validators),
            ready_checker=self._unpacker.relocate_ready(target.ready_checker, root),
            interactor=self._unpacker.relocate_ready(target.interactor, root),
        )
        return find_missing(_target_programs(target)) or target


def _target_programs(target: Target) -> Iterator[Program]:
    named = (target.submission, *target.references, *(each for group in target.validators for each in group))
    yield from (program for each in named for program in each.programs)
    yield from programs_of(target.ready_checker)
    yield from programs_of(target.interactor)
