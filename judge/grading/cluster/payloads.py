"""Values that travel to a worker with the files of their programs: jobs, and what decides about inputs of a search.

A value is pickled. Paths in the folder of programs (`DataStore.build`) become those of the worker's folder: they are
unique by content. What a program needs outside of it, such as an interpreter, must be at the same path on the worker.
The files of programs and large data travel as contents, once to each worker.
"""

import hashlib
import os
import pickle
import threading
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import cloudpickle
from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import ToolError
from judge.grading.cluster.values import KEPT, SMALL, Content
from judge.grading.recent import Recent
from judge.hack.values import Examination, Target
from judge.judging.judge import Job
from judge.languages.build import Program
from judge.languages.interpreters import create_bare_venv
from judge.model import Inline
from judge.sandbox.work_folder import remove

_MAX_TARGETS = 64  # the least recently used are dropped first


Tree = tuple[tuple[str, bool, bytes], ...]
"""The files of a program: paths below the folder of programs, whether they are executable, and their contents."""


class Packed(Struct, frozen=True):
    """A pickled value.

    Attributes:
        needs: what its programs need outside of the folder of programs.
    """

    data: bytes
    needs: tuple[str, ...]


ExaminationPayload = tuple[Examination, str]
"""An input of a search on its way to a worker; the last of its contents is the target, `Packed`, with this key."""


class Packer:
    """Packs values; used by one thread at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._trees = Recent[tuple[Path, Path], Content](KEPT, lambda each: each.size)
        # each target is kept, so that no other one gets its id
        self._targets = Recent[int, tuple[Target, tuple[Content, ...] | None]](_MAX_TARGETS)

    def pack_job(self, job: Job) -> tuple[Packed, tuple[Content, ...]] | None:
        """Return a job with the contents that it needs; None if it must be judged on this machine.

        Raises:
            OSError: a file cannot be read.
        """
        given, answer = _read(job.input), b"" if job.answer is None else _read(job.answer)
        if job.case.files is not None or given is None or answer is None:
            return None
        case = replace(job.case, input=Inline(b""), answer=None if job.case.answer is None else Inline(b""))
        return self._pack(replace(job, case=case, input=given, answer=None if job.answer is None else answer))

    def pack_examination(
        self, target: Target, examination: Examination
    ) -> tuple[ExaminationPayload, tuple[Content, ...]] | None:
        """Return an input with the contents that it needs; None if it must be examined on this machine.

        Raises:
            OSError: a file cannot be read.
        """

        def pack() -> tuple[Target, tuple[Content, ...] | None]:
            if (found := self._pack(target)) is None:
                return target, None
            packed, contents = found
            key = hashlib.sha256(packed.data).hexdigest()
            return target, (*contents, Content(key, packed, len(packed.data)))

        contents = self._targets.get(id(target), pack)[1]
        return None if contents is None else ((examination, contents[-1].key), contents)

    def _pack(self, value: Job | Target) -> tuple[Packed, tuple[Content, ...]] | None:
        """Return a value, with the files of its programs and then its large data; None if it must stay here."""
        pickler = _Pickler(str(self._root))
        pickler.dump(value)
        programs = pickler.programs
        folders = [folder for each in programs for folder in (each.place, *(part.copy for part in each.include))]
        if not all(folder.is_relative_to(self._root) for folder in folders):
            return None
        trees = {content.key: content for program in programs for content in self._find_trees(program)}
        if any(each.size > KEPT for each in trees.values()):
            return None
        paths = (path for each in programs for path in (Path(each.argv[0]), *each.readable))
        needs = tuple(str(path) for path in dict.fromkeys(paths) if not path.is_relative_to(self._root))
        large = (Content(hashlib.sha256(each).hexdigest(), each, len(each)) for each in pickler.large)
        return Packed(pickler.file.getvalue(), needs), (*trees.values(), *large)

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
            files, hasher = [], hashlib.sha256()
            for path in [file] if file.name else sorted(each for each in folder.rglob("*") if not each.is_dir()):
                name, is_executable = str(path.relative_to(self._root)), os.access(path, os.X_OK)
                data = path.read_bytes()
                files.append((name, is_executable, data))
                hasher.update(repr((name, is_executable, len(data))).encode() + data)
            return Content(hasher.hexdigest(), tuple(files), sum(len(each[2]) for each in files))

        return self._trees.get((folder, file), read)


class _Pickler(cloudpickle.Pickler):
    """Pickles a value without the folder of programs in its texts and paths, and without its large data.

    A grammar contains code, which only cloudpickle pickles.

    Attributes:
        large: the data that is left out.
    """

    def __init__(self, root: str) -> None:
        self.file = BytesIO()
        super().__init__(self.file)
        self.programs: list[Program] = []
        self.large: list[bytes] = []
        self._root = root

    def persistent_id(self, value: object) -> tuple[object, ...] | None:
        if isinstance(value, Program):
            self.programs.append(value)
        elif isinstance(value, str | Path) and self._root in (text := str(value)):
            return (isinstance(value, Path), *text.split(self._root))
        elif isinstance(value, bytes) and len(value) >= SMALL:
            self.large.append(value)
            return (len(self.large) - 1,)
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, root: str, large: Sequence[bytes]) -> None:
        super().__init__(BytesIO(data))
        self._root = root
        self._large = large

    def persistent_load(self, found: Any) -> object:
        if len(found) == 1:
            return self._large[found[0]]
        is_path, *parts = found
        text = self._root.join(parts)
        return Path(text) if is_path else text


class Unpacker:
    """Unpacks values on a worker, and writes the files of their programs, each once; may be used by several threads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._targets = Recent[str, Any](_MAX_TARGETS)

    def unpack(self, packed: Packed, contents: Sequence[Tree | bytes]) -> Any:
        """Return a value with the paths of this worker.

        Raises:
            ToolError: this worker does not have what it needs.
            OSError: a file cannot be written.
        """
        with self._lock:
            return self._unpack(packed, contents)

    def unpack_target(self, payload: ExaminationPayload, contents: Sequence[Any]) -> Any:
        """Return the target of an input of a search; raises what `unpack` raises."""
        *others, packed = contents
        with self._lock:
            return self._targets.get(payload[1], lambda: self._unpack(packed, others))

    def _unpack(self, packed: Packed, contents: Sequence[Tree | bytes]) -> Any:
        for tree in contents:
            if isinstance(tree, tuple):
                self._write(tree)
        create_bare_venv(self._root)  # at the same place as on the client
        if missing := next((path for path in packed.needs if not os.path.exists(path)), ""):  # noqa: PTH110 - any kind
            raise ToolError(f"it has no {missing}")
        data = [each for each in contents if isinstance(each, bytes)]
        return _Unpickler(packed.data, str(self._root), data).load()

    def _write(self, tree: Tree) -> None:
        for name, is_executable, data in tree:
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


def _read(data: bytes | Path) -> bytes | None:
    """Return data; None if there are more than 64 MiB, which do not travel."""
    if (len(data) if isinstance(data, bytes) else data.stat().st_size) > 64 << 20:
        return None
    return data if isinstance(data, bytes) else data.read_bytes()
