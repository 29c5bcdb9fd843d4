"""The documentation: links resolve, commands and options exist, and lines fit into an editor."""

import html
import itertools
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from judge.cli.commands import COMMANDS
from judge.cli.commands.arguments import make_parser
from judge.cli.help import TOPICS, topic_names

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
MAX_LINE = 120  # of prose; tables and code may be longer

_FENCE = re.compile(r" *(`{3,})")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
_HEADING = re.compile(r"(#{1,6}) +(.+)")
_OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*)")
_COMMAND = re.compile(r"(?:^|[\s/(])judge +([a-z]+)\b(?!\.)")  # not `judge a.py`
_URL_SCHEME = re.compile(r"[a-z]+:")

_SHELL = re.compile(r"2?[<>]|[|&;]")
_SPECIAL = {"help", "complete"}  # not in the table of commands

# Options of other programs that a page mentions in code without the program's name.
_FOREIGN = {
    "docs/getting-started.md": {"--lf"},
    "docs/pytest.md": {"--durations", "--judge", "--junitxml", "--dist"},
    "docs/ci.md": {"--judge", "--junitxml"},
    "docs/design-notes.md": {"--loaded"},
}

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


# ---- reading a page ------------------------------------------------------------------------------------------------


def lines_of(page: Path) -> Iterator[tuple[int, str, bool]]:
    """Yield each line with its number and whether it is in a code block."""
    fence = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        found = _FENCE.match(line)
        if fence:
            yield number, line, True
            if found and found[1].startswith(fence):
                fence = ""
        else:
            fence = found[1] if found else ""
            yield number, line, bool(found)
    assert not fence, f"{page}: a code block has no end"


def prose_of(page: Path) -> str:
    return "\n".join("" if is_code else line for _, line, is_code in lines_of(page))


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    anchors: dict[str, int] = {}
    for _, line, is_code in lines_of(page):
        heading = None if is_code else _HEADING.fullmatch(line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[2]).lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = anchors.get(slug, 0)
            anchors[slug] = count + 1
            if count:
                anchors[f"{slug}-{count}"] = 1
    return set(anchors)


def links_of(page: Path) -> list[str]:
    return [link for link in _LINK.findall(_CODE.sub("", prose_of(page))) if not _URL_SCHEME.match(link)]


def code_of(page: Path) -> Iterator[str]:
    """Yield each line of the code blocks without its comment, and each piece of code in the text."""
    for _, line, is_code in lines_of(page):
        if is_code:
            yield line.partition(" #")[0]
    yield from (" ".join(code.split()) for code in _CODE.findall(prose_of(page)))


@cache
def options_of(command: str) -> frozenset[str]:
    """Return the long options of a command's parser."""
    return make_parser(command).options | {"--version"}


@cache
def all_options() -> frozenset[str]:
    return frozenset().union(*map(options_of, COMMANDS))


# ---- laws ----------------------------------------------------------------------------------------------------------


@pages
def test_every_relative_link_and_anchor_resolves(page: Path) -> None:
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), f"{link}: no such file"
        if anchor:
            assert anchor in anchors_of(target), f"{link}: no such heading"


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_the_index_lists_every_page(page: Path) -> None:
    assert page.name == "index.md" or page.name in links_of(DOCS / "index.md")


def test_the_page_of_commands_lists_every_command() -> None:
    listed = re.findall(r"^\| `judge ([a-z]+)` \| ", (DOCS / "commands.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted([*COMMANDS, "help"])


@pages
def test_every_command_that_a_page_mentions_exists(page: Path) -> None:
    for code in code_of(page):
        for name in _COMMAND.findall(code):
            assert name in {*COMMANDS, *_SPECIAL}, code


@pages
def test_every_option_that_a_page_mentions_exists(page: Path) -> None:
    foreign = _FOREIGN.get(str(page.relative_to(ROOT)), set())
    for code in code_of(page):
        for command, arguments in split_commands(code):
            known = options_of(command) if command in COMMANDS else all_options()
            for option in _OPTION.findall(arguments):
                assert option in known or option in foreign, f"{code}: {command or 'no command'} has no {option}"


@pages
def test_every_block_can_be_read_as_what_it_says_it_is(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("lib", "ac-library", "downloads"):  # of --include and --data
        (tmp_path / name).mkdir()
    for language, block in re.findall(r"(?ms)^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8")):
        match language:
            case "python" if page.name != "extending.md":  # test_extending runs its parts
                compile(block, str(page), "exec")
            case "yaml" | "toml":
                pass  # tests/problems/test_documented_files.py
            case _:
                for command in re.findall(r"^(?:\$ )?judge ((?:.*\\\n)*.*?)(?:  +\S.*| +#.*)?$", block, re.MULTILINE):
                    check_command(command.replace("\\\n", " ").replace("~", str(tmp_path)))


def check_command(text: str) -> None:
    """Parse the arguments of a command of ours, up to what the shell does with it."""
    words = list(itertools.takewhile(lambda word: not _SHELL.match(word), shlex.split(text, comments=True)))
    if words and words[0] in COMMANDS:
        make_parser(words[0]).parse_intermixed_args(words[1:])


def split_commands(code: str) -> Iterator[tuple[str, str]]:
    """Yield each command of ours in a piece of code with its arguments; "" for a bare option."""
    found = list(_COMMAND.finditer(code))
    if not found and code.startswith("-"):
        yield "", code
    ends = [*(each.start() for each in found[1:]), len(code)]
    for each, end in zip(found, ends, strict=False):
        yield each[1], code[each.end() : end]


@pytest.mark.parametrize("topic", topic_names())
def test_every_command_and_option_that_a_topic_mentions_exists(topic: str) -> None:
    text = (TOPICS / f"{topic}.txt").read_text(encoding="utf-8")
    foreign = {"--judge", "--junitxml"}  # of pytest
    for code in [*_CODE.findall(text), *re.findall(r"^  (judge .*?)(?:  .*)?$", text, re.MULTILINE)]:
        for command, arguments in split_commands(code):
            assert command in {"", *COMMANDS, *_SPECIAL}, code
            known = options_of(command) if command in COMMANDS else all_options()
            assert set(_OPTION.findall(arguments)) <= known | foreign, code
    assert set(_OPTION.findall(text)) <= all_options() | foreign


@pytest.mark.parametrize("page", [*PAGES, *sorted(TOPICS.glob("*.txt"))], ids=lambda page: page.name)
def test_every_topic_that_a_page_mentions_exists(page: Path) -> None:
    for name in re.findall(r"`judge help ([a-z-]+)`", page.read_text(encoding="utf-8")):
        assert name in {*topic_names(), *COMMANDS}


@pages
def test_lines_of_prose_fit_into_an_editor(page: Path) -> None:
    for number, line, is_code in lines_of(page):
        is_table = line.lstrip().startswith("|")
        assert is_code or is_table or len(line) <= MAX_LINE, f"{page.name}:{number}: {len(line)} characters"


@pages
def test_no_page_has_the_marks_of_a_merge(page: Path) -> None:
    assert not re.findall(r"^(?:<{7}|={7}|>{7})(?: .*)?$", page.read_text(), re.MULTILINE)


def test_the_checks_see_what_they_check() -> None:
    assert "judge run" in next(code for code in code_of(DOCS / "run.md") if "--cases" in code)
    assert len(links_of(DOCS / "index.md")) >= len(PAGES) - 2
    assert "--cases" in options_of("run")
    assert "--cases" not in options_of("doctor")
    assert list(split_commands("judge new sums && judge run sums -x")) == [("new", " sums &&"), ("run", " sums -x")]
    assert not set(_COMMAND.findall("judge-harness judges ~/judge/bin")) & set(COMMANDS)


def test_the_picture_of_the_readme_is_a_screen_of_today_and_loads_nothing() -> None:
    text = (DOCS / "screen.svg").read_text(encoding="utf-8")
    assert not re.search(r"url\((?!#)|@import|@font-face|<image|<script|href=", text)
    from bench.screen import draw, run

    assert _words_on(text) == _words_on(draw(run())), "run `make screenshot`"


def _words_on(picture: str) -> list[str]:
    """Return the words of a screen without times, memory and sandbox, which differ from machine to machine."""
    text = html.unescape(re.sub(r"<[^>]*>", " ", picture)).replace("\xa0", " ")
    return re.findall(r"[A-Za-z`.:/-]{3,}", re.sub(r"sandbox (full|landlock|limits)( \([^)]*\))?", "", text))
