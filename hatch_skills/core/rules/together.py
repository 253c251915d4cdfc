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
    """All cases of one check.

    ``one_package`` is true where they belong to one distribution; ``budget`` are the characters that a catalogue holds.
    """

    cases: Sequence[Case]
    one_package: bool = False
    budget: int = 8000


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


_OVERHEAD = 109
"""Characters that a client spends on a skill beside name and description, measured on listings of agents."""


@rule(
    "SK703",
    "catalogue-over-budget",
    Severity.WARNING,
    hint="Shorten the longest descriptions, or set tool.hatch-skills.catalogue-budget.",
    source="clients give all names and descriptions together 8,000 to 16,000 characters",
    scope="all",
)
def catalogue_over_budget(gathering: Gathering) -> Iterator[Flaw]:
    """All names and descriptions together need more room than a client gives them.

    Skills beyond the budget lose their description or are not listed, without a word. Counted are the characters of
    name and description, and about 109 more for each skill.
    """
    groups: dict[str, dict[str, tuple[int, Case]]] = {}
    for case in gathering.cases:
        name, description = case.skill.written("name"), case.skill.written("description")
        if name and description:
            size = len(name) + len(description) + _OVERHEAD
            groups.setdefault(case.skill.archive, {}).setdefault(name, (size, case))
    for skills in groups.values():
        total = sum(size for size, _ in skills.values())
        if total > gathering.budget:
            longest = sorted(skills.items(), key=lambda item: (-item[1][0], item[0]))[:3]
            yield Flaw(
                longest[0][1][1].skill.spot(),
                f"{len(skills)} skills need {total:,} characters in a catalogue, {gathering.budget:,} is a common "
                f"budget; the longest are {', '.join(name for name, _ in longest)}",
            )


@rule(
    "SK705",
    "unused-ignore",
    Severity.WARNING,
    hint="Delete the entry.",
    source="an exception that excepts nothing hides the next finding",
    scope="face",
)
def unused_ignore(_: object) -> Iterator[Flaw]:
    """An entry of `ignore` in `[tool.hatch-skills]` matches no finding.

    What it was written for is repaired by now, or the entry is misspelled.
    """
    yield from ()


@rule(
    "SK704",
    "duplicate-description",
    Severity.WARNING,
    hint="Say in each description what is different.",
    source="a model chooses by the description",
    scope="all",
)
def duplicate_description(gathering: Gathering) -> Iterator[Flaw]:
    """Two skills of different names have one description, word for word: a model cannot choose between them."""
    first: dict[tuple[str, str], Case] = {}
    for case in gathering.cases:
        description, entry = case.skill.written("description"), case.skill.front_matter.entry("description")
        if not description or not description.strip() or entry is None:
            continue
        other = first.setdefault((case.skill.archive, description.strip()), case)
        if other is not case and other.skill.written("name") != case.skill.written("name"):
            yield Flaw(case.skill.at(entry.value_at), f"the description is also that of {other.skill.path}")
