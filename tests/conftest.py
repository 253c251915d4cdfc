"""The order of the suite, the longest tests first, and examples that are the same on every run and never hurried."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the runs on other interpreters where workers begin, so that nobody waits for the last one."""
    long = [item for item in items if item.path.name == "test_interpreters.py"]
    rest = [item for item in items if item.path.name != "test_interpreters.py"]
    middle = len(rest) // 2
    items[:] = [*long[::2], *rest[:middle], *long[1::2], *rest[middle:]]
