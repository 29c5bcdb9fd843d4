"""How a session runs programs: plain values, made before anything is imported that uses them."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from judge.model import Level


class SessionOptions(Struct, frozen=True, kw_only=True):
    """How a session runs programs.

    Attributes:
        jobs: runs at the same time, at most 256; None for one on each CPU core.
        is_warm: Python solutions fork from a ready interpreter.
        is_shared: if so, one interpreter serves all of them, which is faster for few runs of each.
        required_level: the weakest sandbox level to accept.
        python: the interpreter of Python solutions, as --python names it; commands resolve it into `tools`.
        tools: compilers and interpreters to use in place of the usual ones, such as `{"python": "/usr/bin/pypy3"}`.
        flags: more flags of compilers for the solutions, by the id of the language; those of a problem come after them.
        flags_from: where these flags come from, by the id of the language; for messages.
        include: folders with the user's own headers and modules that solutions may use.
        testlib: the user's `testlib.h`, or its folder.
        scheduler: the address of a Dask scheduler, on whose workers programs run in place of this process.
        workers: how many worker processes of this machine run them with Dask, if there is no scheduler.
        profile: the profile of the settings that fill in what is None; None for the one of the environment.
    """

    jobs: int | None = None
    data: Path | None = None
    is_warm: bool = False
    is_shared: bool = False
    required_level: Level | None = None
    python: str | None = None
    tools: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags_from: Mapping[str, str] = field(default_factory=dict)
    include: tuple[Path, ...] = ()
    profile: str | None = None
    testlib: Path | None = None
    scheduler: str | None = None
    workers: int | None = None

    @property
    def has_cluster(self) -> bool:
        """Whether programs run on the workers of a cluster."""
        return self.scheduler is not None or self.workers is not None
