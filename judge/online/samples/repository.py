"""The files of a problem in a repository: problem.yaml, statement.md and the cases of sample.yaml, byte for byte."""

import re

from msgspec.structs import asdict

from judge.model import CheckerConfig
from judge.online.samples.readers import Draft, Sample
from judge.problems.yaml.scalars import resolve

_PLAIN_URL = re.compile(r"https?://[A-Za-z0-9/._~?=&+-]+")
_CASE_INDENT = 4  # spaces before the keys of a case


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
        value = data_yaml(data, _CASE_INDENT)
        if value is None:
            folder = "" if sample.group == "sample" else f"{sample.group}/"
            file = f"data/{folder}{sample.name}.{suffix}"
            files[f"testcases/{draft.id}/{file}"] = data
            rows.append(f"    {key}_file: {text_yaml(file)}\n")
        else:
            rows.append(f"    {key}: {value}\n")
    return "".join(rows)


# ---- YAML ----------------------------------------------------------------------------------------------------------

_MAX_INLINE = 1 << 16  # bytes; longer data is easier to read in its own file

# No control characters, and nothing that some reader takes for a line end or strips.
_SAFE_CHARACTERS = re.compile("[\t\n -~\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*")
_EDGE_WHITESPACE = re.compile(r"^\t|[ \t]$", re.MULTILINE)
_NAMED_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\n": "\\n", "\0": "\\0"}
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*")


def data_yaml(data: bytes, indent: int) -> str | None:
    """Return bytes as the YAML value of a key that is indented by some spaces; None if they need their own file."""
    if len(data) > _MAX_INLINE:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return _literal_block(text, indent) or _quoted_lines(text, indent)


def text_yaml(text: str) -> str:
    """Return one line of text as a YAML value; it is quoted unless every YAML reader sees a string."""
    is_plain = bool(_WORDS.fullmatch(text)) and resolve(text) is None
    return text if is_plain else f'"{_escape(text)}"'


def _literal_block(text: str, indent: int) -> str | None:
    """Return a literal block; None if it would not be exact, or if an editor might change it."""
    if not text.strip("\n") or not _SAFE_CHARACTERS.fullmatch(text) or _EDGE_WHITESPACE.search(text):
        return None
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    header = "|" + ("2" if text[0] in " \n" else "") + {0: "-", 1: ""}.get(ends, "+")
    rows = [*body.split("\n"), *[""] * (ends - 1)]
    margin = " " * (indent + 2)
    return header + "".join(f"\n{margin}{row}" if row else "\n" for row in rows)


def _quoted_lines(text: str, indent: int) -> str:
    """Return a double-quoted value with one row for each line of the text."""
    lines = text.split("\n")
    rows = [f"{_escape(line)}\\n" for line in lines[:-1]] + [_escape(lines[-1])] * bool(lines[-1])
    if len(rows) < 2:
        return f'"{"".join(rows)}"'
    margin = " " * (indent + 2)
    # an escaped line end removes the spaces after it, so a space of the text is escaped, too
    rows = [row if row[0] != " " else "\\" + row for row in rows]
    return '"' + "".join(f"\\\n{margin}{row}" for row in rows) + '"'


def _escape(text: str) -> str:
    return "".join(
        _NAMED_ESCAPES.get(char) or (char if _SAFE_CHARACTERS.fullmatch(char) else _code(char)) for char in text
    )


def _code(char: str) -> str:
    number = ord(char)
    if number < 1 << 8:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"
