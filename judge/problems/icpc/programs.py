"""The programs of a package that judge: output validators, static validators and graders ("Programs")."""

import os
from pathlib import Path

from msgspec.structs import replace

from judge.languages.table import SCRIPTS, is_source
from judge.problems.icpc.files import PackageFolder
from judge.problems.paths import is_folder
from judge.problems.yaml.text import quote, quote_all
from judge.programs import JudgeProgram

_MAX_FILES = 1000  # of one program that are looked at


def find_program(
    package: PackageFolder, folder: Path, kind: str, *, allows_several: bool = False
) -> JudgeProgram | None:
    """Return the program in a folder such as `output_validator/`; None if there is none.

    The folder is the program itself, or has it as a file or a folder in it. Several programs are reported, and the
    first one is used, as problemtools does.

    Args:
        package: the package.
        folder: where programs of this kind are.
        kind: what they are, for messages, such as `output validator`.
        allows_several: all of them are used: the first one by name has the `others`.
    """
    if not package.has_folder(folder):
        return None
    files = [entry for entry in package.scan(folder) if not is_folder(entry)]
    programs = list_programs(package, folder)
    sources = [entry for entry in programs if is_source(entry.name) and not is_folder(entry)]
    folders = [entry for entry in programs if is_folder(entry)]
    if any(entry.name in SCRIPTS for entry in files):
        return JudgeProgram(source=folder)
    # A header beside a source belongs to it; Kattis would not see it, DOMjudge and BAPCtools do.
    if sources and not folders and (len(sources) == 1 or _is_package_of_python(sources)):
        return JudgeProgram(source=folder if len(files) > 1 else Path(sources[0].path))
    if sources and not folders and folder.name == "output_validator":
        return JudgeProgram(source=folder)  # 2025-09: the folder is the program
    if not programs:
        if files:
            package.warn(folder, f"has no {kind}: no file in it is a source in a known language")
        return None
    if len(programs) > 1 and not allows_several:
        names = quote_all(entry.name for entry in programs)
        package.warn(folder, f"has {len(programs)} {kind}s, {names}: only {quote(programs[0].name)} is used")
    first, *others = (JudgeProgram(source=Path(each.path)) for each in programs)
    return replace(first, others=tuple(others)) if allows_several else first


def list_programs(package: PackageFolder, folder: Path) -> list[os.DirEntry[str]]:
    """Return the programs in a folder such as `input_validators/`, by name: every file and folder is one."""
    return [entry for entry in package.scan(folder) if _is_program(package, entry)]


def _is_package_of_python(sources: list[os.DirEntry[str]]) -> bool:
    return any(entry.name == "__main__.py" for entry in sources)


def has_source(package: PackageFolder, folder: Path) -> bool:
    """Return whether a folder has a source in it or below."""
    return any(is_source(path.name) for path in package.walk(folder, _MAX_FILES))


def _is_program(package: PackageFolder, entry: os.DirEntry[str]) -> bool:
    if not is_folder(entry):
        return entry.is_file() and (is_source(entry.name) or _is_script(entry.path))
    files = package.walk(Path(entry.path), _MAX_FILES)
    return any(path.name in SCRIPTS or is_source(path.name) for path in files)


def _is_script(path: str) -> bool:
    """Return whether a file is executable, and its first line names its interpreter."""
    if not os.access(path, os.X_OK):
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as everywhere here, entries have plain paths
            return file.read(2) == b"#!"
    except OSError:
        return False
