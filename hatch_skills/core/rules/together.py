"""SK7: all skills together."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hatch_skills.core.findings import Location, Severity
from hatch_skills.core.rules.registry import Case, Flaw, rule
from hatch_skills.core.runtimes.profile import Profile

__all__ = ["Card", "Gathering", "card_of"]


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Card:
    """What is kept of one case for the look over all: its texts, their places, and names that become tool names.

    ``held`` maps the profiles that make tool names to the name that the runtime holds.
    """

    path: str
    archive: str
    name: str
    name_at: Location
    description: str
    description_at: Location
    held: tuple[tuple[Profile, str], ...]

    @property
    def root(self) -> str:
        """The directory of skills that a skill belongs to, so that copies for several clients are told apart."""
        directory = posixpath.dirname(self.path)
        before, found, _ = f"/{directory}/".rpartition("/skills/")
        return before if found else posixpath.dirname(directory)


def card_of(case: Case) -> Card:
    """The card of a case; texts are empty where there is no scalar of that name."""
    skill = case.skill
    name, description = skill.front_matter.entry("name"), skill.front_matter.entry("description")
    held = tuple(
        (profile, reading.name)
        for profile in case.profiles
        for reading in (case.readings[profile.id],)
        if profile.tool_name is not None and reading.accepted and reading.name is not None
    )
    return Card(
        skill.path,
        skill.archive,
        (skill.written("name") or "").strip(),
        skill.at(name.value_at) if name else skill.spot(),
        (skill.written("description") or "").strip(),
        skill.at(description.value_at) if description else skill.spot(),
        held,
    )


@dataclass(frozen=True, slots=True)
class Gathering:
    """All cases of one check.

    ``one_package`` is true where they belong to one distribution; ``budget`` are the characters that a catalogue holds.
    """

    cards: Sequence[Card]
    one_package: bool = False
    budget: int = 8000


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
    known: dict[tuple[str, str], list[Card]] = {}
    for card in gathering.cards:
        if not card.name:
            continue
        others = known.setdefault((card.archive, card.name), [])
        same = next((other for other in others if other.root == card.root), None)
        if others:
            whole = gathering.one_package or card.archive
            yield Flaw(
                card.name_at,
                f"the name {card.name!r} is also that of {(same or others[0]).path}",
                severity=None if same or whole else Severity.WARNING,
            )
        others.append(card)


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
    for card in gathering.cards:
        for profile, name in card.held:
            assert profile.tool_name is not None
            tool = profile.tool_name(name)
            if not tool:
                message = f"{profile.title} makes an empty tool name of {name!r}"
                yield Flaw(card.name_at, message, runtimes=(profile.id,), severity=Severity.WARNING)
                continue
            other = seen.setdefault((card.archive, profile.id, tool), name)
            if other != name:
                message = f"{profile.title} makes the tool name {tool!r} of {name!r} and of {other!r}"
                yield Flaw(card.name_at, message, runtimes=(profile.id,))


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
    groups: dict[str, dict[str, Card]] = {}
    for card in gathering.cards:
        if card.name and card.description:
            groups.setdefault(card.archive, {}).setdefault(card.name, card)
    for cards in groups.values():
        total = sum(len(card.name) + len(card.description) + _OVERHEAD for card in cards.values())
        if total > gathering.budget:
            longest = sorted(cards.values(), key=lambda card: (-len(card.description), card.name))[:3]
            yield Flaw(
                Location(longest[0].path, archive=longest[0].archive),
                f"{len(cards)} skills need {total:,} characters in a catalogue, {gathering.budget:,} is a common "
                f"budget; the longest are {', '.join(card.name for card in longest)}",
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
    first: dict[tuple[str, str], Card] = {}
    for card in gathering.cards:
        if not card.description:
            continue
        other = first.setdefault((card.archive, card.description), card)
        if other is not card and other.name != card.name:
            yield Flaw(card.description_at, f"the description is also that of {other.path}")
