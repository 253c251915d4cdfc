"""`hatch-skills new`: a skill package from the template in this installation."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hatch_skills.command.scaffold import record_origin, render
from hatch_skills.core.findings import Misuse

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("new")
@click.argument("dest", type=click.Path(path_type=Path))
@click.option("--data", "-d", "data", multiple=True, metavar="KEY=VALUE", help="An answer; may be repeated.")
@click.option("--defaults", is_flag=True, help="Take the default of every question that is not answered.")
def command(dest: Path, data: tuple[str, ...], defaults: bool) -> None:
    """Make a package that ships a skill at DEST, named after DEST unless an answer says otherwise."""
    if dest.exists() and (not dest.is_dir() or any(dest.iterdir())):
        raise Misuse(f"{dest}: it is there already and not empty; name another directory")
    wrong = [item for item in data if "=" not in item]
    if wrong:
        raise Misuse(*(f"--data {item}: KEY=VALUE is needed" for item in wrong))
    answers = dict(item.split("=", 1) for item in data)
    answers.setdefault("skill_name", dest.resolve().name)
    ask = not defaults and sys.stdin.isatty()
    render(dest, answers, ask=ask)
    click.echo(f"{dest}: a package with the skill {answers['skill_name']}.")
    click.echo(record_origin(dest))
