"""The build face: check the skills, ship and register them, and prove the finished archive."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from hatch_skills.core.findings import Finding
    from hatch_skills.loading import Loading

__all__ = ["SkillsBuildHook"]

_RESERVED = ("dependencies", "enable-by-default", "require-runtime-dependencies", "require-runtime-features")
"""Keys of a hook table that belong to Hatch. Source: hatchling 1.33, builders/config.py."""


def __dir__() -> list[str]:
    return list(__all__)


class SkillsBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # 1.32.3 alone takes two parameters
    """The hook that Hatch runs for ``[tool.hatch.build.hooks.skills]``."""

    PLUGIN_NAME = "skills"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Check the skills of the project, and add what the builder would leave out.

        Aborts the build with every finding if one of them is an error; in an editable install findings are warnings
        unless ``editable = "error"``.
        """
        self.loading: Loading | None = None
        if self.target_name not in ("wheel", "sdist"):
            return
        from hatch_skills.core.findings import Misuse

        try:
            self._initialize(version, build_data)
        except Misuse as misuse:
            self._fail(misuse.problems, [])

    def _initialize(self, version: str, build_data: dict[str, Any]) -> None:
        from hatch_skills.core.check import check, nothing_found
        from hatch_skills.core.config import load_config
        from hatch_skills.core.findings import Severity
        from hatch_skills.core.project import load_project, selection_for
        from hatch_skills.loading import Loading

        self._check_table()
        root = Path(self.root)
        config = load_config(root)
        project = load_project(root, config)
        lenient = version == "editable" and config.editable == "warn"
        if not project.skills:
            if not config.allow_empty:
                self._judge([nothing_found("pyproject.toml", project.looked, project.left_out)], lenient=lenient)
            return
        selection = selection_for({"tool": {"hatch": {"build": {"hooks": {"skills": {}}}}}}, config)
        report = check(
            project.skills,
            selection=selection,
            ignore=config.ignore,
            one_package=True,
            budget=config.catalogue_budget,
        )
        findings = [finding.at(Severity.ERROR) if finding.rule == "SK315" else finding for finding in report.findings]
        loading = Loading(self, project, selection, editable=version == "editable")
        findings += loading.plan(build_data)
        self._judge(findings, lenient=lenient)
        loading.load(build_data)
        self.loading = loading

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Open the finished archive and prove it; on a finding, remove it and abort."""
        loading, self.loading = self.loading, None
        if loading is None:
            return
        try:
            self._judge(loading.prove(Path(artifact_path)), artifact=artifact_path)
        except BaseException:
            if os.path.lexists(artifact_path):
                os.unlink(artifact_path)
            raise

    def _check_table(self) -> None:
        from hatch_skills.core.findings import Misuse

        unknown = sorted(set(self.config) - set(_RESERVED))
        if unknown:
            raise Misuse(
                *(
                    f"tool.hatch.build.hooks.skills.{key}: unknown key; options live in [tool.hatch-skills], which "
                    "all parts of hatch-skills read"
                    for key in unknown
                )
            )

    def _judge(self, findings: list[Finding], *, lenient: bool = False, artifact: str = "") -> None:
        """Show the findings once, and end the build if one of them is an error."""
        from hatch_skills.core.findings import Severity
        from hatch_skills.core.report import three_lines

        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        warnings = [finding for finding in findings if finding.severity is Severity.WARNING]
        if self.target_name == "wheel" or errors:
            for finding in [*warnings, *(errors if lenient else ())]:
                self.app.display_warning(three_lines(finding))
        if errors and not lenient:
            if artifact and os.path.lexists(artifact):
                os.unlink(artifact)
            self._fail([], errors)

    def _fail(self, problems: tuple[str, ...] | list[str], errors: list[Finding]) -> None:
        from hatch_skills.core.report import three_lines

        for problem in problems:
            self.app.display_error(problem)
        for error in errors:
            self.app.display_error(three_lines(error))
        count = len(problems) + len(errors)
        self.app.abort(f"hatch-skills: {count} error{'' if count == 1 else 's'}, no {self.target_name} was built")
