"""`hatch-skills add`: one more skill in an existing project."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import click

from hatch_skills.command.scaffold import render
from hatch_skills.core.config import load_config
from hatch_skills.core.findings import Misuse
from hatch_skills.core.project import ROOT_SKILLS, home_package, load_project
from hatch_skills.core.staleness import project_name

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("add")
@click.argument("name")
@click.option("--description", help="One line: what the skill does, and when to use it.")
@click.option(
    "--project", default=".", type=click.Path(path_type=Path, exists=True, file_okay=False), help="The project's root."
)
def command(name: str, description: str | None, project: Path) -> None:
    """Add the skill NAME to a project, beside the skills that it has, with one test of its script.

    Nothing that is there is changed.
    """
    place = skills_directory(project) / name
    if place.exists():
        raise Misuse(f"{place}: it is there already")
    answers = {"skill_name": name, "layout": "root", "ci": "none"}
    if description is not None:
        answers["skill_description"] = description
    with tempfile.TemporaryDirectory(prefix="hatch-skills-") as scratch:
        rendered = Path(scratch) / "package"
        render(rendered, answers, ask=False)
        shutil.copytree(rendered / ROOT_SKILLS / name, place)
        click.echo(f"{place}: made from the template; write your own text into SKILL.md")
        (source,) = (rendered / "tests").glob("test_*.py")
        test = project / "tests" / f"test_{name.replace('-', '_')}.py"
        if test.exists():
            click.echo(f"{test}: left as it is")
        else:
            test.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, test)
            click.echo(f"{test}: one test of the script")


def skills_directory(root: Path) -> Path:
    """Where the layout of a project wants its skills: beside those it has, else in its package.

    Raises:
        Misuse: the project has no skill and no single package, so that the place cannot be told.
    """
    config = load_config(root)
    known = load_project(root, config).skills
    if known:
        return root / Path(known[0].root).parent
    if (root / ROOT_SKILLS).is_dir():
        return root / ROOT_SKILLS
    package = home_package(root, config, project_name(root)).replace(".", "/")
    base = root / "src" / package if (root / "src" / package).is_dir() else root / package
    return base / ".agents" / ROOT_SKILLS
