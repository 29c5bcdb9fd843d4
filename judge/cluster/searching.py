"""Searches on a cluster: what decides whether an input is a failure travels once, and inputs follow."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

import cloudpickle
from msgspec import Struct
from msgspec.structs import replace

from judge.cluster.batches import Content
from judge.cluster.programs import Packer, Tree, Unpacker, find_missing, programs_of
from judge.languages.build import Program
from judge.search.elsewhere import Examination
from judge.search.values import NamedProgram, Target

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
        self._packed: OrderedDict[int, tuple[Target, tuple[Content, ...] | None]] = OrderedDict()

    def pack(self, target: Target, examination: Examination) -> tuple[ExaminationPayload, tuple[Content, ...]] | None:
        """Return an input with the contents that it needs; None if it must be examined on this machine.

        Raises:
            OSError: a file cannot be read.
        """
        with self._lock:
            known = self._packed.get(id(target))
            if known is None:  # the target is kept, so that no other one gets its id
                known = self._packed[id(target)] = target, self._pack(target)
                if len(self._packed) > _MAX_TARGETS:
                    self._packed.popitem(last=False)
            self._packed.move_to_end(id(target))
        contents = known[1]
        if contents is None:
            return None
        root = str(self._packer.root)
        return ExaminationPayload(examination=examination, root=root, target=contents[-1].key), contents

    def _pack(self, target: Target) -> tuple[Content, ...] | None:
        trees = self._packer.pack_programs(list(_programs(target)))
        if trees is None:
            return None
        data = cloudpickle.dumps(target)  # a grammar contains code
        return (*trees, Content(hashlib.sha256(data).hexdigest(), data, len(data)))


class TargetUnpacker:
    """Gives targets the paths of a worker; may be used by several threads."""

    def __init__(self, unpacker: Unpacker) -> None:
        self._unpacker = unpacker
        self._lock = threading.Lock()
        self._targets: OrderedDict[str, Target | str] = OrderedDict()

    def unpack(self, payload: ExaminationPayload, contents: Sequence[Tree | bytes]) -> Target | str:
        """Return the target of an input, or what it needs and this worker does not have.

        Raises:
            OSError: a file cannot be written.
        """
        with self._lock:
            found = self._targets.get(payload.target)
            if found is None:
                found = self._targets[payload.target] = self._unpack(payload.root, contents)
                if len(self._targets) > _MAX_TARGETS:
                    self._targets.popitem(last=False)
            self._targets.move_to_end(payload.target)
        return found

    def _unpack(self, root: str, contents: Sequence[Tree | bytes]) -> Target | str:
        (data,) = self._unpacker.unpack_programs(contents)
        target: Target = cloudpickle.loads(data)

        def move(named: NamedProgram) -> NamedProgram:
            program, *quick = (self._unpacker.relocate(each, root) for each in named.programs)
            return replace(named, program=program, quick=quick[0] if quick else None)

        target = replace(
            target,
            suspect=move(target.suspect),
            references=tuple(map(move, target.references)),
            validators=tuple(tuple(map(move, group)) for group in target.validators),
            ready_checker=self._unpacker.relocate_ready(target.ready_checker, root),
            interactor=self._unpacker.relocate_ready(target.interactor, root),
        )
        return find_missing(_programs(target)) or target


def _programs(target: Target) -> Iterator[Program]:
    named = (target.suspect, *target.references, *(each for group in target.validators for each in group))
    yield from (program for each in named for program in each.programs)
    yield from programs_of(target.ready_checker)
    yield from programs_of(target.interactor)
