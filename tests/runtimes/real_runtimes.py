"""The real runtimes from PyPI, each asked what it makes of one SKILL.md."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["REAL", "Held", "absent"]


class Held(NamedTuple):
    """What a runtime holds after reading; all but `outcome` are None where it refuses the file."""

    outcome: str
    name: str | None = None
    description: str | None = None
    body: str | None = None


def _load(module: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(module)


def _ask(read: Callable[[], Held], *own: type[Exception]) -> Held:
    """An exception of the runtime's own kind is a rejection, any other one a crash; a warning marks what is taken."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            held = read()
        except own:
            return Held("rejected")
        except Exception:
            return Held("crash")
    warned = any(warning.category is UserWarning for warning in caught)
    return held._replace(outcome="warned") if warned and held.outcome == "ok" else held


def agent_skills(path: Path) -> Held:
    """skills-ref: the directory validates, and its properties can be read."""
    skills_ref, parser = _load("skills_ref"), _load("skills_ref.parser")

    def read() -> Held:
        if skills_ref.validate(path.parent):
            return Held("rejected")
        properties = skills_ref.read_properties(path.parent)
        found = parser.find_skill_md(path.parent)
        _, body = parser.parse_frontmatter(found.read_text(encoding="utf-8"))
        return Held("ok", properties.name, properties.description, body)

    return _ask(read, skills_ref.SkillError) if hasattr(skills_ref, "SkillError") else _ask(read)


def ovos(path: Path) -> Held:
    """ovos-agentic-loop: the function that its loader calls for every file."""
    loader = _load("ovos_agentic_loop.skills.loader")

    def read() -> Held:
        entry = loader._parse_skill_md(str(path))
        return Held("skipped") if entry is None else Held("ok", entry.name, entry.description, entry.body)

    return _ask(read)


def loomflow(path: Path) -> Held:
    """loomflow: a skill made of the directory."""
    skills = _load("loomflow.skills")

    def read() -> Held:
        skill = skills.Skill(path.parent)
        return Held("ok", skill.name, skill.description, skill.load_body())

    return _ask(read, skills.SkillError)


def library_skills(path: Path) -> Held:
    """library-skills: a scan of site-packages with one distribution that lists the file."""
    scanner = _load("library_skills.scanner")
    site = path
    while site.name != "site":
        site = site.parent
    information = site / "demo-1.0.dist-info"
    information.mkdir(exist_ok=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n", encoding="utf-8")
    record = f'"{path.relative_to(site).as_posix()}",,\n' if not path.is_dir() else ""
    (information / "RECORD").write_text(record, encoding="utf-8")

    def read() -> Held:
        result = scanner.scan_python_distributions(site)
        if result.skills:
            return Held("ok", result.skills[0].name, result.skills[0].description)
        return Held("rejected" if result.warnings else "skipped")

    return _ask(read)


class _Real(NamedTuple):
    module: str
    package: str
    needs: tuple[int, int]
    ask: Callable[[Path], Held]


REAL: Mapping[str, _Real] = {
    "agent-skills": _Real("skills_ref", "skills-ref", (3, 11), agent_skills),
    "library-skills": _Real("library_skills", "library-skills", (3, 10), library_skills),
    "loomflow": _Real("loomflow", "loomflow", (3, 11), loomflow),
    "ovos": _Real("ovos_agentic_loop", "ovos-agentic-loop", (3, 10), ovos),
}
"""The runtimes that can be asked; each is given the path of a SKILL.md below ``site/pk/.agents/skills/``."""


def absent(runtime: str) -> str:
    """Why a runtime cannot be asked here; empty if it can."""
    real = REAL[runtime]
    if sys.version_info < real.needs:
        return f"{real.package} needs Python {'.'.join(map(str, real.needs))}"
    if importlib.util.find_spec(real.module) is None:
        return f"{real.package} is not installed (extra: oracles)"
    return ""
