"""A draft to the files of a problem, in this project's own layout."""

import re

from judge.samples.draft import Draft, Sample
from judge.samples.yamltext import data_yaml, text_yaml

STARTER = "solution.py"
_STARTER_TEXT = """\
import sys

lines = sys.stdin.read().splitlines()
print("not solved yet:", len(lines), "lines")
"""
_PLAIN_ADDRESS = re.compile(r"https?://[A-Za-z0-9/._~?=&+-]+")
_INDENT = 4  # of the keys of a case


def files_of(draft: Draft) -> dict[str, bytes]:
    """Return the files of a problem by their paths in the repository, problem.yaml last.

    Whoever writes them in this order leaves nothing that looks like a whole problem when writing fails in between.
    """
    files: dict[str, bytes] = {}
    cases = [_case(draft, sample, files) for sample in draft.samples]
    if cases:
        files[f"testcases/{draft.id}/sample.yaml"] = ("cases:\n" + "".join(cases)).encode()
    if draft.program:
        name, text = draft.program
        files[f"solutions/{draft.id}/accepted/{name}"] = text
    files[f"problems/{draft.id}/statement.md"] = _statement(draft).encode()
    files[f"problems/{draft.id}/problem.yaml"] = _problem(draft).encode()
    return files


def starter_of(draft: Draft) -> tuple[str, bytes]:
    """Return the path and the text of a solution to begin with, for a problem that has none yet."""
    return f"solutions/{draft.id}/accepted/{STARTER}", _STARTER_TEXT.encode()


def _problem(draft: Draft) -> str:
    lines = [f"name: {text_yaml(draft.title)}"]
    if draft.source:
        lines += ["source:", f"  name: {text_yaml(draft.source)}"]
        lines += [f"  url: {_address(draft.url)}"] if draft.url else []
    lines.append(f"profile: {draft.profile}")
    if draft.cpu or draft.memory:
        lines.append("limits:")
        lines += [f"  time: {round(draft.cpu * 1000)} ms"] if draft.cpu else []
        lines += [f"  memory: {draft.memory >> 20} MiB"] if draft.memory else []
    return "\n".join(lines) + "\n"


def _statement(draft: Draft) -> str:
    where = f"The statement: <{draft.url}>\n" if draft.url else "Where the statement is was not told.\n"
    count = len(draft.samples)
    which = "There are no samples yet" if not count else "The sample is" if count == 1 else f"The {count} samples are"
    place = f"{which} in `testcases/{draft.id}/sample.yaml`." if count else f"{which}."
    return f"# {draft.title}\n\n{where}\n{place}\n"


def _address(url: str) -> str:
    return url if _PLAIN_ADDRESS.fullmatch(url) else text_yaml(url)


def _case(draft: Draft, sample: Sample, files: dict[str, bytes]) -> str:
    name = text_yaml(sample.name)
    parts = [f"  - name: {name}\n"]
    for key, data, suffix in (("input", sample.input, "in"), ("answer", sample.answer, "ans")):
        written = data_yaml(data, _INDENT)
        if written is None:
            file = f"data/{sample.name}.{suffix}"
            files[f"testcases/{draft.id}/{file}"] = data
            parts.append(f"    {key}_file: {text_yaml(file)}\n")
        else:
            parts.append(f"    {key}: {written}\n")
    return "".join(parts)
