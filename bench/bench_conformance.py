"""How often the verdicts on the submissions of problem packages are the expected ones.

python -m bench.bench_conformance ROOT... [--peers] [--jobs N] [--timeout SECONDS]

Each ROOT is a package, or a folder with packages anywhere in it. Every submission is judged, and its verdict is
compared with what the package expects. For each difference, the clause of the specification that decides is printed.
`--peers` times problemtools and BAPCtools on the same packages, where they are installed. They stop a submission at the
first case that is not accepted, so the judge does that too then (`judge run --lazy`).
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from bench.measure import JUDGE, ROOT, seconds, show

_MARKERS = ("data", "submissions", "problem_statement", "statement", "generators", "solutions")

# What an expectation rests on, and where that is written. The first one that fits counts.
_EXPECTED_BY = (
    ("EXPECTED_RESULTS", "DOMjudge manual, `Jury solutions`: the results that the source names"),
    ("submissions.yaml", "2025-09, Example submissions: `submissions.yaml`"),
    ("/accepted/", "Example submissions: accepted on all cases"),
    ("/wrong_answer/", "Example submissions: wrong answer on some case, and neither slow nor crashing on any"),
    ("/time_limit_exceeded/", "Example submissions: too slow on some case (legacy: may also be wrong)"),
    ("/run_time_error/", "Example submissions: crashes on some case"),
    ("/partially_accepted/", "legacy, Example submissions: accepted, but not with the best score"),
    ("/brute_force/", "2025-09, Example submissions: never wrong, but not accepted"),
    ("/rejected/", "2025-09, Example submissions: not accepted on some case"),
)

# Submissions of the public packages that test one system, or that contradict the format or their own package.
_EXPLAINED = {
    "constants/submissions/wrong_answer/constant_in_submission.py": (
        "2025-09, Constants: they are replaced in example submissions, so that this one prints the answer"
    ),
    "alternativeencryption/submissions/time_limit_exceeded/ragnar-busy-sleep-decrypt.py": (
        "Limits, `time_limit`: a pass takes 1.5 s, and the limit of the package is 2 s"
    ),
    "alternativeencryption/submissions/time_limit_exceeded/ragnar-busy-sleep-encrypt.py": (
        "Limits, `time_limit`: a pass takes 1.5 s, and the limit of the package is 2 s"
    ),
    "fltcmp/submissions/accepted/fltcmp-test-write-files-between-submissions.R": "it wants the TMPDIR of DOMjudge",
    "fltcmp/submissions/accepted/fltcmp-test-write-files-between-testcases.R": "it wants the TMPDIR of DOMjudge",
    "hello/submissions/wrong_answer/test-permissions.c": "it wants a file in /etc of DOMjudge's judgehosts",
    "hello/submissions/run_time_error/test-chroot-escape.sh": "it crashes only if it is in DOMjudge's chroot",
    "hello/submissions/time_limit_exceeded/test-suspend-ppid.c": (
        "Limits: systems choose the wall-clock limit; this one sleeps for 10 s and then prints a wrong answer"
    ),
    "hello/submissions/compiler_error/mainclass-missing": (
        "its comment: a compile error at DOMjudge, a run-time error on other systems"
    ),
    "hello/submissions/compiler_error/bogus-filename": "it tests whether DOMjudge's web page refuses its file names",
}

# What decides the verdict of a case.
_DECIDED_BY = {
    "AC": "Output validator, Reporting a judgement: exit status 42",
    "WA": "Output validator, Reporting a judgement: exit status 43",
    "PE": "Output validator: only whitespace differs; the format has WA for it",
    "TLE": "Limits, `time_limit` and Problem timing",
    "MLE": "Limits, `memory`; the format has RTE for it",
    "OLE": "Limits, `output`: more output than the limit is rejected",
    "RTE": "Test data, Running test cases: a non-zero exit status or a signal",
    "CE": "Programs, Languages and compilation",
    "JE": "Output validator, Reporting a judgement: any other exit status is an error of the package or of the judge",
    "SK": "not judged: a tool or the data is missing, or the group was not reached",
    "NA": "Test data: the answer is missing",
}


class Tally(Struct):
    """The results of all packages."""

    agreed: int = 0
    differing: int = 0
    explained: int = 0
    without_expectation: int = 0
    missing_tools: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)


def main() -> None:
    """Judge all packages and print the agreement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", nargs="+", type=Path, metavar="ROOT")
    parser.add_argument("--peers", action="store_true", help="time problemtools and BAPCtools, too")
    parser.add_argument("-j", "--jobs", default="", metavar="N", help="runs at the same time")
    parser.add_argument("--timeout", type=float, default=3600, metavar="SECONDS", help="for each package and tool")
    args = parser.parse_args()
    if missing := [str(root) for root in args.roots if not root.is_dir()]:
        parser.error(f"no such folder: {', '.join(missing)}")
    tally = Tally()
    packages = sorted({package for root in args.roots for package in find_packages(root.resolve())})
    with tempfile.TemporaryDirectory() as state:
        for package in packages:
            _judge_package(package, tally, jobs=args.jobs, timeout=args.timeout, state=state, peers=args.peers)
    judged = tally.agreed + tally.differing
    print()
    show("packages", str(len(packages)))
    show("submissions with an expectation that were judged", str(judged))
    show("agreement", f"{100 * tally.agreed / max(judged, 1):.2f} %", f"{tally.differing} differ")
    rest = judged - tally.explained
    show(
        "without those that are explained",
        f"{100 * tally.agreed / max(rest, 1):.2f} %",
        f"{rest - tally.agreed} differ",
    )
    show("submissions without an expectation", str(tally.without_expectation))
    for reason, count in tally.missing_tools.most_common():
        show("not judged", str(count), reason)
    for line in tally.failed:
        print(f"failed: {line}")


def find_packages(root: Path) -> Iterator[Path]:
    """Yield the packages in a folder; those within a package are not looked for."""
    names = {each.name for each in root.iterdir()}
    if names & {"problem.yaml", "problem.xml"} and names & {*_MARKERS, "tests", "files"}:
        yield root
        return
    for name in sorted(names):
        path = root / name
        if path.is_dir() and not path.is_symlink() and not name.startswith("."):
            yield from find_packages(path)


def _judge_package(package: Path, tally: Tally, *, jobs: str, timeout: float, state: str, peers: bool) -> None:
    report: dict[str, Any] = {}

    def run() -> None:
        report.update(_run_judge(package, jobs=jobs, timeout=timeout, state=state, lazy=peers))

    took = seconds(run)
    print(f"{package}  {took:.1f} s", flush=True)
    for error in (each["text"] for each in report.get("notices", ()) if each["is_error"]):
        print(f"    error: {error.splitlines()[0]}")
    if not report.get("problems"):
        tally.failed.append(f"{package}: {report.get('failure') or 'no report'}")
    for problem in report.get("problems", ()):
        for solution in problem["solutions"]:
            _count(package, solution, tally)
    if peers:
        _time_peers(package, took, timeout)


def _run_judge(package: Path, *, jobs: str, timeout: float, state: str, lazy: bool) -> dict[str, Any]:
    options = [*(["-j", jobs] if jobs else []), *(["--lazy"] if lazy else [])]
    argv = [*JUDGE, "run", str(package), "-f", "json", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": state, "XDG_STATE_HOME": state}
    try:
        ended = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return {"failure": f"not finished after {timeout:.0f} s"}
    try:
        report: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        return {"failure": f"exit status {ended.returncode}: {ended.stderr.strip()[-300:]}"}
    return report


def _count(package: Path, solution: dict[str, Any], tally: Tally) -> None:
    """Count a submission, and print it if it is not as expected."""
    if solution["verdict"] == "SK" and solution["status"] != "judged":
        tally.missing_tools[solution["message"].partition(": ")[2] or "skipped"] += 1
        return
    if not solution["expected"]:
        tally.without_expectation += 1
        return
    if solution["as_expected"]:
        tally.agreed += 1
        return
    tally.differing += 1
    found = solution["verdict"]
    score = "" if solution.get("score") is None else f", score {solution['score']:g}"
    print(f"    {solution['path']}: expected {solution['expected']}, found {found}{score}")
    for reason in solution.get("unmet", ()):
        print(f"        {reason}")
    for case in solution["cases"]:
        if case["verdict"] == found and case["reason"]:
            print(f"        {case['group']}/{case['name']}: {case['reason'].splitlines()[0][:200]}")
            break
    if reason := _EXPLAINED.get(f"{package.name}/{solution['path']}"):
        tally.explained += 1
        print(f"        explained: {reason}")
        return
    print(f"        {_expected_by(solution)}")
    print(f"        {_DECIDED_BY.get(found, 'Result aggregation')}")


def _expected_by(solution: dict[str, Any]) -> str:
    """Return the clause that the expectation rests on."""
    text = f"{solution.get('expected_by', '')} /{solution['path']}"
    return next((clause for part, clause in _EXPECTED_BY if part in text), "Example submissions")


def _time_peers(package: Path, took: float, timeout: float) -> None:
    """Print the wall time of problemtools and BAPCtools on a copy: they write into the package."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / package.name
        shutil.copytree(package, copy, symlinks=True)
        for title, argv in (
            ("problemtools", ["verifyproblem", str(copy), "-p", "submissions"]),
            ("BAPCtools", ["bt", "run", "-G", "-S", "--no-bar", str(copy)]),
        ):
            if shutil.which(argv[0]) is None:
                print(f"    {title}: there is no `{argv[0]}` on PATH")
                continue

            def run(argv: list[str] = argv) -> None:
                with Path(os.devnull).open("w") as null:
                    subprocess.run(argv, cwd=copy, stdout=null, stderr=null, check=False, timeout=timeout)

            try:
                theirs = seconds(run)
            except subprocess.TimeoutExpired:
                print(f"    {title}: not finished after {timeout:.0f} s")
            else:
                print(f"    {title}: {theirs:.1f} s, judge {took / theirs:.2f} x")


if __name__ == "__main__":
    main()
