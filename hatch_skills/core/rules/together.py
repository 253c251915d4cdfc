"""SK7: all skills together."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hatch_skills.core.findings import Severity
from hatch_skills.core.rules.registry import Case, Flaw, rule

__all__ = ["Gathering"]


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Gathering:
    """All cases of one check; ``one_package`` is true where they belong to one distribution."""

    cases: Sequence[Case]
    one_package: bool = False


def _root(case: Case) -> str:
    """The directory of skills that a skill belongs to, so that copies for several clients are told apart."""
    before, found, _ = f"/{case.skill.root}/".rpartition("/skills/")
    return before if found else posixpath.dirname(case.skill.root)


@rule(
    "SK701",
    "duplicate-name",
    Severity.ERROR,
    hint="Rename one of them, or ignore SK701 with the reason why both are meant.",
    source="OVOS keeps the last one, library-skills installs neither",
    scope="all",
)
def duplicate_name(gathering: Gathering) -> Iterator[Flaw]:
    """Two skills have one name.

    OVOS keeps the last one without a word, library-skills then installs neither. Within one distribution this is an
    error; across the roots of a repository (`skills/`, `.claude/skills/`) copies are common, and it is a warning.
    """
    known: dict[tuple[str, str], list[Case]] = {}
    for case in gathering.cases:
        name = (case.skill.written("name") or "").strip()
        entry = case.skill.front_matter.entry("name")
        if not name or entry is None:
            continue
        others = known.setdefault((case.skill.archive, name), [])
        same = next((other for other in others if _root(other) == _root(case)), None)
        if others:
            whole = gathering.one_package or case.skill.archive
            other = same or others[0]
            yield Flaw(
                case.skill.at(entry.value_at),
                f"the name {name!r} is also that of {other.skill.path}",
                severity=None if same or whole else Severity.WARNING,
            )
        others.append(case)


@rule(
    "SK702",
    "tool-name-collision",
    Severity.ERROR,
    hint="Choose names that differ in their letters and digits, and hold some of a-z and 0-9.",
    source="ovos-agentic-loop 0.1.0, skills/toolbox.py",
    scope="all",
)
def tool_name_collision(gathering: Gathering) -> Iterator[Flaw]:
    """Two names become one tool name, or a name becomes none.

    A runtime that makes tools of skills folds everything but letters and digits: `a-b` and `a_b` are one tool, and a
    name without ASCII letters or digits is an empty one.
    """
    seen: dict[tuple[str, str, str], str] = {}
    for case in gathering.cases:
        for profile in case.profiles:
            reading = case.readings[profile.id]
            entry = case.skill.front_matter.entry("name")
            if profile.tool_name is None or not reading.accepted or reading.name is None or entry is None:
                continue
            tool = profile.tool_name(reading.name)
            where = case.skill.at(entry.value_at)
            if not tool:
                yield Flaw(
                    where,
                    f"{profile.title} makes an empty tool name of {reading.name!r}",
                    runtimes=(profile.id,),
                    severity=Severity.WARNING,
                )
            other = seen.get((case.skill.archive, profile.id, tool))
            if tool and other is not None and other != reading.name:
                yield Flaw(
                    where,
                    f"{profile.title} makes the tool name {tool!r} of {reading.name!r} and of {other!r}",
                    runtimes=(profile.id,),
                )
            seen.setdefault((case.skill.archive, profile.id, tool), reading.name)
