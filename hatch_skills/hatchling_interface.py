"""Every interface of hatchling that the hook uses beyond its plugin class, in one place, with what breaks if it goes.

`BuildHookInterface`, `build_data["force_include"]` and `builder.recurse_included_files` are documented. The functions
below stand on what is not; the suite runs on the oldest supported hatchling and on the newest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = [
    "add_entry_points",
    "declared_entry_points",
    "distribution_name",
    "exclude_patterns",
    "final_path",
    "listed_files",
]


def __dir__() -> list[str]:
    return list(__all__)


def distribution_name(metadata: Any) -> str:
    """The normalised name of the project. Without ``metadata.core.name``: the hook cannot name its module."""
    name: str = metadata.core.name
    return name


def declared_entry_points(metadata: Any, group: str) -> Mapping[str, str]:
    """What the author declared in a group. Without ``metadata.core.config``: static entry points would be replaced."""
    declared: Mapping[str, str] = metadata.core.config.get("entry-points", {}).get(group, {})
    return declared


def add_entry_points(metadata: Any, group: str, points: Mapping[str, str]) -> None:
    """Register entry points for the wheel. Without ``metadata.core.entry_points``: nothing would be registered.

    The wheel builder reads the same dictionary after every ``initialize``. Source: hatchling 1.18 to 1.33.
    """
    registered = metadata.core.entry_points.setdefault(group, {})
    for name in sorted(points):
        registered[name] = points[name]


def final_path(build_config: Any, path: str) -> str:
    """Where a file of the project ends in the archive. Without ``get_distribution_path``: `sources` are lost."""
    final: str = build_config.get_distribution_path(path.replace("/", os.sep))
    return final.replace(os.sep, "/")


def exclude_patterns(build_config: Any) -> list[str]:
    """The author's own exclude patterns for the target, those of version control not among them.

    Without ``target_config`` and ``build_config``: an explicit exclude would be overruled in silence.
    """
    patterns = build_config.target_config.get("exclude", build_config.build_config.get("exclude", []))
    return patterns if isinstance(patterns, list) else []


def listed_files(build_config: Any, build_data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What the builder selects by itself and what earlier hooks forced: source path and path in the archive.

    Without ``set_build_data``: files that another hook forced would be added twice.
    """
    try:
        with build_config.set_build_data(build_data):
            files = [(file.path, file.distribution_path) for file in build_config.builder.recurse_included_files()]
    except (ValueError, FileNotFoundError):
        return  # no package to select by default, or a forced file that the builder itself will miss
    for path, final in files:
        yield os.path.realpath(path), final.replace(os.sep, "/")
