"""Mutants of C, C++ and Java, token by token."""

import pytest

from judge.strength.mutation.tokens import token_mutants

CPP = """\
#include <vector>
using namespace std;
// a < b
int main() {
    const char *s = "1 < 2";
    long long n = 10;
    for (int i = 0; i < n; i++) {
        if (i == 3 && s) { f(i, n); break; }
        n -= 1;
    }
    return -1;
}
"""


@pytest.mark.parametrize(
    ("operator", "before", "after"),
    [
        ("comparison", "i < n", "i <= n"),
        ("connective", "3 && s", "3 || s"),
        ("arithmetic", "n -= 1", "n += 1"),
        ("constant", "= 10;", "= 11;"),
        ("constant", "= 10;", "= 9;"),
        ("loop-exit", "break;", "continue;"),
        ("negation", "(i == 3 && s)", "(!(i == 3 && s))"),
        ("missing-case", "(i == 3 && s)", "(false)"),
        ("missing-statement", "n -= 1;", ";"),
        ("argument-order", "f(i, n)", "f(n, i)"),
        ("integer-size", "long long n", "int n"),
    ],
)
def test_an_operator_makes_this_mistake(operator: str, before: str, after: str) -> None:
    mutants = {(each.operator, each.apply(CPP.encode()).decode()) for each in token_mutants(CPP.encode())}
    assert (operator, CPP.replace(before, after)) in mutants


def test_no_type_is_exchanged_for_one_of_the_same_size() -> None:
    assert "int long" not in "".join(each.apply(CPP.encode()).decode() for each in token_mutants(CPP.encode()))


def test_comments_texts_and_includes_stay() -> None:
    kept = ("#include <vector>", "using namespace std;", "// a < b", '"1 < 2"', "return -")
    for each in token_mutants(CPP.encode()):
        text = each.apply(CPP.encode()).decode()
        assert all(part in text for part in kept)


@pytest.mark.parametrize("call", ["ios::sync_with_stdio(false);", "cin.tie(0)->sync_with_stdio(0);", "a->reserve(9);"])
def test_calls_that_change_no_output_stay(call: str) -> None:
    source = f"int main() {{\n{call}\nf(2);\ntie(a, b) = g();\n}}".encode()
    mutants = [each.apply(source).decode() for each in token_mutants(source)]
    assert len(mutants) == 4  # the number, twice, and the two statements
    assert all(call in each for each in mutants)


@pytest.mark.parametrize("source", ["", "/* open", 'char *s = "open', "if ((", "'", "#"])
def test_any_text_has_mutants_or_none(source: str) -> None:
    assert all(each.apply(source.encode()) != source.encode() for each in token_mutants(source.encode()))
