"""What is watched, and which changes of it concern somebody."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.watch.names import is_leftover

TREES = ("problems", "testcases", "solutions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What a person wants to have watched.

    Attributes:
        root: the repository, absolute.
        problems: ids; None for all, those to come too.
        files: files that may stand anywhere, absolute.
        folders: of cases, beside a repository; absolute.
    """

    root: Path
    problems: frozenset[str] | None = None
    files: frozenset[Path] = frozenset()
    folders: frozenset[Path] = frozenset()

    def trees(self) -> Iterator[Path]:
        """Yield folders that are watched with all that is below them; they need not exist."""
        yield from (self.root / name for name in TREES)
        yield from sorted(self.folders)

    def singles(self) -> Iterator[Path]:
        """Yield folders of which only the entries are watched: one of them may become a tree, or is a file of ours."""
        yield self.root
        above = {path.parent for path in (*self.files, *self.folders)}
        yield from sorted(folder for folder in above if not self.within_trees(folder))

    def within_trees(self, path: Path) -> bool:
        """Return whether a path is, or is below, a folder that is watched with all that is below it."""
        return any(path.is_relative_to(tree) for tree in self.trees())

    def concern(self, path: Path) -> bool:
        """Return whether a change of this path concerns anybody."""
        if path in self.files:
            return True
        if any(path.is_relative_to(folder) for folder in self.folders):
            return not is_leftover(path.name)
        if path == self.root or not path.is_relative_to(self.root):
            return path == self.root
        top, *rest = path.relative_to(self.root).parts
        if top not in TREES or any(is_leftover(part) for part in rest):
            return False
        return not rest or self.problems is None or rest[0] in self.problems
