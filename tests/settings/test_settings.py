"""Settings: which value wins, where each comes from, and what a wrong file says."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.base.errors import DataError, UsageError
from judge.settings.load import Settings, load_settings, user_file


@pytest.fixture(autouse=True)
def _default_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JUDGE_JOBS")


@pytest.fixture
def usual_digits() -> Iterator[None]:
    """Read integers as a new process does: `judge grade` allows longer ones."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    yield
    sys.set_int_max_str_digits(before)


@pytest.fixture
def user() -> Path:
    """The user's file, which does not exist yet."""
    path = user_file()
    assert path is not None
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def load(root: Path, profile: str | None = None) -> Settings:
    return load_settings(root, is_repository=True, profile=profile)


def errors(root: Path) -> list[tuple[int, str]]:
    with pytest.raises(DataError) as caught:
        load(root)
    return [(each.line, each.message) for each in caught.value.diagnostics]


def test_without_files_nothing_is_set(root: Path) -> None:
    assert load(root) == Settings()


def test_each_source_wins_over_the_ones_before_it(root: Path, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(root).get("jobs", int) is None
    user.write_text("jobs = 1\n[profile.ci]\njobs = 3\n")
    assert load(root).get("jobs", int) == 1
    (root / "judge.toml").write_text("jobs = 2\n")
    assert load(root).get("jobs", int) == 2
    assert load(root, "ci").get("jobs", int) == 3  # a profile of the user wins over the top level of the project
    (root / "judge.toml").write_text("jobs = 2\n[profile.ci]\njobs = 4\n")
    assert load(root, "ci").get("jobs", int) == 4
    monkeypatch.setenv("JUDGE_PROFILE", "ci")
    assert load(root).get("jobs", int) == 4
    monkeypatch.setenv("JUDGE_JOBS", "5")
    assert load(root).get("jobs", int) == 5


def test_every_value_knows_its_line(root: Path, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user.write_text('# mine\ncredentials = { netrc = "n" }\n[language.py]\ntemplate = "~/t.py"\n')
    (root / "judge.toml").write_text('format="plain"\n[language.cpp]\n\n"flags" = [\n  "-O3",\n]\n')
    monkeypatch.setenv("JUDGE_LAYOUT", "contest")
    found = load(root).values
    assert {key: str(setting) for key, setting in found.items()} == {
        "credentials.netrc": f"{user}:2",
        "language.python3.template": f"{user}:4",
        "format": f"{root}/judge.toml:1",
        "language.cpp.flags": f"{root}/judge.toml:4",
        "layout": "$JUDGE_LAYOUT",
    }
    assert load(root).flags == {"cpp": ("-O3",)}
    assert load(root).get("language.python3.template", Path) == Path.home() / "t.py"
    assert load(root).get("credentials.netrc", Path) == user.parent / "n"


def test_a_folder_without_a_repository_uses_the_nearest_file_above(root: Path) -> None:
    (root / "judge.toml").write_text("jobs = 1\n")
    below = root / "contest" / "a"
    below.mkdir(parents=True)
    assert load_settings(below, is_repository=False).get("jobs", int) == 1
    (root / "contest/judge.toml").write_text("jobs = 2\n")
    assert load_settings(below, is_repository=False).get("jobs", int) == 2
    assert load(below).get("jobs", int) is None  # in a repository, only the file in its root counts


def test_a_projects_file_cannot_name_other_files(root: Path) -> None:
    (root / "judge.toml").write_text(
        '[language.cpp]\ntemplate = "/etc/passwd"\n[profile.x.credentials]\nkattisrc = "/x"\n'
    )
    found = errors(root)
    assert [line for line, _ in found] == [2, 4]
    assert all("is not allowed in a project's file: set it in your own" in message for _, message in found)


@pytest.mark.usefixtures("usual_digits")
@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("job = 1", 1, "unknown key `job`; did you mean `jobs`?"),
        ("\njobs = 0", 2, "`jobs`: expected a number from 1 to 256, found 0"),
        ('jobs = "4"', 1, '`jobs`: expected a number from 1 to 256, found "4"'),
        ("jobs = true", 1, "`jobs`: expected a number from 1 to 256, found true"),
        (
            'format = "xml"',
            1,
            "`format`: expected `rich`, `plain`, `json`, `jsonl`, `short`, `github`, `junit` or `ctrf`",
        ),
        ('default-language = "pyton"', 1, "`default-language`: expected `python3`,"),
        ('language = "cpp"', 1, "`language` is a table of languages; the language of new files is `default-language`"),
        ("[language.xyzzy]\nflags = []", 2, "`language.xyzzy`: no such language; expected `python3`,"),
        ('[language.cpp]\nflags = "-O2"', 2, '`language.cpp.flags`: expected a list such as ["-O2", "-Wall"]'),
        ('[language.cpp]\nflags = ["x.cpp"]', 2, '`language.cpp.flags`: expected flags that start with `-`, found "x'),
        ("[language.cpp]\nflag = []", 2, "unknown key `language.cpp.flag`; did you mean `language.cpp.flags`?"),
        ("[profile.ci]\n\njbs = 1", 3, "unknown key `jbs`; did you mean `jobs`?"),
        ("[profile]\nci = 1", 2, "`profile.ci` is a table"),
        ("profile = 1", 1, "`profile` is a table: expected a line `[profile.ci]`"),
        ("[unknown]", 1, "unknown key `unknown`;"),
        ('"\\u001b[2J" = 1', 0, "unknown key '\\x1b[2J'"),
        ("jobs =", 1, "not valid TOML: Invalid value"),
        ("jobs = 1\njobs = 2", 2, "not valid TOML: Cannot overwrite a value"),
        ("a = " + 5000 * "[", 0, "not valid TOML: nested too deeply"),
        ("a = " + 5000 * "9", 0, "not valid TOML: a number has too many digits"),
        ("\njobs = 0x" + 5000 * "f", 2, "`jobs`: expected a number from 1 to 256, found a number with too many digits"),
        ("\na" + 500 * ".a" + " = 1", 2, "unknown key `a.a.a.a.a.a`; expected"),
        ("[a" + 500 * ".a" + "]", 1, "unknown key `a.a.a.a.a.a`; expected"),
        ("jobs = 1\0", 1, "not valid TOML: "),
        ("\ufeffjobs = 0", 1, "`jobs`: expected a number from 1 to 256"),
        ('a = """' + 10**6 * " " + 'x"""', 1, "unknown key `a`"),
    ],
)
def test_what_is_wrong_is_found_at_its_line(root: Path, text: str, line: int, expected: str) -> None:
    (root / "judge.toml").write_text(text)
    ((found_line, message),) = errors(root)
    assert message.startswith(expected)
    assert found_line == line


def test_all_errors_of_a_file_are_reported(root: Path) -> None:
    (root / "judge.toml").write_text("jobs = 0\n[profile.ci]\nformat = 1\n")
    assert [line for line, _ in errors(root)] == [1, 3]


def test_a_file_that_cannot_be_read_is_one_error(root: Path) -> None:
    path = root / "judge.toml"
    path.mkdir()
    assert errors(root) == [(0, "not a regular file: expected a TOML file")]
    path.rmdir()
    path.symlink_to("nowhere")
    assert errors(root) == [(0, "cannot be read: No such file or directory")]
    path.unlink()
    path.symlink_to("/dev/zero")
    assert errors(root) == [(0, "is a link that leads out of the repository: copy the file into it")]
    path.unlink()
    os.mkfifo(path)
    assert errors(root) == [(0, "not a regular file: expected a TOML file")]
    path.unlink()
    path.write_bytes(b"\njobs = '\xff'\n")
    assert errors(root) == [(2, "not UTF-8 text")]


def test_an_unknown_profile_is_an_error_that_names_the_nearest(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"--profile ci: there are no profiles; add a table `\[profile\.ci\]` to"):
        load(root, "ci")
    (root / "judge.toml").write_text("[profile.contest]\n")
    assert load(root, "contest").profile == "contest"
    monkeypatch.setenv("JUDGE_PROFILE", "contets")
    with pytest.raises(UsageError, match=r"\$JUDGE_PROFILE contets: no such profile; did you mean `contest`\?"):
        load(root)


@pytest.mark.parametrize("text", ["0", "257", "-1", "x", "9" * 5000])
def test_a_wrong_environment_variable_is_named(root: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("JUDGE_JOBS", text)
    with pytest.raises(UsageError, match=r"\$JUDGE_JOBS: expected a number from 1 to 256, found"):
        load(root)


def test_a_relative_config_folder_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative/is/ignored")
    assert user_file() == Path.home() / ".config/judge/config.toml"
