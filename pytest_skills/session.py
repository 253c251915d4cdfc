"""What one pytest run knows of the project's skills: which to collect, and the verdict on each."""

from __future__ import annotations

import os
import shutil
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hatch_skills.core.config import Config, Selection
    from hatch_skills.core.environment import Environment
    from hatch_skills.core.findings import Finding
    from hatch_skills.core.project import Project
    from hatch_skills.core.proof import Proof, SdistProof
    from hatch_skills.core.runtimes.distribution import Distribution
    from hatch_skills.core.skill import Skill

__all__ = ["SkillSession"]

_WHOLE = "skills_whole_suite"


def __dir__() -> list[str]:
    return list(__all__)


class SkillSession:
    """The state of one run; registered as a plugin where the mode is not ``off``."""

    def __init__(self, config: pytest.Config) -> None:
        from pytest_skills.plugin import PROOFS, mode

        self.config = config
        self.mode = mode(config)
        self.root = config.rootpath
        self.proofs = list(config.getini("skills_proofs"))
        wrong = [proof for proof in self.proofs if proof not in PROOFS]
        if wrong:
            raise pytest.UsageError(f"ini key `skills_proofs`: {wrong[0]!r} is none of {', '.join(PROOFS)}")
        self.failed_build = ""
        self.blamed_item = ""

    # -- collection ------------------------------------------------------------------------------------------------

    @cached_property
    def settings(self) -> Config:
        """The configuration of the project; `pytest.UsageError` with every problem if it is wrong."""
        from hatch_skills.core.config import load_config
        from hatch_skills.core.findings import Misuse

        try:
            return load_config(self.root)
        except Misuse as misuse:
            raise pytest.UsageError(*misuse.problems) from None

    @cached_property
    def project(self) -> Project:
        """The project's skills, with paths relative to the root of the run."""
        from hatch_skills.core.project import load_project

        return load_project(self.root, self.settings)

    @cached_property
    def selection(self) -> Selection:
        """The runtimes that the package addresses."""
        from hatch_skills.core.config import read_toml
        from hatch_skills.core.project import selection_for

        return selection_for(read_toml(self.root / "pyproject.toml"), self.settings)

    @cached_property
    def by_path(self) -> dict[str, Skill]:
        """The skills of the project by the real path of their file."""
        return {os.path.realpath(skill.source): skill for skill in self.project.skills if skill.source}

    @cached_property
    def whole_suite(self) -> bool:
        """No path was given on the command line; workers of pytest-xdist are told by their controller."""
        told = getattr(self.config, "workerinput", {}).get(_WHOLE)
        if told is not None:
            return bool(told)
        return self.config.args_source is not pytest.Config.ArgsSource.ARGS

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: object) -> None:
        """Tell a worker of pytest-xdist what only the controller knows."""
        from pytest_skills.once import shared_place

        given: dict[str, object] = node.workerinput  # type: ignore[attr-defined]
        given[_WHOLE] = self.whole_suite
        place = shared_place(str(given["testrunuid"]))
        self.config.add_cleanup(lambda: shutil.rmtree(place, ignore_errors=True))

    def wanted(self, session: pytest.Session) -> list[Path]:
        """The files to be collected beside those that pytest takes itself, sorted."""
        chosen = []
        for skill in self.project.skills:
            assert skill.source is not None
            path = Path(os.path.abspath(skill.source))
            if session.isinitpath(path) or self._is_ignored(path):
                continue
            if self.mode == "always" or self.whole_suite or self._is_covered(path):
                chosen.append(path)
        return chosen

    def _is_covered(self, path: Path) -> bool:
        """The path lies below a directory that was given on the command line."""
        start = self.config.invocation_params.dir
        given = [Path(os.path.normpath(start / arg.partition("::")[0])) for arg in self.config.args]
        return any(place == path or place in path.parents for place in given if "::" not in str(place))

    def _is_ignored(self, path: Path) -> bool:
        """``--ignore`` and ``--ignore-glob`` hold for skills too."""
        start = self.config.invocation_params.dir
        ignored = [Path(os.path.normpath(start / str(item))) for item in self.config.getoption("ignore") or ()]
        if any(place == path or place in path.parents for place in ignored):
            return True
        globs = [str(start / str(item)) for item in self.config.getoption("ignore_glob") or ()]
        return any(part.match(glob) for glob in globs for part in (path, *path.parents))

    @property
    def is_empty(self) -> bool:
        """A run that asked for skills has none: it fails instead of being green by silence."""
        asked = self.mode == "always" or self.whole_suite
        return asked and not self.project.skills and not self.settings.allow_empty

    @property
    def blamed(self) -> Path:
        """The file that an empty run is reported at."""
        for path in (self.root / "pyproject.toml", self.config.inipath):
            if path is not None and path.is_file():
                return path
        return self.root

    def is_script(self, path: Path) -> bool:
        """A Python file below ``scripts/`` of a skill of the project."""
        for parent in path.parents:
            if parent == self.root:
                return False
            if parent.name == "scripts" and os.path.realpath(parent.parent / "SKILL.md") in self.by_path:
                return True
        return False

    def skill_at(self, path: Path) -> Skill:
        """The skill whose SKILL.md is at `path`, of the project or not."""
        from hatch_skills.core.tree import load_skill

        known = self.by_path.get(os.path.realpath(path))
        if known is not None:
            return known
        return load_skill(path, Path(os.path.relpath(path, self.root)).as_posix())

    def item_names(self, path: Path) -> list[str]:
        """One name for each runtime that counts for the skill, and one for each proof."""
        from hatch_skills.core.check import applies
        from hatch_skills.core.runtimes import profiles

        skill = self.skill_at(path)
        names = [profile.id for profile in profiles(self.selection.runtimes) if applies(profile, skill, self.selection)]
        if os.path.realpath(path) in self.by_path:
            names += [proof for proof in self.proofs if self.can_prove or proof == "environment"]
        return names

    @cached_property
    def can_prove(self) -> bool:
        """There is something to prove: a finished wheel was given, or a project that can be built."""
        from hatch_skills.core.proof import can_build

        return bool(self.config.getoption("skills_wheel")) or can_build(self.root)

    def pytest_report_header(self) -> str:
        """One line: how many skills, for which runtimes, what is proven."""
        project = self.project
        count = len(project.skills)
        left = f" ({len(project.left_out)} more left out)" if project.left_out else ""
        proofs = f"; proven: {', '.join(self.proofs)}" if self.can_prove and self.proofs else ""
        return f"skills: {count} found{left}; runtimes: {', '.join(self.selection.runtimes)}{proofs}"

    # -- verdicts --------------------------------------------------------------------------------------------------

    def verdict(self, path: Path, name: str, item: str) -> str:
        """The findings of one item as text; empty if it passes."""
        from hatch_skills.core.check import nothing_found

        if name == "no-skill-found":
            blamed = Path(os.path.relpath(path, self.root)).as_posix()
            return _text((nothing_found(blamed, self.project.looked, self.project.left_out),))
        skill = self.skill_at(path)
        if name in self.proofs:
            return self._proven(skill, name, item)
        return _text(self._read(skill, name))

    def _read(self, skill: Skill, runtime: str) -> tuple[Finding, ...]:
        from hatch_skills.core.check import check
        from hatch_skills.core.config import Selection

        report = check([skill], selection=Selection((runtime,), explicit=True), ignore=self.settings.ignore)
        return report.findings

    def _proven(self, skill: Skill, name: str, item: str) -> str:
        from hatch_skills.core.proof import BuildFailed

        if name == "environment":
            return self._in_environment(skill)
        try:
            if name == "sdist":
                return _text(self.sdist_proof.of_sdist(skill))
            proof = self.proof
        except BuildFailed as failure:
            if self.blamed_item:
                return f"nothing to prove: the build failed, see {self.blamed_item}"
            self.blamed_item = item
            return f"the project does not build, so that nothing can be proven\n{failure}"
        if name == "wheel":
            return _text(proof.of_wheel(skill) or self._at_large(proof, skill))
        return _text(proof.of_installed(skill))

    def _in_environment(self, skill: Skill) -> str:
        """The environment that pytest runs in, if the project is installed there."""
        from hatch_skills.core.report import three_lines
        from hatch_skills.core.staleness import stale_skill

        environment, installed = self.environment
        if installed is None:
            pytest.skip(f"the project is not installed in {environment.prefix}")
        stale = stale_skill(skill, self.project, self.selection, environment, installed)
        return "\n".join(three_lines(finding) for finding in stale)

    @cached_property
    def environment(self) -> tuple[Environment, Distribution | None]:
        """The environment of this interpreter, and the project in it."""
        from hatch_skills.core.environment import ask_environment
        from hatch_skills.core.staleness import installed_project

        environment = ask_environment()
        return environment, installed_project(environment, self.root)

    @cached_property
    def sdist_proof(self) -> SdistProof:
        """Sdist and both wheels, built once."""
        from pytest_skills.once import sdist_proof_of

        return sdist_proof_of(self)

    def _at_large(self, proof: Proof, skill: Skill) -> tuple[Finding, ...]:
        """What is wrong with the wheel as a whole is said once, with the first skill."""
        return proof.of_wheel_at_large() if skill is self.project.skills[0] else ()

    @cached_property
    def proof(self) -> Proof:
        """The proof, made once per run (once across the workers of pytest-xdist); a failed build is remembered."""
        from pytest_skills.once import proof_of

        return proof_of(self)


def _text(findings: tuple[Finding, ...]) -> str:
    """The findings as text if one of them is an error, else nothing."""
    from hatch_skills.core.findings import Severity
    from hatch_skills.core.report import three_lines

    if not any(finding.severity is Severity.ERROR for finding in findings):
        return ""
    return "\n".join(three_lines(finding) for finding in findings)
