"""`hatch-skills check`: findings for directories, SKILL.md files, wheels and sdists."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

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
from hatch_skills.core.check import Report, check, finding, nothing_found, unused
from hatch_skills.core.config import Selection
from hatch_skills.core.findings import Finding, Location, Misuse
from hatch_skills.core.project import load_project
from hatch_skills.core.quotation import find_key
from hatch_skills.core.runtimes.distribution import SKILL_GROUP
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import is_archive, load_skill, skills_below

if TYPE_CHECKING:
    from hatch_skills.core.archive import Archive
    from hatch_skills.core.shipment import Shipment

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
    sources: list[Sequence[Skill]] = []
    archives: list[Archive] = []
    broken: list[Finding] = []
    if not paths:
        project = load_project(Path(), wishes.config)
        if not project.skills:
            empty = nothing_found("pyproject.toml", project.looked, project.left_out)
            return Report((), (empty,), empty=not wishes.config.allow_empty)
        sources.append(project.skills)
    for path in paths:
        if path.is_file() and is_archive(path):
            archive = _opened(path, broken)
            archives += archive
            sources += [_shipped(item) for item in archive]
        elif path.is_dir():
            sources.append(skills_below(path, _shown(path)))
        else:
            sources.append((load_skill(path, path.as_posix()),))
    count = sum(len(source) for source in sources)
    if not count and not broken:
        looked = "below " + ", ".join(str(path) for path in paths)
        return Report((), (nothing_found(str(paths[0]), looked),), empty=True)
    selection = _selection(wishes, archives)
    shipments = _ship(archives, paths, selection, wishes) if archives else []
    with _progress(chain.from_iterable(sources), count) as watched:
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


def _shown(path: Path) -> str:
    return "" if path == Path() else path.as_posix()


def _opened(path: Path, broken: list[Finding]) -> list[Archive]:
    """The archive at `path`, or none and a finding that says why."""
    from hatch_skills.core.archive import ArchiveError, open_archive

    try:
        archive = open_archive(path)
        archive.skills()
    except ArchiveError as error:
        broken.append(finding("SK513", Location(path.as_posix()), f"the archive cannot be read: {error}"))
        return []
    return [archive]


def _shipped(archive: Archive) -> Sequence[Skill]:
    """The skills of an archive; of an sdist not its test material, which nobody installs."""
    from hatch_skills.core.shipment import accident

    return [skill for skill in archive.skills() if archive.kind == "wheel" or not accident(skill.path)]


def _progress(skills: Iterable[Skill], count: int) -> AbstractContextManager[Iterable[Skill]]:
    """A bar on standard error for long work at a terminal; the skills themselves elsewhere."""
    if count < _MANY or not sys.stderr.isatty():
        return nullcontext(skills)
    return click.progressbar(skills, length=count, label="checking", file=sys.stderr)


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


def _ship(archives: list[Archive], paths: tuple[Path, ...], selection: Selection, wishes: Wishes) -> list[Shipment]:
    """Each archive beside the skills of the projects that were given with it."""
    from hatch_skills.core.shipment import ship
    from hatch_skills.core.version_control import why_ignored

    trees = [path for path in paths if path.is_dir()]
    expected = [skill for path in trees for skill in load_project(path, wishes.config, shown=_shown(path)).skills]
    packed = [] if trees else [skill for item in archives if item.kind == "sdist" for skill in _meant(item)]
    pyproject = Path(wishes.config.path) if expected and wishes.config.path else None
    shipments = [
        ship(
            archive,
            selection=selection,
            expected=expected or (packed if archive.kind == "wheel" else ()),
            why_lost=why_ignored,
            pyproject=pyproject,
        )
        for archive in archives
    ]
    promise = wishes.hook and bool(expected)
    return [item.promising() if promise and item.archive.kind == "wheel" else item for item in shipments]


def _meant(sdist: Archive) -> list[Skill]:
    """The skills of an sdist that a wheel made from it has to hold, with their paths as in the project."""
    skills = [replace(skill, relative=skill.path.partition("/")[2]) for skill in _shipped(sdist)]
    return [skill for skill in skills if not skill.relative.startswith(".")]
