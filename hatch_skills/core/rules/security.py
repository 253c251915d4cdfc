"""SK6: what a skill could smuggle in or give away."""

from __future__ import annotations

from collections.abc import Iterator

from hatch_skills.core.findings import Location, Severity
from hatch_skills.core.rules.registry import Case, Flaw, rule

__all__: list[str] = []


def __dir__() -> list[str]:
    return list(__all__)


@rule(
    "SK601",
    "link-out-of-skill",
    Severity.ERROR,
    hint="Put a copy of the file there, or leave it out.",
    source="a link that is followed carries a file of the host into the archive",
)
def link_out_of_skill(case: Case) -> Iterator[Flaw]:
    """A symbolic link of the skill leads out of it.

    Whoever copies or packs the skill follows the link and takes a file of the host along, or finds nothing there. Its
    content is never read here.
    """
    for path, member in case.skill.members.items():
        if member.kind == "link" and member.outside:
            yield Flaw(
                Location(case.skill.place(path), archive=case.skill.archive),
                f"the link {path!r} leaves the skill (to {member.target!r})",
            )
