"""What an installed project has of its skills, against the tree that it was installed from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from hatch_skills.core.check import applies, finding
from hatch_skills.core.config import Selection, read_toml
from hatch_skills.core.environment import Environment
from hatch_skills.core.findings import Finding, Location
from hatch_skills.core.project import Project
from hatch_skills.core.quotation import find_key
from hatch_skills.core.runtimes import profiles
from hatch_skills.core.runtimes.distribution import SKILL_GROUP, Distribution
from hatch_skills.core.skill import Skill

__all__ = ["installed_project", "missing_entry_points", "project_name", "stale_skill"]


def __dir__() -> list[str]:
    return list(__all__)


def project_name(root: Path) -> str:
    """The name that a `pyproject.toml` declares; empty where it declares none."""
    project = read_toml(root / "pyproject.toml").get("project", {})
    name = project.get("name", "") if isinstance(project, dict) else ""
    return name if isinstance(name, str) else ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def installed_project(environment: Environment, root: Path) -> Distribution | None:
    """The distribution of an environment that carries the name of the project at `root`."""
    name = _normal(project_name(root))
    found = [item for item in environment.distributions if name and _normal(item.name) == name and not item.legacy]
    return found[0] if found else None


def stale_skill(
    skill: Skill, project: Project, selection: Selection, environment: Environment, installed: Distribution
) -> Iterator[Finding]:
    """Who does not find a skill of the tree in the environment, or finds another text, and what renews it."""
    assert skill.source is not None
    editable = installed.editable is not None
    renew = "pip install -e ." if editable else "pip install ."
    kind = "editable" if editable else "installed"
    source = os.path.realpath(skill.source)
    for profile in profiles(selection.runtimes):
        if profile.locate is None or not applies(profile, skill, selection):
            continue
        hits = [hit for hit in profile.locate(environment.distributions) if _belongs(hit.distribution, installed)]
        same = [hit for hit in hits if os.path.realpath(hit.path) == source]
        copies = [hit for hit in hits if hit not in same and _is_of(hit.path, skill)]
        if same:
            continue
        if any(Path(hit.path).read_bytes() == skill.data for hit in copies):
            continue
        if copies:
            message = f"the {kind} copy of the skill has another text than the tree ({copies[0].path})"
        else:
            message = f"{profile.title} does not find the skill in this environment"
            if editable and skill.path in project.mapped:
                message += "; root skills/ is seen there by entry points only"
            else:
                message += "; was it added or renamed after the install?"
        yield finding("SK525", skill.spot(), message, f"Run `{renew}` again.")


def _belongs(name: str, installed: Distribution) -> bool:
    return _normal(name) == _normal(installed.name)


def _is_of(path: str, skill: Skill) -> bool:
    return Path(path).parent.name == skill.directory


def missing_entry_points(root: Path, installed: Distribution) -> Iterator[Finding]:
    """Entry points that `pyproject.toml` declares and the installed metadata lacks."""
    document = read_toml(root / "pyproject.toml")
    groups = document.get("project", {}).get("entry-points", {})
    declared = groups.get(SKILL_GROUP, {}) if isinstance(groups, dict) else {}
    known = {point.name for point in installed.entry_points}
    for name in declared if isinstance(declared, dict) else ():
        if name not in known:
            file = root / "pyproject.toml"
            where = find_key(file, f"project.entry-points.{SKILL_GROUP}", name, file.as_posix())
            message = f"the installed metadata lacks the entry point {name!r}"
            yield finding("SK525", where or Location(file.as_posix()), message, "Install the project again.")
