"""Fixtures for an author's own tests: the project's skills, its wheel, and the skills as they are installed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hatch_skills.core.proof import Proof
    from hatch_skills.core.skill import Skill
    from pytest_skills.session import SkillSession

__all__ = ["InstalledSkill", "installed_skills", "skill", "skill_wheel", "skills"]


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True)
class InstalledSkill:
    """A skill inside the unpacked wheel: its name and its directory."""

    name: str
    directory: Path

    def run(
        self,
        script: str,
        *arguments: str,
        cwd: Path | None = None,
        input: str | None = None,  # noqa: A002
    ) -> subprocess.CompletedProcess[str]:
        """Run a script of the skill and return its status and output as text.

        Args:
            script: the path relative to the skill, such as ``scripts/x.py``; Python files run with this interpreter.
            arguments: its arguments.
            cwd: the working directory, by default the current one.
            input: text for its standard input.
        """
        file = str(self.directory / script)
        command = [sys.executable, file] if script.endswith(".py") else [file]
        return subprocess.run(
            [*command, *arguments], cwd=cwd, input=input, capture_output=True, text=True, encoding="utf-8", check=False
        )


def _session(request: pytest.FixtureRequest) -> SkillSession:
    from pytest_skills.plugin import session_of
    from pytest_skills.session import SkillSession

    found = session_of(request.config)
    return found if found is not None else SkillSession(request.config)


@pytest.fixture(scope="session")
def skills(request: pytest.FixtureRequest) -> Mapping[str, Skill]:
    """The skills of the project by name, as they stand in the tree."""
    return {skill.written("name") or skill.directory: skill for skill in _session(request).project.skills}


@pytest.fixture
def skill(request: pytest.FixtureRequest) -> Skill:
    """One skill of the project; a test that takes it runs once for each."""
    found: Skill = request.param
    return found


@pytest.fixture(scope="session")
def skill_wheel(request: pytest.FixtureRequest) -> Path:
    """The wheel that is proven: the one given by ``--skills-wheel``, or the one built for this run."""
    return _proof(request).wheel


@pytest.fixture(scope="session")
def installed_skills(request: pytest.FixtureRequest) -> Mapping[str, InstalledSkill]:
    """The skills by name as they are after installation of the wheel; scripts can be run there."""
    session = _session(request)
    proof = _proof(request)
    found = {}
    for skill in session.project.skills:
        path = proof.installed(skill)
        if path is not None:
            name = skill.written("name") or skill.directory
            found[name] = InstalledSkill(name, Path(path).parent)
    return found


def _proof(request: pytest.FixtureRequest) -> Proof:
    from hatch_skills.core.proof import BuildFailed

    try:
        return _session(request).proof
    except BuildFailed as failure:
        pytest.fail(f"the project does not build\n{failure}", pytrace=False)
