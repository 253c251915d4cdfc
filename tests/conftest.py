"""Order of the suite: the longest tests begin first, one half of them for each half of the workers."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the runs on other interpreters where workers begin, so that nobody waits for the last one."""
    long = [item for item in items if item.path.name == "test_interpreters.py"]
    rest = [item for item in items if item.path.name != "test_interpreters.py"]
    middle = len(rest) // 2
    items[:] = [*long[::2], *rest[:middle], *long[1::2], *rest[middle:]]
