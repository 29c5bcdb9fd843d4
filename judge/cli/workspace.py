"""What commands share: the repository that the user stands in and the folder for what is made from it."""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.errors import UsageError
from judge.executors import LocalExecutor, default_workers
from judge.layouts.native import find_root
from judge.testdata.external import data_folders
from judge.testdata.objects import Facts, Objects
from judge.testdata.prepared import Shelf

CACHE = ".judge"  # in the repository's root; made at need, ignored by git, safe to delete


def root_of(args: argparse.Namespace) -> Path:
    """Return the repository's root.

    Raises:
        UsageError: there is none here or above.
    """
    given: Path | None = args.root
    if given is not None and not given.is_dir():
        raise UsageError(f"--root {given}: there is no such folder")
    return find_root((given or Path.cwd()).absolute())


@contextmanager
def workshop(args: argparse.Namespace, root: Path) -> Iterator[tuple[LocalExecutor, Shelf]]:
    """Give workers and a shelf for test data; both are cleaned up at the end, however it comes."""
    jobs = getattr(args, "jobs", None)
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs {jobs}: expected a number from 1 up")
    data: Path | None = getattr(args, "data", None)
    if data is not None and not data.is_dir():
        raise UsageError(f"--data {data}: there is no such folder")
    cache = root / CACHE
    with ExitStack() as stack:
        build = Path(stack.enter_context(TemporaryDirectory(prefix="judge-build-"))) / "programs"
        build.mkdir()
        build.chmod(0o755)  # the folder around it is ours alone; in it, runs may be another user
        executor = stack.enter_context(LocalExecutor(jobs or default_workers(), workshops=build))
        yield (
            executor,
            Shelf(
                objects=Objects(cache / "objects"),
                facts=Facts(cache / "facts.json"),
                build=build,
                folders=data_folders(data),
            ),
        )
