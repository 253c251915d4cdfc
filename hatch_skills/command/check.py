"""`hatch-skills check`: findings for directories, SKILL.md files, wheels and sdists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from hatch_skills.command.options import (
    Wishes,
    finish,
    format_option,
    ignore_option,
    runtime_option,
    strict_option,
    wishes_for,
)
from hatch_skills.core.archive import Archive, ArchiveError, is_archive, open_archive
from hatch_skills.core.check import Report, check, finding, nothing_found
from hatch_skills.core.config import Selection
from hatch_skills.core.findings import Finding, Location, Misuse
from hatch_skills.core.project import load_project
from hatch_skills.core.runtimes.distribution import SKILL_GROUP
from hatch_skills.core.shipment import Shipment, ship
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill, skills_below
from hatch_skills.core.version_control import why_ignored

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@runtime_option
@ignore_option
@strict_option
@format_option("text", "json")
def command(
    paths: tuple[Path, ...], runtimes: tuple[str, ...], ignored: tuple[str, ...], strict: bool, output: str
) -> None:
    """Check skills in directories, SKILL.md files, wheels and sdists (default: the skills of this project).

    Given a project together with its wheel or sdist, it also tells what was lost on the way.
    """
    missing = [path for path in paths if not path.exists() and not path.is_symlink()]
    if missing:
        raise Misuse(*(f"{path}: there is no such file or directory" for path in missing))
    wishes = wishes_for(paths[0] if paths else Path(), runtimes, ignored)
    finish(_check(paths, wishes), output, strict=strict)


def _check(paths: tuple[Path, ...], wishes: Wishes) -> Report:
    skills: list[Skill] = []
    archives: list[Archive] = []
    broken: list[Finding] = []
    expected: list[Skill] = []
    if not paths:
        project = load_project(Path(), wishes.config)
        if not project.skills:
            empty = nothing_found("pyproject.toml", project.looked, project.left_out)
            return Report((), (empty,), empty=not wishes.config.allow_empty)
        skills += project.skills
    for path in paths:
        if path.is_file() and is_archive(path):
            try:
                archives.append(open_archive(path))
                skills += archives[-1].skills()
            except ArchiveError as error:
                broken.append(finding("SK513", Location(path.as_posix()), f"the archive cannot be read: {error}"))
        elif path.is_dir():
            shown = "" if path == Path() else path.as_posix()
            skills += skills_below(path, shown)
            expected += load_project(path, wishes.config, shown=shown).skills
        else:
            skills.append(load_skill(path, path.as_posix()))
    if not skills and not broken:
        looked = "below " + ", ".join(str(path) for path in paths)
        return Report((), (nothing_found(str(paths[0]), looked),), empty=True)
    selection = _selection(wishes, archives)
    shipments = [_ship(archive, expected, selection, wishes) for archive in archives]
    report = check(skills, selection=selection, shipments=shipments, ignore=wishes.ignore)
    findings = tuple(sorted([*report.findings, *broken], key=lambda item: item.order))
    return replace(report, findings=findings)


def _selection(wishes: Wishes, archives: list[Archive]) -> Selection:
    """OVOS counts by default where an archive registers skills with it."""
    if wishes.selection.explicit or "ovos" in wishes.selection.runtimes:
        return wishes.selection
    registered = any(SKILL_GROUP.encode() in (archive.file("entry_points.txt") or ("", b""))[1] for archive in archives)
    return Selection() if registered else wishes.selection


def _ship(archive: Archive, expected: list[Skill], selection: Selection, wishes: Wishes) -> Shipment:
    shipment = ship(archive, selection=selection, expected=expected, why_lost=why_ignored)
    if wishes.hook and expected and archive.kind == "wheel":
        promised = {
            (wanted.written("name") or "").strip(): shipped.path for wanted, shipped in shipment.pairs if shipped
        }
        promised.pop("", None)
        return replace(shipment, registered=promised)
    return shipment
