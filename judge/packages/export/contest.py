"""Several packages as a contest: one zip file with a folder for each, and the files that DOMjudge reads beside them.

DOMjudge manual, "Importing contest metadata" and "Importing problem metadata"; its misc-tools/import-contest expects a
folder for each problem. BAPCtools reads the same files. Kattis reads only the packages.
"""

from collections.abc import Sequence
from itertools import product
from string import ascii_uppercase

import yaml

from judge.base.links import LinkRoot
from judge.model import Problem
from judge.packages.export.metadata import read_yaml
from judge.packages.export.package import Package, Target, first_name
from judge.problems.contest import CONTEST_FILE

_METADATA = "contest.yaml"
_LABELS = [*ascii_uppercase, *map("".join, product(ascii_uppercase, repeat=2))]


def describe_contest(problems: Sequence[Problem], packages: Sequence[Package]) -> dict[str, bytes]:
    """Return the files beside the packages of a contest, whose names are made unique; say what is missing.

    Labels and colours, and `contest.yaml`, are those of the folder that the packages come from.
    """
    for package in packages:
        others = {each.name for each in packages if each is not package}
        package.name = first_name(package.name, lambda name, others=others: name not in others)  # type: ignore[misc]
    if packages[0].target is Target.KATTIS:
        return {}
    folders = {problem.folder.parent for problem in problems if problem.folder and problem.is_package}
    folder = folders.pop() if len(folders) == 1 else None
    listed = read_yaml(folder / CONTEST_FILE) if folder else None
    given = (
        {str(each.get("id")): each for each in listed or () if isinstance(each, dict)}
        if isinstance(listed, list)
        else {}
    )
    entries = []
    for label, problem, package in zip(_LABELS, problems, packages, strict=False):
        known = given.get(problem.folder.name if problem.folder else "", {})
        entries.append({"id": "", "label": label, "name": problem.name, **known} | {"id": package.name})
    files = {CONTEST_FILE: yaml.safe_dump(entries, sort_keys=False, allow_unicode=True).encode()}
    metadata = folder / _METADATA if folder else None
    if metadata is not None and metadata.is_file() and LinkRoot.of(metadata.parent).find_error(metadata) is None:
        files[_METADATA] = metadata.read_bytes()
    else:
        packages[0].notes.append(
            f"there is no {_METADATA} beside the packages, with `name`, `id`, `start_time` and `duration`: create the "
            "contest by hand"
        )
    return files
