"""The facts of one installed distribution, or of a wheel, that locators look at."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SKILL_GROUP", "Distribution", "EntryPoint", "Found"]

SKILL_GROUP = "opm.agents.skill_md"
"""The entry-point group of OVOS. Source: ovos-agentic-loop 0.1.0, ``skills/loader.py``."""


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One entry point of a skill group.

    ``path`` is the file that its value names (None where it names none), ``real`` the same with links resolved;
    ``problem`` says why it names none; ``type`` is the type of the loaded value. ``certain`` is false where the
    value was not loaded and could not be read from the source either; ``resolved`` is false where the source shows
    that links and ``..`` stay in the path.
    """

    group: str
    name: str
    value: str
    path: str | None = None
    real: str | None = None
    problem: str = ""
    type: str = "str"
    certain: bool = True
    resolved: bool = True


@dataclass(frozen=True, slots=True)
class Distribution:
    """One distribution: every path is absolute in an environment and relative to the root of a wheel.

    ``record`` holds the rows of RECORD whose last part is a SKILL.md in any case: the path as written, and the
    resolved path of the file, or None where there is no file. ``record`` is None without a RECORD. ``editable`` is the
    resolved source root of an editable install that `direct_url.json` names, and ``editable_skills`` the files that a
    search for ``.agents/skills/*/SKILL.md`` finds below it. ``legacy`` marks ``*.egg-info``.
    """

    name: str
    version: str
    metadata: str
    record: tuple[tuple[str, str | None], ...] | None = ()
    entry_points: tuple[EntryPoint, ...] = ()
    editable: str | None = None
    editable_skills: tuple[str, ...] = ()
    legacy: bool = False
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A file that a runtime finds: its path as the runtime holds it, the strategy, and whose it is.

    ``via`` is ``entry-point``, ``record`` or ``direct-url``; ``real`` is the path with links resolved.
    """

    path: str
    via: str
    distribution: str
    version: str = ""
    entry: str = ""
    real: str = ""
