"""Parameters of tests of which some take long: those run only with `make test-all`."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def with_thorough(values: Iterable[Any], slow: Iterable[Any]) -> list[Any]:
    """Return the values as parameters, each a tuple if the test has several; the slow ones are marked `thorough`."""
    values, marked = list(values), list(slow)
    assert all(each in values for each in marked), marked
    return [_thorough(each) if each in marked else each for each in values]


def first_of(values: Iterable[Any], count: int) -> list[Any]:
    """Return the values as parameters, as `with_thorough` does; all but the first ones are marked."""
    found: Sequence[Any] = list(values)
    return [*found[:count], *map(_thorough, found[count:])]


def _thorough(value: Any) -> Any:
    return pytest.param(*(value if type(value) is tuple else (value,)), marks=pytest.mark.thorough)
