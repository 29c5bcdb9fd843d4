"""The pytest plugin: `pytest --judge` collects every case of every solution as a test.

pytest loads this module in every session of an environment that has the judge installed, so it imports the rest
of the package only with `--judge`.
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting."""
    group = parser.getgroup("judge", "judging solutions")
    group.addoption("--judge", action="store_true", help="collect each case of each solution as a test")
    parser.addini(
        "judge_root",
        "the folder that contains problems/, from the configuration file (default: the current folder, or above)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin if `--judge` is given."""
    if config.getoption("judge"):
        from judge.pytest_plugin.collect import Solutions

        config.pluginmanager.register(Solutions(config), "judge-solutions")
