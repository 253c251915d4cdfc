"""The only way to a verdict: skills in, readings and findings out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hatch_skills.core.config import Selection
from hatch_skills.core.findings import Finding, Location, Severity
from hatch_skills.core.rules import Case, rules
from hatch_skills.core.rules.together import Card, Gathering, card_of
from hatch_skills.core.runtimes import profiles
from hatch_skills.core.runtimes.distribution import Found
from hatch_skills.core.runtimes.profile import Profile, Reading
from hatch_skills.core.skill import Skill

if TYPE_CHECKING:
    from hatch_skills.core.shipment import Shipment

__all__ = ["Checked", "Report", "applies", "check", "finding", "nothing_found", "unused"]


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Checked:
    """One skill with what each runtime holds of it.

    ``found`` maps a runtime to the ways by which it finds the file; ``name`` is the name that was written. The skill of
    a report is without its text, so that a report of many stays small.
    """

    skill: Skill
    readings: Mapping[str, Reading]
    found: Mapping[str, tuple[str, ...]] | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict: skills and findings sorted by place; ``ignored`` findings carry the reason."""

    skills: tuple[Checked, ...]
    findings: tuple[Finding, ...]
    ignored: tuple[tuple[Finding, str], ...] = ()
    catalogues: Mapping[str, str] = field(default_factory=dict)
    empty: bool = False

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def failed(self) -> bool:
        """There is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def applies(profile: Profile, skill: Skill, selection: Selection) -> bool:
    """A runtime counts for a skill: it was named, or the skill lies where the runtime looks."""
    if selection.explicit or not profile.locates_only:
        return True
    return profile.locates_only.partition("<")[0] in f"/{skill.path}"


def check(
    skills: Iterable[Skill],
    *,
    selection: Selection | None = None,
    shipments: Sequence[Shipment] = (),
    ignore: Mapping[str, str] | None = None,
    one_package: bool = False,
    budget: int = 8000,
    select: Sequence[str] = (),
) -> Report:
    """Judge skills, and archives if there are any.

    Args:
        skills: what is to be read and judged one by one.
        selection: the runtimes to be satisfied; the default of a package with the build hook if None.
        shipments: archives with what was expected in them.
        ignore: rule id or prefix, optionally with ``:`` and a path pattern, to the reason.
        one_package: the skills belong to one distribution, so that one name twice is an error.
        select: rule ids or prefixes; if given, no other rule counts.
        budget: characters that names and descriptions may need together.

    Returns:
        the report; nothing of a skill is executed, and bad content is a finding, never an exception.
    """
    chosen = selection or Selection()
    selected = profiles(chosen.runtimes)
    ways = _ways(shipments)
    findings: list[Finding] = []
    catalogue = rules(archives=bool(shipments))
    single = tuple(item for item in catalogue.values() if item.scope == "skill" and item.id != "SK402")
    cards: list[Card] = []
    checked: list[Checked] = []
    for skill in skills:
        case = _case(skill, selected, chosen)
        found = [finding for item in single for finding in item.findings(case, case.profiles)]
        findings += found
        if not any(finding.rule < "SK3" and finding.severity is Severity.ERROR for finding in found):
            findings += _refusals(case, found)
        cards.append(card_of(case))
        readings = {name: replace(reading, body=None, fields={}) for name, reading in case.readings.items()}
        light = replace(skill, data=b"", collect=dict)
        checked.append(Checked(light, readings, ways.get((skill.archive, skill.path)), skill.written("name")))
    gathering = Gathering(cards, one_package, budget)
    for item in catalogue.values():
        if item.scope == "all":
            findings.extend(item.findings(gathering, selected))
        elif item.scope == "archive":
            for shipment in shipments:
                findings.extend(item.findings(shipment, shipment.profiles))
    if select:
        findings = [finding for finding in findings if finding.rule.startswith(tuple(select))]
    kept, ignored = _sift(findings, ignore or {})
    return Report(tuple(checked), kept, ignored)


def _case(skill: Skill, selected: Sequence[Profile], selection: Selection) -> Case:
    chosen = tuple(profile for profile in selected if applies(profile, skill, selection))
    return Case(skill, chosen, {profile.id: profile.read(skill) for profile in chosen})


def _refusals(case: Case, found: Sequence[Finding]) -> Iterator[Finding]:
    """Refusals that no other finding explains: a warning of SK1 or SK2 explains one that is itself a warning."""
    hints = any(finding.rule < "SK3" for finding in found)
    for finding in rules(archives=False)["SK402"].findings(case, case.profiles):
        if finding.severity is Severity.ERROR or not hints:
            yield finding


def _ways(shipments: Sequence[Shipment]) -> dict[tuple[str, str], dict[str, tuple[str, ...]]]:
    ways: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for shipment in shipments:
        for skill in shipment.skills:
            ways[skill.archive, skill.path] = {
                runtime: _vias(found, skill.path) for runtime, found in shipment.found.items()
            }
    return ways


def _vias(found: Iterable[Found], path: str) -> tuple[str, ...]:
    return tuple(sorted({hit.via for hit in found if path in (hit.path, hit.real)}))


def _sift(
    findings: Iterable[Finding], ignore: Mapping[str, str]
) -> tuple[tuple[Finding, ...], tuple[tuple[Finding, str], ...]]:
    kept, ignored = [], []
    for finding in sorted(set(findings), key=lambda finding: finding.order):
        reason = next((why for key, why in ignore.items() if _matches(finding, key)), None)
        if reason is None:
            kept.append(finding)
        else:
            ignored.append((finding, reason))
    return tuple(kept), tuple(ignored)


def _matches(finding: Finding, key: str) -> bool:
    rule, _, pattern = key.partition(":")
    if not finding.rule.startswith(rule):
        return False
    if not pattern:
        return True
    expression = re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    return re.search(rf"(?:\A|/){expression}(?:/|\Z)", finding.location.path) is not None


def unused(ignore: Mapping[str, str], report: Report) -> tuple[str, ...]:
    """The keys of `ignore` that match no finding of a report."""
    return tuple(key for key in ignore if not any(_matches(finding, key) for finding, _ in report.ignored))


def finding(rule: str, location: Location, message: str, hint: str = "", severity: Severity | None = None) -> Finding:
    """A finding of a rule that is not about content, made by a face or the proof."""
    known = rules(archives=rule[:3] == "SK5")[rule]
    return Finding(location, rule, known.name, severity or known.severity, message, hint or known.hint, known.source)


def nothing_found(where: str, looked: str, left_out: Sequence[tuple[str, str]] = ()) -> Finding:
    """The finding for a search without a result: never green by silence."""
    message = f"no skill was found {looked}"
    if left_out:
        path, why = left_out[0]
        more = f" and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        message += f"; {path} does not count: {why}{more}"
    return finding("SK500", Location(where), message)
