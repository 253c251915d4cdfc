"""`hatch-skills show`: what each runtime reads, and what its model is shown."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from hatch_skills.command.options import format_option, runtime_option
from hatch_skills.core.archive import ArchiveError, open_archive
from hatch_skills.core.check import Checked, Report, nothing_found
from hatch_skills.core.config import Selection, select_runtimes
from hatch_skills.core.display import rows
from hatch_skills.core.findings import Misuse
from hatch_skills.core.report import as_json, three_lines
from hatch_skills.core.runtimes import profiles, runtime_ids
from hatch_skills.core.runtimes.profile import Profile
from hatch_skills.core.shipment import ship
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import is_archive, load_skill, skills_below

__all__ = ["command"]

_COLOURS = {"ok": "green", "warned": "yellow", "refused": "red", "differs": "red"}


def __dir__() -> list[str]:
    return list(__all__)


@click.command("show")
@click.argument("path", type=click.Path(path_type=Path))
@runtime_option
@click.option("--catalogue", is_flag=True, help="Print what the model of each runtime is shown.")
@format_option("text", "json")
def command(path: Path, runtimes: tuple[str, ...], catalogue: bool, output: str) -> None:
    """Show what each runtime holds of the skills at PATH: a directory, a SKILL.md, a wheel or an sdist."""
    if not path.exists() and not path.is_symlink():
        raise Misuse(f"{path}: there is no such file or directory")
    for name in runtimes:
        select_runtimes((name,))
    chosen = profiles(tuple(dict.fromkeys(runtimes)) or runtime_ids())
    report = _report(path, chosen)
    if output == "json":
        click.echo(as_json(report, full=True))
    else:
        _print(report, catalogue)
    if report.empty:
        raise SystemExit(2)


def _report(path: Path, chosen: tuple[Profile, ...]) -> Report:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    if path.is_file() and is_archive(path):
        try:
            archive = open_archive(path)
            skills: Sequence[Skill] = archive.skills()
        except ArchiveError as error:
            raise Misuse(f"{path}: the archive cannot be read: {error}") from None
        if archive.kind == "wheel":
            shipment = ship(archive, selection=Selection(tuple(profile.id for profile in chosen), explicit=True))
            for skill in skills:
                found[skill.path] = {
                    runtime: tuple(sorted({hit.via for hit in hits if skill.path in (hit.path, hit.real)}))
                    for runtime, hits in shipment.found.items()
                }
    elif path.is_dir():
        skills = skills_below(path, "" if path == Path() else path.as_posix())
    else:
        skills = (load_skill(path, path.as_posix()),)
    if not skills:
        return Report((), (nothing_found(str(path), f"at {path}"),), empty=True)
    checked = tuple(
        Checked(
            skill, {profile.id: profile.read(skill) for profile in chosen}, found.get(skill.path), skill.written("name")
        )
        for skill in skills
    )
    return replace(Report(checked, ()), catalogues=_catalogues(checked, chosen))


def _catalogues(checked: tuple[Checked, ...], chosen: tuple[Profile, ...]) -> dict[str, str]:
    made = {}
    for profile in chosen:
        if profile.catalogue is not None:
            pairs = [(item.skill, item.readings[profile.id]) for item in checked if item.readings[profile.id].accepted]
            made[profile.id] = profile.catalogue(pairs)
    return made


def _print(report: Report, catalogue: bool) -> None:
    width = shutil.get_terminal_size((100, 24)).columns
    for finding in report.findings:
        click.echo(three_lines(finding))
    for number, item in enumerate(report.skills):
        if number:
            click.echo()
        for line in rows(item, width, _paint):
            click.echo(line)
    for runtime, text in report.catalogues.items() if catalogue else ():
        click.echo()
        click.secho(f"{runtime}: what its model is shown", bold=True)
        click.echo(text)


def _paint(text: str, role: str) -> str:
    if role == "path":
        return click.style(text, bold=True)
    if role == "quiet":
        return click.style(text, dim=True)
    return click.style(text, fg=_COLOURS[role])
