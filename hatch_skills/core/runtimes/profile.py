"""What we know of a runtime: its facts, its reader, its locator and its catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hatch_skills.core.findings import Severity
from hatch_skills.core.runtimes.distribution import Distribution, Found
from hatch_skills.core.skill import Skill

__all__ = ["Field", "Locator", "Profile", "Reading", "accepted", "refused"]


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a runtime holds after it has read one SKILL.md.

    ``outcome`` is ``ok``, ``warned``, ``skipped`` (left out without a message), ``rejected`` (refused with a message)
    or ``crash`` (another exception). ``detail`` says why in a few words. ``fields`` are all other keys that the
    runtime keeps. `fatal` is true where this one file stops every other skill of the environment.
    """

    outcome: str
    name: str | None = None
    description: str | None = None
    body: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    detail: str = ""
    fatal: bool = False

    @property
    def accepted(self) -> bool:
        """The runtime offers the skill."""
        return self.outcome in ("ok", "warned")


def accepted(
    name: str,
    description: str,
    body: str,
    fields: Mapping[str, Any] | None = None,
    *,
    warning: str = "",
) -> Reading:
    """A reading that is taken, with a warning if there is one."""
    return Reading("warned" if warning else "ok", name, description, body, fields or {}, warning)


def refused(outcome: str, detail: str, *, fatal: bool = False) -> Reading:
    """A reading that is not taken: `outcome` is ``skipped``, ``rejected`` or ``crash``."""
    return Reading(outcome, detail=detail, fatal=fatal)


@dataclass(frozen=True, slots=True)
class Field:
    """The demand of a runtime on one field; ``limit`` counts code points, None means no limit."""

    limit: int | None = None
    pattern: re.Pattern[str] | None = None
    pattern_says: str = ""
    equals_directory: bool = False
    source: str = ""


class Locator(Protocol):
    """Tells which files a runtime finds among installed distributions, in the order in which it finds them.

    ``read`` gives the skill at a path that was found, for runtimes that go on searching only where what they found so
    far is not usable; without it, every file that is found counts as usable.
    """

    def __call__(
        self, distributions: Sequence[Distribution], *, read: Callable[[str], Skill | None] | None = None
    ) -> tuple[Found, ...]: ...


@dataclass(frozen=True, slots=True)
class Profile:
    """One runtime.

    ``read`` reads a skill exactly as the runtime does, faults included. ``locate`` tells which files it finds among
    installed distributions, and is None for runtimes that never look there. ``catalogue`` renders what its model is
    shown from pairs of skill and accepted reading. ``tool_name`` turns a skill name into a tool name.
    ``severities`` overrides the severity of a rule id where this runtime alone asks for it.
    """

    id: str
    title: str
    looked_at: str
    source: str
    searches: str
    duplicates: str
    read: Callable[[Skill], Reading]
    fields: Mapping[str, Field] = field(default_factory=dict)
    known_keys: frozenset[str] | None = None
    locate: Locator | None = None
    catalogue: Callable[[Sequence[tuple[Skill, Reading]]], str] | None = None
    tool_name: Callable[[str], str] | None = None
    locates_only: str = ""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    excludes: frozenset[str] = frozenset()
