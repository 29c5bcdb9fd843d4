"""Count for how many inputs of public packages the right picture is drawn, without a grammar.

    python -m bench.bench_pictures LIST

Each line of LIST has what an input is (`tree`, `graph`, `grid`, `points` or `permutation`), and its path; the other
inputs of its folder are the samples that it is compared with. A picture is right if it is the first one that is no row
of numbers, and of that kind; a graph without a cycle may be drawn as a tree. Look at the pictures, too: `judge show`.
"""

import sys
from pathlib import Path

from judge.inputs.pictures import MOST_BYTES, find_pictures

_MOST_SAMPLES = 8
_SAME = {"graph": ("graph", "tree")}


def main() -> int:
    """Print a line for each input; return 1 if less than nine of ten are right."""
    wanted = [line.split(maxsplit=1) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    right = 0
    for kind, name in wanted:
        path = Path(name)
        others = sorted(each for each in path.parent.glob("*.in") if each != path)
        samples = [each.read_bytes() for each in others if each.stat().st_size <= MOST_BYTES][:_MOST_SAMPLES]
        titles = [each.title for each in find_pictures(path.read_bytes(), None, samples)]
        shown = next((each for each in titles if "numbers" not in each), "nothing")
        is_right = any(each in shown for each in _SAME.get(kind, (kind,)))
        right += is_right
        print(f"{'ok' if is_right else '!!'}  {kind:<12} {shown:<50} {path}")
    print(f"{right} of {len(wanted)} are drawn right")
    return 0 if 10 * right >= 9 * len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
