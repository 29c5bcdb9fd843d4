"""The files of a problem in a repository: problem.yaml, statement.md and the cases of sample.yaml, byte for byte."""

import re

from msgspec.structs import asdict

from judge.model import CheckerConfig
from judge.online.samples.readers import Draft, Sample
from judge.problems.yaml.write import CASE_INDENT, data_yaml, text_yaml

_PLAIN_URL = re.compile(r"https?://[A-Za-z0-9/._~?=&+-]+")


def problem_files(draft: Draft) -> dict[str, bytes]:
    """Return the contents of a problem's files by path, relative to the root.

    problem.yaml comes last: if writing fails before it, what is there does not look like a complete problem.
    """
    files: dict[str, bytes] = {}
    groups: dict[str, list[str]] = {}
    for sample in draft.samples:
        groups.setdefault(sample.group, []).append(_case_yaml(draft, sample, files))
    for group, cases in groups.items():
        files[f"testcases/{draft.id}/{group}.yaml"] = ("cases:\n" + "".join(cases)).encode()
    files[f"problems/{draft.id}/statement.md"] = _statement(draft).encode()
    files[f"problems/{draft.id}/problem.yaml"] = _problem_yaml(draft).encode()
    return files


def _problem_yaml(draft: Draft) -> str:
    lines = [f"name: {text_yaml(draft.title)}"]
    if draft.source:
        lines += ["source:", f"  name: {text_yaml(draft.source)}"]
    if draft.source and draft.url:
        lines.append(f"  url: {draft.url if _PLAIN_URL.fullmatch(draft.url) else text_yaml(draft.url)}")
    lines.append(f"profile: {draft.profile}")
    if draft.cpu or draft.memory:
        lines.append("limits:")
        lines += [f"  time: {round(draft.cpu * 1000)} ms"] if draft.cpu else []
        lines += [f"  memory: {draft.memory >> 20} MiB"] if draft.memory else []
    lines += _checker_yaml(draft.checker)
    return "\n".join(lines) + "\n"


def _checker_yaml(checker: CheckerConfig) -> list[str]:
    """Return the lines that set a checker; none for the default one."""
    if checker == CheckerConfig():
        return []
    options = {name: value for name, value in asdict(checker).items() if value not in (None, False, ())}
    return ["checker:", *(f"  {name}: {str(value).lower()}" for name, value in options.items())]


def _statement(draft: Draft) -> str:
    if draft.statement:
        return draft.statement
    statement = f"Statement: <{draft.url}>\n" if draft.url else "The URL of the statement is not known.\n"
    count = len(draft.samples)
    file = f"`testcases/{draft.id}/sample.yaml`"
    samples = f"The {count} samples are in {file}." if count > 1 else f"The sample is in {file}."
    return f"# {draft.title}\n\n{statement}\n{samples if count else 'There are no samples yet.'}\n"


def _case_yaml(draft: Draft, sample: Sample, files: dict[str, bytes]) -> str:
    """Return a case's YAML; add data that needs its own file to `files`."""
    rows = [f"  - name: {text_yaml(sample.name)}\n"]
    for key, data, suffix in (("input", sample.input, "in"), ("answer", sample.answer, "ans")):
        value = data_yaml(data, CASE_INDENT)
        if value is None:
            folder = "" if sample.group == "sample" else f"{sample.group}/"
            file = f"data/{folder}{sample.name}.{suffix}"
            files[f"testcases/{draft.id}/{file}"] = data
            rows.append(f"    {key}_file: {text_yaml(file)}\n")
        else:
            rows.append(f"    {key}: {value}\n")
    return "".join(rows)
