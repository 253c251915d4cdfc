"""The text of `entry_points.txt`, read as installed tools read it, with what they stumble over."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["parse_entry_points"]


def __dir__() -> list[str]:
    return list(__all__)


def parse_entry_points(text: str) -> tuple[Mapping[str, tuple[tuple[str, str], ...]], tuple[str, ...]]:
    """Groups with their ``(name, value)`` pairs in order, and the lines that no reader understands.

    Source: importlib.metadata, which drops lines before the first group, knows no comment but ``#``, and raises for all
    groups at a line of a group without ``=``.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    broken: list[str] = []
    group: str | None = None
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if stripped.startswith("[") and stripped.endswith("]"):
            group = stripped.strip("[]")
            continue
        name, equals, value = stripped.partition("=")
        if group is None:
            continue
        if not equals:
            broken.append(stripped)
            continue
        groups.setdefault(group, []).append((name.strip(), value.strip()))
    return {key: tuple(pairs) for key, pairs in groups.items()}, tuple(broken)
