"""`judge fetch`: download external data, check its hash, keep it."""

import argparse

from judge.cli.workspace import CACHE, root_of
from judge.errors import StoreError
from judge.model import External
from judge.preparation.inputs import data_folders, fetch_external, find_external
from judge.preparation.store import ObjectStore
from judge.problems.native import load_problem, problem_ids


def fetch_command(args: argparse.Namespace) -> int:
    """Carry out `judge fetch`; return the exit status."""
    root = root_of(args)
    objects = ObjectStore(root / CACHE / "objects")
    folders = data_folders(None)
    for each in args.problems or problem_ids(root):
        problem = load_problem(root, each)
        wanted = {case.input for case in problem.cases if isinstance(case.input, External)}
        for external in sorted(wanted, key=lambda one: one.file):
            found, _ = find_external(external, problem.id, folders, objects)
            if found is None:
                fetch_external(external, objects)
            if objects.warning:
                raise StoreError(f"{external.file} is here but cannot be kept: {objects.warning}")
            print(f"{problem.id}: {external.file} " + ("is here already" if found else f"fetched from {external.url}"))
        if not wanted and args.problems:
            print(f"{problem.id}: needs no external data")
    return 0
