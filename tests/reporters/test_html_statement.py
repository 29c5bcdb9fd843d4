"""Statements as pages: LaTeX becomes Markdown, formulas MathML, samples come from the data, what is hostile is text."""

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.base.errors import JudgeError, UsageError
from judge.base.units import MIB
from judge.cli.main import run_cli
from judge.problems.latex import escape, to_markdown
from judge.problems.latex_macros import expand
from judge.problems.statement import Statement, parse, plain_text, read_text
from judge.reporters.html.page import OutputFile, PageFile
from judge.reporters.html.statement import Sample, StatementPart, to_mathml, write_statements
from judge.reporters.statement_pdf import PDF_MARK, write_pdf
from tests.cli.command_line import copy_repository, write
from tests.problems.icpc.packages import MINIMAL
from tests.reporters.test_html import KNOWN, Elements

PIXEL = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"
HOSTILE = r"""# <b>Title</b>

<script>fail()</script> <img src=x onerror=fail()> [a](javascript:fail()) [b](data:text/html,x) <javascript:fail()>

![pixel](pixel.gif) ![up](../secret.png) ![far](http://127.0.0.1:9/x.png) ![missing<b>](missing.png)

$\href{javascript:fail()}{x} \style{color:red}{y}$ $\text{<script>fail()</script>}$ $<b>$ `<i>` bad \u202e\x1b.

| a | <b> |
|---|-----|
| $x|y$ | <script> |
"""


@pytest.mark.parametrize(
    ("latex", "markdown"),
    [
        (r"\problemname{A \& B}Text", "# A \\& B\n\nText"),
        ("\\section*{Input}\na%\nb~c --- ``d'' \\'e", "## Input\n\nab\xa0c — “d” é"),
        (r"\emph{a} \textbf{b} \texttt{c\_d} {\tt e} {\bf f} \verb|g_h|", "*a* **b** `c_d` `e` **f** `g_h`"),
        ("a_b * # \\_ < [", "a\\_b \\* \\# \\_ \\< \\["),
        ("1. a\n- b", "1\\. a\n\\- b"),
        (r"$a_i \le 10^5$ \(x\) \[ y \] z", "$a_i \\le 10^5$ $x$\n\n$$y$$\n\n z"),
        (r"\begin{align*}a &= b\\c\end{align*}", "$$\\begin{aligned}a &= b\\\\c\\end{aligned}$$"),
        (r"\begin{itemize}\item a \item b \begin{enumerate}\item c\end{enumerate}\end{itemize}", "- a\n- b\n\n  1. c"),
        (r"\begin{tabular}{|l|c|}\hline a & $|x|$ \\ c \\ \end{tabular}", "| a | $\\|x\\|$ |\n|---|---|\n| c |  |"),
        (r"\illustration{0.3}{img}{By \href{https://a.b/c}{d}}", "![](<img>)\n\n*By [d](<https://a.b/c>)*"),
        (r"\begin{figure}\includegraphics[width=1cm]{a b.png}\caption{c}\end{figure}", "![](<a b.png>)\n\n*c*"),
        (r"\emph{a\\b} c\\d", "*a b* c\\\nd"),
        ("\\begin{verbatim}\n a_b\n\\end{verbatim}", "```\n a_b\n```"),
        (r"\begin{Input}a\end{Input}", "## Input\n\na"),
        (r"\begin{problem}{A}{in}{out}{1 s}{1 MB}b\InputFile c\end{problem}", "# A\n\nb\n\n## Input\n\nc"),
        (r"a\Examples\begin{example}\exmp{1}{2}\end{example}b", "a\n\nb"),
        ("a\\footnote{b}\n\nc % d\n\n\ne", "a (b)\n\nc\n\ne"),
        (
            r"\newcommand{\N}{10^5}\renewcommand\a[2][x]{#2_{#1}}$\N \a{y} \a[z]{y}$ \verb|\N|",
            "$10^5 y_{x} y_{z}$ `\\N`",
        ),
        (r"\def\N{\ensuremath{n}\xspace}\def\f#1#2{#2\cdot #1}\N{} $\N\f a{bc}d$", "${n}$ ${n}bc\\cdot ad$"),
        (r"\DeclareMathOperator{\lcm}{lcm}\newcommand{\x}{\lcm}$\x y$ % \x", "$\\operatorname{lcm} y$"),
    ],
)
def test_latex_becomes_markdown(latex: str, markdown: str) -> None:
    assert to_markdown(latex) == (f"{markdown}\n", [])


def test_what_latex_loses_is_named() -> None:
    picture = r"\begin{tikzpicture}\draw (0,0);\end{tikzpicture}"
    text, left_out = to_markdown(rf"a \newthing{{b}} {picture} \begin{{odd}}c\end{{odd}}")
    assert " ".join(text.split()) == "a b c"
    assert left_out == ["`\\newthing`", "`\\begin{tikzpicture}`", "`\\begin{odd}`"]
    with pytest.raises(ValueError, match="nested too deeply"):
        to_markdown("{" * 100_000)
    for endless in (r"\def\a{\a}\a", r"\def\a{\b\b}\def\b{x\a\a}\a", r"\def\a{" + "x" * 9_999 + "}" + r"\a" * 999):
        with pytest.raises(ValueError, match="expand without end"):
            to_markdown(endless)
    assert expand("x" * (1 << 20) + r"\def\a{y}\a", {}) == "x" * (1 << 20) + "y"
    assert to_markdown(r"\def\a#1{[#1]}\def\b{\newcommand{\c}{x \a")[0].strip() != ""


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("<a href='https://a.b/?x=1&amp;y'>*c*</a>", '<a href="https://a.b/?x=1&amp;y"><em>c</em></a>'),
        ("a<sub>i</sub><BR/><b>x<sup>2</sup></b>", "a<sub>i</sub><br />\n<strong>x<sup>2</sup></strong>"),
        ("[a]()", "<a>a</a>"),
        ('<a href="javascript:x">a</a>', "&lt;a href=&quot;javascript:x&quot;&gt;a&lt;/a&gt;"),
        ("<a id=x>a</a> <b>*c</b>*", "&lt;a id=x&gt;a&lt;/a&gt; <strong>*c</strong>*"),
        ("<b><i>x</b>y</i>", "<strong>&lt;i&gt;x</strong>y&lt;/i&gt;"),
        ("<b>$x</b>y$", "<strong>$x</strong>y$"),
        ("<b><i><b>a", "&lt;b&gt;&lt;i&gt;&lt;b&gt;a"),
        ("<b>" * 50 + "a" + "</b>" * 50, None),
        (r"$\newcommand{\x}{y}$a $\x\def\z{\z}$ $\z$", None),
    ],
)
def test_links_and_simple_elements_of_html_work_in_markdown(markdown: str, html: str | None, tmp_path: Path) -> None:
    statement = Statement(text=f"{markdown}\n", folder=tmp_path)
    write_statements(
        PageFile(tmp_path / "a.html"), "", [StatementPart(name="", language="en", facts="", statement=statement)]
    )
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert html is None or f"<p>{html}</p>" in page
    assert Elements(page).names <= KNOWN | {"article", "strong", "em", "sub", "sup", "math", "mi", "mrow"}


@settings(max_examples=50)
@given(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"))))
def test_escaped_text_is_shown_as_it_is(text: str) -> None:
    (paragraph,) = parse(f"x{escape(text)}").children
    assert plain_text(paragraph) == f"x{text}"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"1 \le a_i \leq 10^5", "1≤ai≤105"),
        (r"\frac{a}{b} < \sqrt{x}", "ab<x"),
        (r"\text{if } x \bmod 2", "if xmod2"),
        (r"\href{javascript:x}{y}", "y"),
        (r"\text{<script>}", "<script>"),
        (r"\newthing{x}", None),
        (r"\frac", None),
        (r"a \& b", "a&b"),
        ("a & b", None),
        (r"a \\ b", None),
        (r"\begin{odd} a & b \end{odd}", None),
        ("{", None),
        ("x" * 10_000, None),
        ("{" * 3_000, None),
    ],
)
def test_a_formula_is_mathml_or_not_known(formula: str, text: str | None) -> None:
    element = to_mathml(formula)
    assert (element is None) == (text is None)
    if element is not None:
        assert "".join(element.itertext()).replace("\xa0", " ") == text
        assert not {name for each in element.iter() for name in each.attrib} & {"href", "style", "class", "id"}
        assert ET.fromstring(ET.tostring(element)).tag.endswith("math")


@pytest.mark.parametrize(
    ("latex", "rows"),
    [
        (r"\begin{align*} a &= b \\ c &= d \end{align*}", [["a", "=b"], ["c", "=d"]]),
        (r"\[\begin{aligned}[t] a &= b \\ c &= d \end{aligned}\]", [["a", "=b"], ["c", "=d"]]),
        (r"\[\begin{alignedat}{2} a &= b & c &= d \end{alignedat}\]", [["a", "=b", "c", "=d"]]),
        (r"\begin{alignat}{2} a &= b & c &= d \end{alignat}", [["a", "=b", "c", "=d"]]),
        (r"\begin{align*} a &= \begin{cases} 1 \\ 2 \end{cases} \\&= \& \end{align*}", [["a", "={12"], ["", "=&"]]),
        (r"\begin{gather} a \\ b \end{gather}", [["a"], ["b"]]),
        (r"\[ a \\ b \]", [["a"], ["b"]]),
        (r"\[ \sum_{\substack{i \\ j}} i \& j \]", [["i"], ["j"]]),
    ],
)
def test_lines_of_a_formula_are_rows(latex: str, rows: list[list[str]]) -> None:
    (paragraph,) = parse(to_markdown(latex)[0]).children
    (formula,) = (node for node in paragraph.walk() if node.type == "math")
    element = to_mathml(formula.content, is_block=True)
    assert element is not None
    table = element.find(".//mtable")
    assert table is not None
    assert [["".join(cell.itertext()) for cell in row] for row in table] == rows


def test_a_hostile_statement_stays_text(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    folder = tmp_path / "statement"
    folder.mkdir()
    (folder / "pixel.gif").write_bytes(PIXEL)
    text = HOSTILE.replace("\\u202e", "\u202e").replace("\\x1b", "\x1b")
    part = StatementPart(
        name="<b>", language="en", facts="", statement=Statement(text=text, folder=folder),
        samples=[Sample(input=b"</pre><script>fail()</script>\xff", answer=b"<b>")],
    )  # fmt: skip
    path = tmp_path / "page.html"
    notes = write_statements(PageFile(path), "<b>", [part])
    page = path.read_text(encoding="utf-8")
    elements = Elements(page)
    assert not elements.names & {"script", "b", "i", "iframe", "a"}
    assert not [name for name in elements.attributes if name.startswith("on") or name == "style"]
    assert re.findall(r'src="(.{15})', page) == ["data:image/gif;"]
    assert "secret" not in page.replace("../secret.png", "")
    assert page.count("&lt;script&gt;fail()&lt;/script&gt;") == 3
    assert "\\xe2\\x80\\xae\\x1b" in unescape(page)
    assert [note.partition("`")[2].partition("`")[0] for note in notes] == [
        "../secret.png", "http://127.0.0.1:9/x.png", "missing.png",
    ]  # fmt: skip
    assert "default-src 'none'" in page
    assert "script-src" not in page


def test_a_pdf_file_shows_the_same_and_runs_no_command(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="Typst is not installed: pip install 'judge-harness[pdf]'")
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "pixel.gif").write_bytes(PIXEL)
    commands = '#read("/etc/passwd") "; #panic() $ #panic() $ \\mathrm{é#panic()} `#panic()` [#panic()](#panic())'
    text = f"# {commands}\n\n{commands}\n\n- a\n  1. b\n\n> {commands}\n\n|{commands}|b|\n|-|-|\n|c|d|\n\n***\n\n"
    text += "```\n#panic()\n```\n\n"
    text += '$$\\sum_{i=1}^n \\frac{a_i}{\\sqrt[3]{x}} \\le \\text{#panic() "}; \\# \\mathrm{é#panic()}$$\n'
    text += "$\\newthing$ ![a](missing.png) $\\begin{cases} a & b \\\\ c & d \\end{cases}$\n"
    samples = [Sample(input=b'#panic() "\xff', answer=b"1"), Sample(dialogue=[(True, b"#panic()"), (False, b"1")])]
    statement = Statement(text=text, folder=tmp_path)
    part = StatementPart(name="#panic()", language="en", facts="#panic()", statement=statement, samples=samples)
    file = OutputFile("--pdf", tmp_path / "a.pdf", "PDF file", [PDF_MARK])
    notes = write_pdf(file, [part, part])
    assert file.path.read_bytes().startswith(b"%PDF")
    assert len(notes) == 2 * 2
    OutputFile("--pdf", file.path, "PDF file", [PDF_MARK])
    file.path.write_bytes(b"%PDF")
    with pytest.raises(UsageError, match=r"exists, and is not a PDF file of judge; --force overwrites it"):
        OutputFile("--pdf", file.path, "PDF file", [PDF_MARK])


def test_a_pdf_file_continues_lists_and_names_the_statement_at_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typst = pytest.importorskip("typst", reason="Typst is not installed: pip install 'judge-harness[pdf]'")

    def part(name: str, text: str) -> StatementPart:
        statement = Statement(text=f"# {name}\n\n{text}", folder=tmp_path)
        return StatementPart(name=name, language="en", facts="", statement=statement)

    file = OutputFile("--pdf", tmp_path / "a.pdf", "PDF file", [PDF_MARK])
    lines = "$\\left\\{\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}\\right.$"
    fine, nested = (
        part("fine", f"3. a\n4. b\n\ntext\n\n0. c\n\n[see]() [](x) {lines}"),
        part("nested", "> " * 19 + "- a"),
    )
    with pytest.raises(JudgeError, match=r"Typst cannot typeset the statement of nested: maximum show rule depth"):
        write_pdf(file, [fine, nested, fine])
    sources, compiles = list[str](), typst.compile

    def keep(path: str, root: str) -> bytes:
        sources.append(Path(path).read_text(encoding="utf-8"))
        return bytes(compiles(path, root=root))

    monkeypatch.setattr(typst, "compile", keep)
    assert write_pdf(file, [fine]) == []
    assert re.findall(r"#enum\(start: (\d)", sources[0]) == ["3", "0"]
    assert r'lr(\{ mat(delim: #none, a & "" \= b; c & "" \= d) "")' in sources[0]


@pytest.mark.parametrize("command", [("statement", "--html", "z"), ("show",), ("export", "--to", "polygon")])
def test_a_statement_that_is_nested_too_deeply_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "*" * 1_200 + "a" + "*" * 1_200
    for file, content in {**MINIMAL, "statement/problem.en.md": text}.items():
        write(tmp_path / "p" / file, content)
    assert run_cli([command[0], "p", *command[1:]]) == (0 if command[0] == "export" else 2)  # it is left out
    assert "problem.en.md: emphasis is nested more than 100 levels deep" in "".join(capsys.readouterr())


def test_a_statement_may_have_4_mib(tmp_path: Path) -> None:
    path = tmp_path / "problem.tex"
    path.write_bytes(b"a" * 4 * MIB)
    assert len(read_text(path)) == 4 * MIB
    path.write_bytes(b"a" * (4 * MIB + 1))
    with pytest.raises(UsageError, match=r"problem\.tex: is larger than 4 MiB: it is not shown"):
        read_text(path)


def test_a_statement_has_the_samples_of_the_data_and_the_input_of_the_grammar(
    judged_sums: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_repository(judged_sums, tmp_path, monkeypatch)
    (root / "problems/sums/statement.md").write_text(
        "# Sums & more\n\nAdd $a+b$, not $\\newthing$.\n\n## Sample\n\n```\n7 7\n```\n"
    )
    assert run_cli(["statement", "sums", "--html", "page.html"]) == 0
    assert "the formula $\\newthing$ is shown as its source" in capsys.readouterr().err
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<h1>Sums &amp; more</h1>" in page
    assert "<mi>a</mi>" in page
    assert "<code>$\\newthing$</code>" in page
    assert "7 7" not in page
    assert page.count("<h2>Input</h2>") == 1
    assert re.search(r"<h2>Samples</h2>.*<td><pre>1 2", page, re.DOTALL)
    assert run_cli(["statement", "sums", "--html", "page.html"]) == 0
    Path("page.html").write_text("mine")
    assert run_cli(["statement", "sums", "--html", "page.html"]) == 2
    assert "exists, and is not a page of judge" in capsys.readouterr().err
    assert run_cli(["statement", "sums", "--html", "page.html", "--force"]) == 0
    assert run_cli(["statement", "sums"]) == 2
    assert "nothing to write: --html FILE or --pdf FILE" in capsys.readouterr().err


def test_a_contest_is_one_page_in_the_language_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    statement = "problem_statement/problem"
    for name, files in {
        "one": {f"{statement}.en.tex": r"\problemname{Sum}Add.", f"{statement}.sv.md": "Addera.\n\n# Indata\n\nTal."},
        "two": {f"{statement}.sv.tex": r"\problemname{Skillnad}\section*{Indata} \odd"},
        "bad": {f"{statement}.pdf": "%PDF"},
    }.items():
        for file, content in {**MINIMAL, **files}.items():
            write(tmp_path / "contest" / name / file, content)
    assert run_cli(["statement", "contest/one", "contest/two", "--html", "page.html"]) == 0
    assert "`\\odd` is left out" in capsys.readouterr().err
    page = Path("page.html").read_text(encoding="utf-8")
    assert re.findall('<article id="p." lang="(..)">|<h2>(.*)</h2>', page) == [
        ("en", ""), ("", "Sum"), ("sv", ""), ("", "Skillnad"),
    ]  # fmt: skip
    assert run_cli(["statement", "contest/one", "--html", "page.html", "--language", "sv"]) == 0
    assert '<html lang="sv">' in Path("page.html").read_text(encoding="utf-8")
    for words, message in (
        (["contest/two", "--language", "en"], "--language en: the statement of two is in sv only"),
        (["contest/bad"], "bad: expected a statement in Markdown or LaTeX, found only "),
    ):
        assert run_cli(["statement", *words, "--html", "page.html"]) == 2
        assert message in capsys.readouterr().err
