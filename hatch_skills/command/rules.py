"""`hatch-skills rules`: the list of rules."""

from __future__ import annotations

import json
import shutil

import click

from hatch_skills.command.options import format_option
from hatch_skills.core.display import tabulated
from hatch_skills.core.rules import rules

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("rules")
@format_option("text", "json")
def command(output: str) -> None:
    """List the rules: id, name, severity, and what is wrong."""
    known = rules().values()
    if output == "json":
        keys = ("id", "name", "hint", "source", "text")
        rows = [{**{key: getattr(item, key) for key in keys}, "severity": item.severity.word} for item in known]
        click.echo(json.dumps(rows, indent=2))
        return
    table = [(item.id, item.name, item.severity.word, item.text.partition("\n")[0]) for item in known]
    for line in tabulated(table, shutil.get_terminal_size((120, 24)).columns):
        click.echo(line)
