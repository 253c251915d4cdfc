"""What a rule is: one function, its identity, and the docstring that users read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hatch_skills.core.findings import Finding, Location, Severity
from hatch_skills.core.runtimes.profile import Profile, Reading
from hatch_skills.core.skill import Skill

__all__ = ["Case", "Flaw", "Rule", "registered", "rule"]


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Case:
    """What a rule over one skill is given: the skill, the profiles that apply to it, and their readings by id."""

    skill: Skill
    profiles: tuple[Profile, ...]
    readings: Mapping[str, Reading]

    def refusing(self) -> tuple[str, ...]:
        """The ids of the runtimes that do not take this skill."""
        return tuple(profile.id for profile in self.profiles if not self.readings[profile.id].accepted)


@dataclass(frozen=True, slots=True)
class Flaw:
    """What a rule yields; the engine makes a `Finding` of it.

    ``severity`` and ``hint`` replace those of the rule, ``source`` that of the rule; ``runtimes`` are those that the
    flaw is about, all of the selection if empty.
    """

    location: Location
    message: str
    hint: str = ""
    runtimes: tuple[str, ...] = ()
    severity: Severity | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One named check.

    ``scope`` is ``skill`` (called with a `Case` for each skill) or ``all`` (called once, with whatever the face
    compares). ``text`` is the docstring of the function: what is wrong, why it matters, the cure.
    """

    id: str
    name: str
    severity: Severity
    hint: str
    source: str
    scope: str
    function: Callable[..., Iterator[Flaw]] = field(repr=False)

    @property
    def family(self) -> str:
        """The module that the rule stands in."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def text(self) -> str:
        """What users read about the rule."""
        import inspect

        return inspect.cleandoc(self.function.__doc__ or "")

    def findings(self, subject: Any, profiles: tuple[Profile, ...]) -> Iterator[Finding]:
        """Run the rule and weigh each flaw: a runtime's own severity counts for its own flaws, or where higher."""
        for flaw in self.function(subject):
            base = flaw.severity or self.severity
            if flaw.runtimes:
                own = {profile.id: profile.severities.get(self.id, base) for profile in profiles}
                severity = max((own.get(runtime, base) for runtime in flaw.runtimes), default=base)
                runtimes = flaw.runtimes
            else:
                stricter = [p for p in profiles if p.severities.get(self.id, base) > base]
                severity = max((p.severities[self.id] for p in stricter), default=base)
                runtimes = tuple(profile.id for profile in stricter)
            yield Finding(
                flaw.location,
                self.id,
                self.name,
                severity,
                flaw.message,
                flaw.hint or self.hint,
                flaw.source or self.source,
                runtimes,
            )


_RULES: dict[str, Rule] = {}


def rule(
    id: str,  # noqa: A002 - the word of the field
    name: str,
    severity: Severity,
    *,
    hint: str,
    source: str,
    scope: str = "skill",
) -> Callable[[Callable[..., Iterator[Flaw]]], Callable[..., Iterator[Flaw]]]:
    """Register a rule; ids are never reused."""

    def register(function: Callable[..., Iterator[Flaw]]) -> Callable[..., Iterator[Flaw]]:
        if id in _RULES:
            raise ValueError(f"rule {id} stands twice")
        _RULES[id] = Rule(id, name, severity, hint, source, scope, function)
        return function

    return register


def registered() -> Mapping[str, Rule]:
    """Every registered rule by id."""
    return _RULES
