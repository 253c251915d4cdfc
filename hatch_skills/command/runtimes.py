"""`hatch-skills runtimes`: the table of profiles."""

from __future__ import annotations

import json
import shutil

import click

from hatch_skills.command.options import format_option
from hatch_skills.core.display import tabulated
from hatch_skills.core.runtimes import profiles

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("runtimes")
@format_option("text", "json")
def command(output: str) -> None:
    """List the runtimes: what was looked at, and how each searches for skills."""
    known = profiles()
    if output == "json":
        rows = [
            {
                "id": profile.id,
                "title": profile.title,
                "looked_at": profile.looked_at,
                "source": profile.source,
                "searches": profile.searches,
                "duplicates": profile.duplicates,
                "excludes": sorted(profile.excludes),
            }
            for profile in known
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    table = [("id", "looked at", "searches")]
    table += [(profile.id, profile.looked_at, profile.searches) for profile in known]
    for line in tabulated(table, shutil.get_terminal_size((120, 24)).columns):
        click.echo(line)
