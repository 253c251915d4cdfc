"""An environment examined: what each runtime finds there, reads there, and stumbles over."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_skills.core.check import Checked, Report, finding, nothing_found
from hatch_skills.core.environment import Environment
from hatch_skills.core.findings import Finding, Location
from hatch_skills.core.runtimes import profiles
from hatch_skills.core.runtimes.distribution import Distribution, Found
from hatch_skills.core.runtimes.profile import Reading
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill

__all__ = ["Installation", "examine"]

_CLIENTS = (".agents", ".claude", ".codex", ".cursor", ".gemini")
"""Directories of clients that keep copies of skills, below the home directory or a project."""


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Installation:
    """What runtimes find in an environment: hits and readings (by runtime and path), and the report."""

    count: int
    found: Mapping[str, tuple[Found, ...]]
    readings: Mapping[tuple[str, str], Reading]
    report: Report


def examine(environment: Environment, runtimes: Sequence[str]) -> Installation:
    """Run the locators of `runtimes` over an environment, and their readers over what they find."""
    loaded: dict[str, Skill] = {}

    def read(path: str) -> Skill:
        if path not in loaded:
            loaded[path] = replace(load_skill(Path(path), path), origin="environment")
        return loaded[path]

    found: dict[str, tuple[Found, ...]] = {}
    readings: dict[tuple[str, str], Reading] = {}
    for runtime in profiles(tuple(runtimes)):
        assert runtime.locate is not None
        found[runtime.id] = runtime.locate(environment.distributions, read=read)
        for hit in found[runtime.id]:
            readings[runtime.id, hit.path] = runtime.read(read(hit.path))
    findings = [*_broken(environment.distributions), *_twice(environment.distributions)]
    findings += _stale_copies(found, read)
    checked = []
    for real in sorted({_real(hit) for hits in found.values() for hit in hits}):
        hits = {runtime: [hit for hit in found[runtime] if _real(hit) == real] for runtime in found}
        checked.append(
            Checked(
                read(real),
                {r: readings[r, hits[r][0].path] if hits[r] else profile_reading(r, read(real)) for r in found},
                {r: tuple(sorted({hit.via for hit in hits[r]})) for r in found},
                read(real).written("name"),
            )
        )
    if not checked:
        where = environment.prefix
        findings.append(nothing_found(where, f"among {len(environment.distributions)} distributions"))
    findings.sort(key=lambda item: item.order)
    report = Report(tuple(checked), tuple(findings), empty=not checked)
    return Installation(len(environment.distributions), found, readings, report)


def _shown(path: str) -> str:
    """A path as reports show it: relative where it lies below the working directory."""
    here = os.getcwd() + os.sep
    return path.removeprefix(here)


def _stale_copies(found: Mapping[str, tuple[Found, ...]], read: Callable[[str], Skill]) -> list[Finding]:
    """Copies of installed skills in the directories of clients that hold another text by now."""
    findings = []
    hits = {_real(hit): hit for group in found.values() for hit in group}
    for base in (Path.home(), Path.cwd()):
        for client in _CLIENTS:
            for real, hit in hits.items():
                skill = read(real)
                copy = base / client / "skills" / skill.directory / "SKILL.md"
                if copy.is_file() and os.path.realpath(copy) != real and copy.read_bytes() != skill.data:
                    where = f"{hit.distribution} {hit.version}"
                    findings.append(
                        finding("SK523", Location(_shown(str(copy))), f"the copy differs from the skill of {where}")
                    )
    return findings


def profile_reading(runtime: str, skill: Skill) -> Reading:
    """What a runtime would hold of a skill that it does not find by itself."""
    return profiles((runtime,))[0].read(skill)


def _real(hit: Found) -> str:
    return hit.real or os.path.realpath(hit.path)


def _broken(distributions: Sequence[Distribution]) -> list[Finding]:
    """Entry points that lead nowhere, and metadata that cannot be read."""
    findings = []
    for distribution in distributions:
        findings += [
            finding(
                "SK507",
                Location(os.path.join(_shown(distribution.metadata), "entry_points.txt")),
                f"the entry point `{point.name}` of {distribution.name} leads nowhere: {point.problem}",
                "Install the distribution again, or tell its authors.",
            )
            for point in distribution.entry_points
            if point.problem
        ]
        findings += [
            finding("SK521", Location(_shown(distribution.metadata)), problem) for problem in distribution.problems
        ]
    return findings


def _twice(distributions: Sequence[Distribution]) -> list[Finding]:
    """One project with two metadata directories."""
    first: dict[str, Distribution] = {}
    findings = []
    for distribution in sorted(distributions, key=lambda item: item.metadata):
        key = distribution.name.lower().replace("_", "-").replace(".", "-")
        other = first.setdefault(key, distribution)
        same_place = os.path.dirname(other.metadata) == os.path.dirname(distribution.metadata)
        if other is not distribution and same_place and not (other.legacy or distribution.legacy):
            findings.append(
                finding(
                    "SK522",
                    Location(_shown(other.metadata)),
                    f"{distribution.name} has two metadata directories ({other.version} and {distribution.version})",
                )
            )
    return findings
