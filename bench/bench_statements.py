"""How much of statements in LaTeX becomes a page: what has no form in Markdown, and formulas that are not known.

python -m bench.bench_statements FOLDER        all `problem*.tex` below it
"""

import sys
import time
from collections import Counter
from pathlib import Path

from bench.measure import show
from judge.base.errors import UsageError
from judge.problems.statement import parse, read_statement
from judge.reporters.html.statement import to_mathml


def main() -> None:
    """Convert and print."""
    left_out, unknown, formulas = Counter[str](), Counter[str](), Counter[str]()
    paths = [path for path in Path(sys.argv[1]).rglob("problem*.tex") if path.is_file()]
    complete = failed = 0
    started = time.process_time()
    for path in paths:
        try:
            statement = read_statement(path)
        except UsageError as error:
            failed += 1
            show(str(path.name), "failed", str(error))
            continue
        complete += not statement.left_out
        left_out.update(statement.left_out)
        formulas.update(node.content for node in parse(statement.text).walk() if node.type == "math")
    taken = time.process_time() - started
    for formula, count in formulas.items():
        if to_mathml(formula) is None:
            unknown[formula] += count
    show("statements", f"{len(paths):,}", f"{failed:,} failed, {complete:,} lose nothing")
    show("CPU time for each", f"{taken / len(paths) * 1e3:.0f} ms")
    show("formulas", f"{formulas.total():,}", f"{unknown.total():,} are shown as their source")
    show("most often left out", ", ".join(f"{name} {count}" for name, count in left_out.most_common(8)))


if __name__ == "__main__":
    main()
