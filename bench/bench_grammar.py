"""How fast inputs are checked: a grammar, the library checktestdata, and a hand-written validator, in the same run.

The inputs are those of shipped problems (the hands of uva131) and of usual forms. All figures are MB of input per
second of CPU time of this process; programs are not started, so each way shows what it costs itself.
"""

import io
import random
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from checktestdata.parser import parse
from checktestdata.tokenizer import tokenize

from judge.inputs import Grammar

_SECONDS = 2.0  # of each measurement, at least

FORMS: dict[str, tuple[object, dict[str, object], str]] = {
    "hands (uva131)": (
        [
            {
                "tests": "1..10000",
                "until": "end of file",
                "lines": [{"cards": {"list": {"word": "[A2-9TJQK][CDHS]"}, "count": 10, "distinct": True}}],
            }
        ],
        {"tests": 10_000},
        'WHILE(!ISEOF)\n  REP(10, SPACE) REGEX("[A2-9TJQK][CDHS]") END NEWLINE\nEND\nEOF\n',
    ),
    "an array of integers": (
        [{"n": "1..200000"}, {"a": {"list": "-10^9..10^9", "count": "n"}}],
        {"n": 200_000},
        "INT(1, 200000, n) NEWLINE\nREP(n, SPACE) INT(-1000000000, 1000000000) END NEWLINE\nEOF\n",
    ),
    "rows of two integers": (
        [{"n": "1..200000"}, {"repeat": "n", "lines": [{"x": "0..10^9", "y": "0..10^9"}]}],
        {"n": 100_000},
        "INT(1, 200000, n) NEWLINE\nREP(n) INT(0, 1000000000) SPACE INT(0, 1000000000) NEWLINE END\nEOF\n",
    ),
    "ranges that depend on a row": (
        [{"n": "1..10^9", "q": "1..200000"}, {"repeat": "q", "lines": [{"l": "1..n", "r": "l..n"}]}],
        {"q": 100_000, "n": 10**9},
        "INT(1, 1000000000, n) SPACE INT(1, 200000, q) NEWLINE\nREP(q) INT(1, n, l) SPACE INT(l, n) NEWLINE END\nEOF\n",
    ),
    "a tree": (
        [{"n": "1..200000"}, {"tree": "n"}],
        {"n": 100_000},
        "INT(1, 200000, n) NEWLINE\nREP(n-1) INT(1, n) SPACE INT(1, n) NEWLINE END\nEOF\n",
    ),
}


def _measure(run: Callable[[], object], size: int) -> float:
    """Return MB per second of CPU time."""
    runs, start = 0, time.process_time()
    while (spent := time.process_time() - start) < _SECONDS or not runs:
        run()
        runs += 1
    return runs * size / spent / 1e6


def _checktestdata(text: str, data: bytes) -> float:
    """Return the speed of the library."""
    program = compile(parse(tokenize(text.encode())).python_code(standalone=True), "<grammar>", "exec")

    def run() -> None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(data))
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            exec(program, {"__name__": "grammar"})

    stdin = sys.stdin
    try:
        return _measure(run, len(data))
    finally:
        sys.stdin = stdin


def _hand_written(data: bytes) -> None:
    """Check the hands of uva131 as a person would write it."""
    pack = {rank + suit for rank in "A23456789TJQK" for suit in "CDHS"}
    lines = data.decode("ascii").split("\n")
    assert lines.pop() == ""
    assert 1 <= len(lines) <= 10_000
    for line in lines:
        cards = line.split(" ")
        assert len(cards) == 10
        assert all(card in pack for card in cards)
        assert len(set(cards)) == 10


def main() -> None:
    """Measure and print the table."""
    heads = "".join(f"{head:>15}" for head in ("grammar", "checktestdata", "by hand"))
    print(f"{'MB/s of CPU time':<30}{'size':>10}{heads}")
    for name, (value, parameters, text) in FORMS.items():
        print(_row(name, Grammar.from_yaml(value), parameters, text))


def _row(name: str, grammar: Grammar, parameters: Mapping[str, Any], text: str) -> str:
    data = grammar.generate(random.Random(1), size=1.0, **parameters)
    assert grammar.check(data) is None
    speeds = [
        _measure(lambda: grammar.check(data), len(data)),
        _checktestdata(text, data),
        _measure(lambda: _hand_written(data), len(data)) if "uva131" in name else None,
    ]
    cells = "".join(f"{'-' if speed is None else f'{speed:.1f}':>15}" for speed in speeds)
    return f"{name:<30}{len(data) / 1e6:>8.1f}MB{cells}"


if __name__ == "__main__":
    main()
