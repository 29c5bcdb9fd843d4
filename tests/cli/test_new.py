"""`judge new` starts a solution in the user's language, from the user's template, if asked to."""

from pathlib import Path

import pytest

from judge.settings.load import user_file
from tests.cli.command_line import CapSys, judge, write
from tests.parameters import first_of


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder; the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_language_adds_a_solution_to_the_complete_problem(root: Path, capsys: CapSys) -> None:
    status, out, _ = judge("new", "sums", "--language", "c++", capsys=capsys)
    assert (status, out.splitlines()[-1]) == (
        0,
        "next: edit solutions/sums/accepted/sums.cpp, then judge run sums",
    )
    text = (root / "solutions/sums/accepted/sums.cpp").read_text()
    assert "int a; cin >> a;" in text, "it reads the input"
    assert (root / "solutions/sums/accepted/count.py").exists()


def test_the_template_of_the_settings_serves_its_language(root: Path, capsys: CapSys) -> None:
    user = user_file()
    assert user is not None
    write(user, 'default-language = "cpp"\n[language.java]\ntemplate = "T.java"\n')
    write(user.parent / "T.java", "// {{id}}: {{name}}\nclass Main {}\n")
    assert judge("new", "one", "--language", "java", capsys=capsys)[0] == 0
    assert (root / "solutions/one/accepted/one.java").read_text() == "// one: Sums\nclass Main {}\n"
    assert judge("new", "two", capsys=capsys)[0] == 0  # a complete problem that runs at once, unless asked
    assert not (root / "solutions/two/accepted/two.cpp").exists()


def test_a_template_names_its_language_by_its_suffix(root: Path, capsys: CapSys) -> None:
    write(root / "t.c", "int main(void) {}\n")
    assert judge("new", "one", "--template", "t.c", capsys=capsys)[0] == 0
    assert (root / "solutions/one/accepted/one.c").read_text() == "int main(void) {}\n"
    status, _, err = judge("new", "two", "--template", "gone.c", capsys=capsys)
    assert (status, err, (root / "problems/two").exists()) == (2, "judge: --template gone.c does not exist\n", False)


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("kind", first_of(["default", "checker", "interactive"], 1))
def test_a_problem_of_each_type_is_complete_and_runs_at_once(kind: str, capsys: CapSys) -> None:
    assert judge("new", "one", "--type", kind, capsys=capsys)[0] == 0
    for command, told in (("run", "ok all 3 solutions as expected"), ("check", "passed\n"), ("lock", "locked")):
        status, out, err = judge(command, "one", capsys=capsys)
        assert (status, told in out) == (0, True), out + err


def test_a_solution_of_an_interactive_problem_does_not_read_the_secret_input(root: Path, capsys: CapSys) -> None:
    assert judge("new", "one", "--type", "interactive", "--language", "cpp", capsys=capsys)[0] == 0
    assert "secret" not in (root / "solutions/one/accepted/one.cpp").read_text()
    assert judge("new", "two", "--type", "interactive", "--language", "python3", capsys=capsys)[0] == 0
    text = (root / "solutions/two/accepted/two.py").read_text()
    assert text == "print(1, flush=True)\nanswer = input()\n", "what reads to the end of input waits for ever"
    status, _, err = judge("show", "one", "--code", "cpp", capsys=capsys)
    assert (status, "only the interactor reads" in err) == (2, True)


def test_a_template_gets_the_name_of_the_problem(root: Path, capsys: CapSys) -> None:
    write(root / "t.c", "// {{name}}\n")
    assert judge("new", "one", "--type", "checker", "--template", "t.c", capsys=capsys)[0] == 0
    assert (root / "solutions/one/accepted/one.c").read_text() == "// Two terms\n"


@pytest.mark.parametrize("name", ["problems", "testcases", "solutions", ".schemas"])
def test_nothing_is_written_through_a_link_out_of_the_repository(
    root: Path, capsys: CapSys, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (root / name).symlink_to(elsewhere)
    status, _, err = judge("new", "one", capsys=capsys)
    place = root / name / ("one" if name != ".schemas" else "")
    assert (status, err) == (2, f"judge: {place}: leads out of {root}: nothing was written\n")
    assert list(elsewhere.iterdir()) == []
    assert [path.name for path in root.iterdir()] == [name]


def test_a_linked_file_is_replaced_and_its_target_stays(
    root: Path, capsys: CapSys, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mine = write(tmp_path_factory.mktemp("elsewhere") / "mine", "mine")
    write(root / ".schemas/x", "")
    (root / ".schemas/problem.schema.json").symlink_to(mine)
    assert judge("new", "one", capsys=capsys)[0] == 0
    assert mine.read_text() == "mine"


def test_a_state_folder_that_is_a_link_is_an_error(root: Path, capsys: CapSys) -> None:
    assert judge("new", "one", capsys=capsys)[0] == 0
    (root / "elsewhere").mkdir()
    (root / ".judge").symlink_to("elsewhere")
    for command in ("run", "list", "history"):
        status, _, err = judge(command, capsys=capsys)
        message = f"judge: {root}/.judge is a link, and the judge writes into no other folder: remove the link\n"
        assert (status, err) == (2, message)
    assert list((root / "elsewhere").iterdir()) == []
