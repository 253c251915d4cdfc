"""`hatch-skills installed`: the skills that each runtime finds in an environment."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from hatch_skills.command.options import format_option, runtime_option
from hatch_skills.core.config import select_runtimes
from hatch_skills.core.environment import ask_environment, find_interpreter
from hatch_skills.core.installation import Installation, examine
from hatch_skills.core.report import as_json, three_lines
from hatch_skills.core.runtimes import profile, runtime_ids
from hatch_skills.core.staleness import installed_project, missing_entry_points

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("installed")
@click.option("--python", type=click.Path(path_type=Path), help="An interpreter or a virtual environment to search.")
@click.option(
    "--path", "paths", multiple=True, type=click.Path(path_type=Path), help="A site-packages directory to search."
)
@runtime_option
@format_option("text", "json")
def command(python: Path | None, paths: tuple[Path, ...], runtimes: tuple[str, ...], output: str) -> None:
    """List the skills that each runtime finds among installed distributions, and how."""
    for name in runtimes:
        select_runtimes((name,))
    searching = tuple(name for name in runtimes or runtime_ids() if profile(name).locate is not None)
    where = [os.path.abspath(path) for path in paths]
    if not where and python is None:
        here = os.path.abspath(os.path.dirname(sys.argv[0]))
        where = [path for path in sys.path if path and os.path.isdir(path) and os.path.abspath(path) != here]
    interpreter = find_interpreter(python) if python else None
    environment = ask_environment(interpreter, where)
    examined = examine(environment, searching)
    mine = installed_project(environment, Path()) if not paths else None
    if mine is not None:
        stale = (*examined.report.findings, *missing_entry_points(Path(), mine))
        examined = replace(examined, report=replace(examined.report, findings=stale))
    if output == "json":
        click.echo(as_json(examined.report))
    else:
        _print(examined, where if paths else [environment.prefix])
    if examined.report.empty:
        raise SystemExit(2)
    if examined.report.failed:
        raise SystemExit(1)


def _print(examined: Installation, where: list[str]) -> None:
    click.echo(f"{', '.join(where)}: {examined.count} distributions")
    for finding in examined.report.findings:
        click.echo(three_lines(finding))
    for runtime, hits in examined.found.items():
        title = profile(runtime).title
        click.echo(f"\n{title} finds {len(hits)} skill{'' if len(hits) == 1 else 's'}")
        for hit in hits:
            reading = examined.readings[runtime, hit.path]
            state = reading.name if reading.accepted else f"not taken: {reading.detail}"
            click.echo(f"  {state}  ({hit.distribution} {hit.version}, by {hit.via})")
            click.echo(f"    {hit.path}")
    if examined.report.empty:
        click.echo("Another environment is searched with --python PATH.")
