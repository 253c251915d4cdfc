"""`hatch-skills check`: findings for directories, SKILL.md files, wheels and sdists."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
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
from hatch_skills.core.check import Report, check, finding, nothing_found, unused
from hatch_skills.core.config import Selection
from hatch_skills.core.findings import Finding, Location, Misuse
from hatch_skills.core.project import load_project
from hatch_skills.core.quotation import find_key
from hatch_skills.core.runtimes.distribution import SKILL_GROUP
from hatch_skills.core.shipment import Shipment, accident, ship
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill, skills_below
from hatch_skills.core.version_control import why_ignored

__all__ = ["command"]

_MANY = 300


def __dir__() -> list[str]:
    return list(__all__)


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@runtime_option
@ignore_option
@strict_option
@click.option("--select", "selected", multiple=True, metavar="ID", help="Only this rule or prefix counts.")
@click.option("--show-ignored", is_flag=True, help="Show ignored findings with their reasons.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule.")
@format_option("text", "json", "github", "sarif")
def command(
    paths: tuple[Path, ...],
    runtimes: tuple[str, ...],
    ignored: tuple[str, ...],
    strict: bool,
    selected: tuple[str, ...],
    show_ignored: bool,
    statistics: bool,
    output: str,
) -> None:
    """Check skills in directories, SKILL.md files, wheels and sdists (default: the skills of this project).

    Given a project together with its wheel or sdist, it also tells what was lost on the way.
    """
    missing = [path for path in paths if not path.exists() and not path.is_symlink()]
    if missing:
        raise Misuse(*(f"{path}: there is no such file or directory" for path in missing))
    wishes = wishes_for(paths[0] if paths else Path(), runtimes, ignored)
    wrong = [key for key in selected if not key.startswith("SK")]
    if wrong:
        raise Misuse(*(f"--select {key}: a rule id such as SK304, or the beginning of one, is needed" for key in wrong))
    report = _check(paths, wishes, selected)
    finish(report, output, strict=strict, show_ignored=show_ignored, statistics=statistics)


def _check(paths: tuple[Path, ...], wishes: Wishes, selected: tuple[str, ...]) -> Report:
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
                archive = open_archive(path)
                archives.append(archive)
                skills += [s for s in archive.skills() if archive.kind == "wheel" or not accident(s.path)]
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
    with _progress(skills) as watched:
        report = check(
            watched,
            selection=selection,
            shipments=shipments,
            ignore=wishes.ignore,
            budget=wishes.config.catalogue_budget,
            select=selected,
        )
    whole = not selected and (not paths or (len(paths) == 1 and (paths[0] / "pyproject.toml").is_file()))
    extra = [*broken, *(_unused(wishes, report) if whole else ())]
    findings = tuple(sorted([*report.findings, *extra], key=lambda item: item.order))
    return replace(report, findings=findings)


def _progress(skills: list[Skill]) -> AbstractContextManager[Iterable[Skill]]:
    """A bar on standard error for long work at a terminal; the skills themselves elsewhere."""
    if len(skills) < _MANY or not sys.stderr.isatty():
        return nullcontext(skills)
    return click.progressbar(skills, label="checking", file=sys.stderr)


def _unused(wishes: Wishes, report: Report) -> list[Finding]:
    """Entries of `ignore` in the configuration that match nothing."""
    file = Path(wishes.config.path)
    found = []
    for key in unused(wishes.config.ignore, report):
        where = find_key(file, "tool.hatch-skills.ignore", key, file.as_posix()) or Location(file.as_posix())
        found.append(finding("SK705", where, f"`ignore` has {key!r}, which matches no finding"))
    return found


def _selection(wishes: Wishes, archives: list[Archive]) -> Selection:
    """OVOS counts by default where an archive registers skills with it."""
    if wishes.selection.explicit or "ovos" in wishes.selection.runtimes:
        return wishes.selection
    registered = any(SKILL_GROUP.encode() in (archive.file("entry_points.txt") or ("", b""))[1] for archive in archives)
    return Selection() if registered else wishes.selection


def _ship(archive: Archive, expected: list[Skill], selection: Selection, wishes: Wishes) -> Shipment:
    pyproject = Path(wishes.config.path) if expected and wishes.config.path else None
    shipment = ship(archive, selection=selection, expected=expected, why_lost=why_ignored, pyproject=pyproject)
    return shipment.promising() if wishes.hook and expected and archive.kind == "wheel" else shipment
