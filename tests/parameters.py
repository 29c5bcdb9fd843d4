"""Parameters of tests of which some take long: those run only with `make test-all`."""

from collections.abc import Iterable
from typing import Any

import pytest


def with_thorough(values: Iterable[Any], slow: Iterable[Any]) -> list[Any]:
    """Return the values as parameters; the slow ones are marked `thorough`."""
    marked = list(slow)
    return [pytest.param(each, marks=pytest.mark.thorough) if each in marked else each for each in values]
