"""A cache of values that were used recently."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
K = TypeVar("K")


class Recent(Generic[K, T]):
    """Values by their keys; the least recently used are dropped first.

    Args:
        most: what all values together may take; one is always kept.
    """

    def __init__(self, most: int, size: Callable[[T], int] = lambda _: 1) -> None:
        self._most = most
        self._size_of = size
        self._size = 0
        self._values: OrderedDict[K, T] = OrderedDict()

    def get(self, key: K, make: Callable[[], T]) -> T:
        """Return the value of a key, made if it is not known."""
        if key not in self._values:
            value = self._values[key] = make()
            self._size += self._size_of(value)
            while self._size > self._most and len(self._values) > 1:
                self._size -= self._size_of(self._values.popitem(last=False)[1])
        self._values.move_to_end(key)
        return self._values[key]

    def drop(self, key: K) -> None:
        """Drop the value of a key, if there is one."""
        if key in self._values:
            self._size -= self._size_of(self._values.pop(key))
