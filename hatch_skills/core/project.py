"""The project's skills: those that have to ship, found the same way by hook, plugin, proof and command."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hatch_skills.core.config import Config, Selection
from hatch_skills.core.findings import Misuse
from hatch_skills.core.runtimes.distribution import SKILL_GROUP
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill, skill_directories

__all__ = ["ROOT_SKILLS", "Project", "home_package", "import_packages", "load_project", "selection_for", "uses_hook"]

ROOT_SKILLS = "skills"
"""The directory at the root of a repository that ``npx skills add`` and repository readers look at."""

_NOT_SHIPPED = frozenset({"tests", "test", "docs", "doc", "examples", "example"})


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Project:
    """The skills of a project.

    ``skills`` have to ship; ``mapped`` are the paths of those below root ``skills/``. ``left_out`` maps the path of
    every other SKILL.md to the reason, and ``looked`` says in words where was searched.
    """

    root: Path
    config: Config
    skills: tuple[Skill, ...]
    mapped: frozenset[str]
    left_out: tuple[tuple[str, str], ...]
    looked: str


def load_project(root: Path, config: Config, *, shown: str = "") -> Project:
    """Find the skills of the project at `root`; `shown` is put before the paths that reports show."""
    skills: list[Skill] = []
    mapped: set[str] = set()
    left_out: list[tuple[str, str]] = []
    for relative, file_name in skill_directories(root, enter=lambda parent, name: _enter(root, parent, name)):
        inside = f"{relative}/{file_name}" if relative else file_name
        path = f"{shown}/{inside}" if shown else inside
        why = _why_not(root, relative, file_name, config)
        if why:
            left_out.append((path, why))
            continue
        skills.append(load_skill(root / inside, path, inside))
        if config.map and relative.split("/")[0] == ROOT_SKILLS and not _is_package(root):
            mapped.add(path)
    if config.skills is None:
        looked = "below every import package, and below skills/" if config.map else "below every import package"
    else:
        looked = "at " + ", ".join(config.skills)
    return Project(
        root,
        config,
        tuple(sorted(skills, key=lambda skill: skill.path)),
        frozenset(mapped),
        tuple(sorted(left_out)),
        looked,
    )


def _enter(root: Path, parent: str, name: str) -> bool:
    """Leave other projects alone; everything else is looked at, so that what is left out can be counted."""
    return not os.path.lexists(os.path.join(root, parent, name, "pyproject.toml"))


def _why_not(root: Path, relative: str, file_name: str, config: Config) -> str:
    """Why a directory holds no project skill; empty if it does."""
    parts = relative.split("/") if relative else []
    if config.skills is not None:
        shapes = (relative, f"{relative}/{file_name}" if relative else file_name)
        matched = any(_matches(shape, glob) for shape in shapes for glob in config.skills)
        return "" if matched else "no glob of tool.hatch-skills.skills matches"
    if file_name != "SKILL.md":
        return f"it is called {file_name}, not SKILL.md"
    if not parts:
        return "it lies at the root of the project, where no package ships it"
    if parts[0].startswith("."):
        return f"root {parts[0]}/ belongs to the contributors of the repository"
    for before, part in zip(["", *parts], parts, strict=False):
        if part in _NOT_SHIPPED and before != "skills":
            return f"it lies below {part}/"
    if parts[0] == ROOT_SKILLS and not _is_package(root):
        return "" if config.map else "tool.hatch-skills.map is false"
    return "" if _inside_package(root, parts) else "it lies in no import package"


def _is_package(root: Path) -> bool:
    """Root ``skills/`` is an import package of that name, and no collection of skills to be mapped."""
    return os.path.lexists(root / ROOT_SKILLS / "__init__.py")


def _inside_package(root: Path, parts: Sequence[str]) -> bool:
    for depth in range(1, len(parts) + 1):
        if os.path.lexists(root.joinpath(*parts[:depth], "__init__.py")):
            return True
    if parts[0] == "src":
        return len(parts) > 1 and parts[1].isidentifier()
    if not parts[0].isidentifier():
        return False
    try:
        children = list(os.scandir(root / parts[0]))
    except OSError:
        return False
    return any(
        child.name.endswith(".py") or os.path.lexists(os.path.join(child.path, "__init__.py")) for child in children
    )


def _matches(path: str, glob: str) -> bool:
    pattern = re.sub(
        r"\\\*\\\*/|\\\*\\\*|\\\*|\\\?",
        lambda match: {r"\*\*/": "(?:.*/)?", r"\*\*": ".*", r"\*": "[^/]*", r"\?": "[^/]"}[match[0]],
        re.escape(glob.removeprefix("./").strip("/")),
    )
    return re.fullmatch(pattern, path) is not None


def import_packages(root: Path) -> tuple[str, ...]:
    """Names of the top-level import packages of a project, as its tree shows them, sorted."""
    found = set()
    for base in (root / "src", root):
        try:
            children = list(os.scandir(base))
        except OSError:
            continue
        for child in children:
            if not child.name.isidentifier() or child.name in _NOT_SHIPPED or not os.path.isdir(child.path):
                continue
            place = Path(child.path)
            if os.path.lexists(place / "__init__.py") or (base != root and any(place.rglob("*.py"))):
                found.add(child.name)
    return tuple(sorted(found))


def home_package(root: Path, config: Config, distribution: str) -> str:
    """The import package that root ``skills/`` is mapped into, with dots.

    Raises:
        Misuse: the tree has no package, or several and none is called like the distribution.
    """
    if isinstance(config.map, str):
        return config.map
    packages = import_packages(root)
    if len(packages) == 1:
        return packages[0]
    wanted = re.sub(r"[-_.]+", "_", distribution).lower()
    for package in packages:
        if package.lower() == wanted:
            return package
    found = ", ".join(packages) if packages else "none"
    raise Misuse(
        f"{config.path}: tool.hatch-skills.map: root skills/ has to go into one import package, and the project has "
        f'{found}; name it: map = "{packages[0] if packages else wanted}", or keep it out of the wheel: map = false'
    )


def uses_hook(document: object) -> bool:
    """A `pyproject.toml` turns our build hook on, for all targets or for one."""
    build = document
    for key in ("tool", "hatch", "build"):
        build = build.get(key, {}) if isinstance(build, dict) else {}
    if not isinstance(build, dict):
        return False
    targets = build.get("targets", {})
    tables = [build, *(targets.values() if isinstance(targets, dict) else ())]
    hooks = [table.get("hooks") for table in tables if isinstance(table, dict)]
    return any(isinstance(table, dict) and "skills" in table for table in hooks)


def selection_for(document: object, config: Config) -> Selection:
    """The runtimes of a package: what it names, else what it addresses.

    `agent-skills` and `library-skills` always (the latter is asked only for skills below ``.agents/skills/``, see
    `check`), `ovos` where the entry-point group of OVOS is registered, by the hook or in `pyproject.toml`.
    """
    if config.selection.explicit:
        return config.selection
    project = document.get("project", {}) if isinstance(document, dict) else {}
    groups = project.get("entry-points", {}) if isinstance(project, dict) else {}
    if uses_hook(document) or (isinstance(groups, dict) and SKILL_GROUP in groups):
        return Selection()
    return Selection(tuple(runtime for runtime in Selection().runtimes if runtime != "ovos"))
