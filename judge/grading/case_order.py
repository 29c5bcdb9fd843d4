"""In which order the tests of a task are tried: those first that rejected most submissions so far.

A submission is accepted if it passes all tests, whatever their order; the order decides how soon a wrong one fails.
"""

import threading
from collections import Counter, OrderedDict

_MAX_TASKS = 4096  # whose counts are kept; the least recently used are dropped first


class CaseOrder:
    """Counts which tests rejected submissions; may be used by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rejections: OrderedDict[str, Counter[int]] = OrderedDict()

    def order(self, group: str, cases: int) -> list[int]:
        """Return the indices of all tests of a task, best first."""
        with self._lock:
            counts = self._rejections.get(group)
            first = [index for index, _ in counts.most_common()] if counts else []
        first = [index for index in first if index < cases]
        known = set(first)
        return [*first, *(index for index in range(cases) if index not in known)]

    def count(self, group: str, case: int) -> None:
        """Count that a test rejected a submission."""
        with self._lock:
            self._rejections.setdefault(group, Counter())[case] += 1
            self._rejections.move_to_end(group)
            if len(self._rejections) > _MAX_TASKS:
                self._rejections.popitem(last=False)
