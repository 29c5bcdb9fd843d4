"""pytest's side door: `pytest --judge` collects every case of every solution as a test.

pytest loads this module in every session of an environment that has the judge installed, so it imports nothing of ours
until `--judge` is given.
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the option and the setting."""
    group = parser.getgroup("judge", "judging solutions")
    group.addoption("--judge", action="store_true", help="collect each case of each solution as a test")
    parser.addini(
        "judge_root",
        "the folder with problems/, relative to the configuration file (default: the current folder, or above)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Join the session if that is asked for."""
    if config.getoption("judge"):
        from judge.pytest_plugin.collect import Solutions

        config.pluginmanager.register(Solutions(config), "judge-solutions")
