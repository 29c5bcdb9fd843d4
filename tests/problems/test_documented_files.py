"""The files that the documentation shows are read without an error, each by the reader that it is meant for."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from judge.languages.own_rows import read_rows
from judge.problems.folder_file import read_rules
from judge.settings.files import read_files
from tests.files import write_files
from tests.repositories import mistakes
from tests.test_docs import PAGES

_BLOCK = re.compile(r"(?ms)^```(yaml|toml)\n(.*?)^```")
_FILE = re.compile(r"[\w/-]+\.(?:py|cpp|in|out)\b")
_OTHERS = {"ci.md"}  # a workflow of GitHub
_CASE = 'cases:\n- {name: ten, input: "10\\n", answer: "1 9\\n"}\n'
_COUNT = 26  # blocks, at least: the pattern finds them


BLOCKS = [
    (page.name, *found)
    for page in PAGES
    for found in _BLOCK.findall(page.read_text(encoding="utf-8"))
    if page.name not in _OTHERS
]


def repository_of(block: str) -> Mapping[str, str]:
    """Return the files of a problem with a file of cases, a list of cases, or else keys of problem.yaml."""
    value = yaml.safe_load(block)
    has_cases = isinstance(value, list) or "cases" in value
    cases = _CASE if not has_cases else block if isinstance(value, dict) else f"cases:\n{block}"
    generated = set(re.findall(r"generate: (\w+)", cases)) - {"grammar"}
    base = {"name": "A", "profile": "icpc", "reference": "accepted/a.py"}
    if has_cases:
        base |= {"checker": "{program: check.py}", "validator": "v.py", "input": "[{n: 1..9}]"}
        base["generators"] = f"[{', '.join(f'{name}.cpp' for name in generated)}]"
    elif "checker_tests" in value:
        base |= {"checker": "{program: check.py}", "validator": "v.py"}
    elif "interactor" in value:
        del base["reference"]
    problem = "" if has_cases else block
    problem += "".join(f"{key}: {text}\n" for key, text in base.items() if has_cases or key not in value)
    names = {*_FILE.findall(block), "check.py", "v.py", *(f"{name}.cpp" for name in generated)}
    files = {f"problems/p/{name}": "def uniform(random, *, largest=1):\n    return ''\n" for name in names}
    files |= {
        f"solutions/p/{name}": "" for name in (*names, "accepted/a.py") if name.split("/")[0].endswith("accepted")
    }
    files |= {f"testcases/p/{name}": "" for name in names}
    files |= {f"testcases/p/{name}.yaml": _CASE for name in ({} if has_cases else value).get("subtasks", ())}
    return files | {"problems/p/problem.yaml": problem, "testcases/p/sample.yaml": cases}


@pytest.mark.parametrize(("page", "language", "block"), BLOCKS)
def test_a_file_in_the_documentation_is_read(page: str, language: str, block: str, tmp_path: Path) -> None:
    if page == "languages.md":
        write_files(tmp_path, {"languages.toml": block})
        assert read_rows(tmp_path / "languages.toml")
    elif language == "toml":
        write_files(tmp_path, {"judge.toml": block, "template.cpp": ""})
        read_files([tmp_path / "judge.toml"], "ci", "", user_file=tmp_path / "judge.toml")
    elif page == "run.md":
        write_files(tmp_path, {"problem.yaml": block, "check.py": ""})
        read_rules(tmp_path)
    else:
        assert mistakes(tmp_path, repository_of(block)) == []


def test_all_blocks_are_found() -> None:
    assert len(BLOCKS) >= _COUNT
