"""`hatch-skills prove`: build, install into a clean place and probe, without pytest."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import click

from hatch_skills.command.options import finish, format_option, ignore_option, runtime_option, strict_option, wishes_for
from hatch_skills.core.check import Report, check, nothing_found
from hatch_skills.core.display import tabulated
from hatch_skills.core.findings import Misuse
from hatch_skills.core.project import load_project
from hatch_skills.core.proof import BuildFailed, Proof, can_build, failure, prove

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("prove")
@click.argument("project", default=".", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--wheel", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A finished wheel to prove."
)
@runtime_option
@ignore_option
@strict_option
@format_option("text", "json")
def command(
    project: Path, wheel: Path | None, runtimes: tuple[str, ...], ignored: tuple[str, ...], strict: bool, output: str
) -> None:
    """Build PROJECT with its own backend, install the wheel into a clean place, and ask who finds its skills.

    PROJECT may be a finished wheel of the project in the current directory.
    """
    if project.is_file():
        if project.suffix != ".whl" or wheel is not None:
            raise Misuse(f"{project}: a project's directory or a wheel is needed")
        project, wheel = Path(), project
    wishes = wishes_for(project, runtimes, ignored)
    found = load_project(project, wishes.config, shown="" if project == Path() else project.as_posix())
    if wheel is None and not can_build(project):
        raise Misuse(f"{project}: there is no pyproject.toml and no setup.py, so that nothing can be built")
    report = check(
        found.skills,
        selection=wishes.selection,
        ignore=wishes.ignore,
        one_package=True,
        budget=wishes.config.catalogue_budget,
    )
    with tempfile.TemporaryDirectory(prefix="hatch-skills-") as scratch:
        try:
            proof = prove(found, wishes.selection, Path(scratch), wheel=wheel)
        except BuildFailed as failed:
            click.echo(str(failed), err=True)
            finish(replace(report, findings=(*report.findings, failure(project, failed))), output)
            return
        if not found.skills and not proof.report.skills:
            lost = nothing_found((project / "pyproject.toml").as_posix(), found.looked, found.left_out)
            finish(Report((), (lost,), empty=not wishes.config.allow_empty), output)
            return
        merged = _merged(report, proof)
        if output == "text":
            _tabulate(merged)
        finish(merged, output, strict=strict)


def _tabulate(report: Report) -> None:
    """Skill, runtime, and the ways by which the skill was found after installation."""
    table = [("skill", "runtime", "found by")]
    for item in report.skills:
        found = item.found or {}
        table += [
            (item.name or item.skill.directory, r, ", ".join(via) or "nothing") for r, via in sorted(found.items())
        ]
    for line in tabulated(table, shutil.get_terminal_size((100, 24)).columns):
        click.echo(line)


def _merged(report: Report, proof: Proof) -> Report:
    """The verdict on the tree and the proof in one report, each skill with the ways by which it is found."""
    skills = [checked.skill for checked in report.skills]
    findings = {*report.findings, *proof.report.findings}
    findings.update(item for skill in skills for item in proof.of_installed(skill))
    checked = [
        replace(
            item,
            found={
                runtime: tuple(sorted({hit.via for hit in hits if _same(hit.path, proof.installed(item.skill))}))
                for runtime, hits in proof.found.items()
            },
        )
        for item in report.skills
    ]
    merged = tuple(sorted(findings, key=lambda item: item.order))
    return replace(report, skills=(*checked, *proof.report.skills), findings=merged)


def _same(path: str, installed: str | None) -> bool:
    return installed is not None and Path(path).resolve() == Path(installed)
