"""An archive beside what was expected in it: which skill became which member, and who finds it there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hatch_skills.core.archive import Archive
from hatch_skills.core.config import Selection
from hatch_skills.core.runtimes import profiles
from hatch_skills.core.runtimes.distribution import Distribution, Found
from hatch_skills.core.runtimes.profile import Profile
from hatch_skills.core.skill import Skill

__all__ = ["Shipment", "accident", "locate_all", "ship"]

_ACCIDENTS = frozenset({"tests", "test", "docs", "doc", "examples", "example", "fixtures", "licenses"})


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True)
class Shipment:
    """What was shipped and what was meant.

    ``skills`` are those of the archive, ``pairs`` each expected skill with its counterpart there (None if it was
    lost), ``found`` what each runtime that searches packages finds. ``registered`` maps the names of promised entry
    points to the path that each has to lead to. ``excluded`` are relative paths, by the path of the expected skill,
    that the author excluded by name. ``pyproject`` is the file whose lines may be quoted. ``why_lost`` names the
    cause for a lost path of the tree, empty if unknown.
    """

    archive: Archive
    skills: tuple[Skill, ...]
    selection: Selection
    profiles: tuple[Profile, ...]
    distribution: Distribution
    pairs: tuple[tuple[Skill, Skill | None], ...] = ()
    found: Mapping[str, tuple[Found, ...]] = field(default_factory=dict)
    registered: Mapping[str, str] = field(default_factory=dict)
    excluded: Mapping[str, frozenset[str]] = field(default_factory=dict)
    why_lost: Callable[[str], str] = field(default=lambda _path: "", compare=False)
    pyproject: Path | None = None

    @property
    def meant(self) -> Mapping[str, Skill]:
        """The expected skill by the path of its counterpart in the archive."""
        return {shipped.path: wanted for wanted, shipped in self.pairs if shipped is not None}

    def promising(self) -> Shipment:
        """The same, with the entry points that the build hook promises: one for each skill that arrived."""
        promised = {(wanted.written("name") or "").strip(): got.path for wanted, got in self.pairs if got}
        promised.pop("", None)
        return replace(self, registered=promised)


def accident(path: str) -> str:
    """The directory that shows that a SKILL.md at `path` of an archive was not meant to be a skill; or nothing."""
    parts = path.split("/")[:-2]
    for before, part in zip(["", *parts], parts, strict=False):
        if part in _ACCIDENTS and before != "skills":
            return part
    return ""


def ship(
    archive: Archive,
    *,
    selection: Selection,
    expected: Sequence[Skill] = (),
    targets: Mapping[str, str] | None = None,
    registered: Mapping[str, str] | None = None,
    excluded: Mapping[str, frozenset[str]] | None = None,
    why_lost: Callable[[str], str] | None = None,
    pyproject: Path | None = None,
) -> Shipment:
    """Lay an archive beside the skills that were expected in it.

    Args:
        archive: a wheel or an sdist.
        selection: the runtimes to be satisfied.
        expected: skills of the tree.
        targets: the path in the archive for the path of an expected skill, where the backend's rule is known;
            otherwise the counterpart is found by path, bytes and directory name.
        registered: see `Shipment`.
        excluded: see `Shipment`.
        why_lost: see `Shipment`.
        pyproject: see `Shipment`.
    """
    shipped = archive.skills()
    chosen = profiles(selection.runtimes)
    distribution = archive.distribution() if archive.kind == "wheel" else Distribution("", "", "")
    found = locate_all([distribution], chosen) if archive.kind == "wheel" else {}
    return Shipment(
        archive,
        shipped,
        selection,
        chosen,
        distribution,
        _pair(expected, shipped, archive, targets or {}),
        found,
        registered or {},
        excluded or {},
        why_lost or (lambda _path: ""),
        pyproject,
    )


def locate_all(distributions: Sequence[Distribution], chosen: Sequence[Profile]) -> Mapping[str, tuple[Found, ...]]:
    """What each of the runtimes that search packages finds among distributions."""
    return {profile.id: profile.locate(distributions) for profile in chosen if profile.locate is not None}


def _pair(
    expected: Sequence[Skill], shipped: Sequence[Skill], archive: Archive, targets: Mapping[str, str]
) -> tuple[tuple[Skill, Skill | None], ...]:
    """Each expected skill with the member that it became: by its known target, its path, its bytes, its directory."""
    free = {skill.path: skill for skill in shipped if ".data/" not in skill.path}
    pairs: list[tuple[Skill, Skill | None]] = []
    open_ones: list[Skill] = []
    for wanted in expected:
        shapes = [targets[wanted.path]] if wanted.path in targets else _shapes(wanted, archive)
        hit = next((shape for shape in shapes if shape in free), None)
        if hit is not None:
            pairs.append((wanted, free.pop(hit)))
        elif wanted.path in targets:
            pairs.append((wanted, None))
        else:
            open_ones.append(wanted)
    for by in (_same_bytes, _same_directory):
        for wanted in list(open_ones):
            hit = next((path for path, skill in free.items() if by(wanted, skill)), None)
            if hit is not None:
                open_ones.remove(wanted)
                pairs.append((wanted, free.pop(hit)))
    pairs += [(wanted, None) for wanted in open_ones]
    return tuple(sorted(pairs, key=lambda pair: pair[0].path))


def _shapes(skill: Skill, archive: Archive) -> list[str]:
    """Where a skill of the tree lies in an archive by convention."""
    path = posixpath.normpath(skill.relative or skill.path)
    if archive.kind == "sdist":
        return [f"{archive.top}/{path}" if archive.top else path]
    parts = path.split("/")
    return ["/".join(parts[depth:]) for depth in range(len(parts) - 2)]


def _same_bytes(wanted: Skill, shipped: Skill) -> bool:
    return wanted.data == shipped.data


def _same_directory(wanted: Skill, shipped: Skill) -> bool:
    return wanted.directory == shipped.directory and not accident(shipped.path)
