"""The text of `entry_points.txt`, read as installed tools read it, with what they stumble over."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["parse_entry_points"]


def __dir__() -> list[str]:
    return list(__all__)


def parse_entry_points(text: str) -> tuple[Mapping[str, tuple[tuple[str, str], ...]], tuple[str, ...]]:
    """Groups with their ``(name, value)`` pairs in order, and the lines that no reader understands.

    Source: the entry points specification of PyPA; `importlib.metadata` raises for all groups at a line without ``=``.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    broken: list[str] = []
    group: str | None = None
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith(("#", ";")):
            continue
        if stripped.startswith("[") and stripped.endswith("]"):
            group = stripped[1:-1]
            groups.setdefault(group, [])
            continue
        name, equals, value = stripped.partition("=")
        if not equals or group is None:
            broken.append(stripped)
            continue
        groups[group].append((name.strip(), value.strip()))
    return {key: tuple(pairs) for key, pairs in groups.items()}, tuple(broken)
