"""What the build hook puts into an archive, and how it proves that it arrived."""

from __future__ import annotations

import atexit
import os
import posixpath
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatch_skills import hatchling_interface as hatchling
from hatch_skills.core.archive import ArchiveError, open_archive
from hatch_skills.core.check import check, finding
from hatch_skills.core.config import Selection
from hatch_skills.core.entry_points import parse_entry_points
from hatch_skills.core.findings import Finding, Location
from hatch_skills.core.project import ROOT_SKILLS, Project, home_package
from hatch_skills.core.rules.body import linked_paths
from hatch_skills.core.runtimes.distribution import SKILL_GROUP
from hatch_skills.core.shipment import ship
from hatch_skills.core.skill import Skill
from hatch_skills.path_module import attribute_names, module_name, module_source

__all__ = ["Loading"]

_NAME = re.compile(r"[^\s=:\[\]]+\Z")


def __dir__() -> list[str]:
    return list(__all__)


class Loading:
    """The plan for one archive: which file goes where, which entry points are added, what is left out on purpose."""

    def __init__(self, hook: Any, project: Project, selection: Selection, *, editable: bool) -> None:
        self.project = project
        self.selection = selection
        self.editable = editable
        self.target = hook.target_name
        self.metadata = hook.metadata
        self.build_config = hook.build_config
        self.distribution = hatchling.distribution_name(hook.metadata)
        self.forced: dict[str, str] = {}
        self.places: dict[str, str] = {}
        self.excluded: dict[str, frozenset[str]] = {}
        self.registered: dict[str, str] = {}
        self.points: dict[str, dict[str, str]] = {}
        self.source = ""

    def plan(self, build_data: dict[str, Any]) -> list[Finding]:
        """Decide what has to be added; findings are explicit excludes that would take something needed away."""
        findings: list[Finding] = []
        if not self.editable:
            listed = dict(hatchling.listed_files(self.build_config, build_data))
            for skill in self.project.skills:
                findings += self._plan_skill(skill, listed)
        elif self.project.mapped and "library-skills" in self.selection.runtimes:
            findings += self._unlinked()
        if self.target == "wheel":
            self._plan_entry_points()
        return findings

    def _plan_skill(self, skill: Skill, listed: dict[str, str]) -> Iterator[Finding]:
        import pathspec

        assert skill.source is not None
        home = self._home(skill)
        needed = linked_paths(skill) | {skill.file_name}
        excludes = pathspec.GitIgnoreSpec.from_lines(hatchling.exclude_patterns(self.build_config))
        finals = frozenset(listed.values())
        left_out = set()
        for path, member in skill.members.items():
            if member.kind != "file":
                continue
            target, relative = f"{home}/{path}", skill.place(path)
            final = hatchling.final_path(self.build_config, target)
            if path == skill.file_name:
                self.places[skill.path] = final
            if excludes.match_file(relative):
                if path in needed:
                    yield finding(
                        "SK502" if path != skill.file_name else "SK501",
                        Location(relative),
                        f"an exclude pattern of the {self.target} target takes this file out of the skill",
                        "Narrow the pattern of `exclude` in pyproject.toml.",
                    )
                left_out.add(path)
            elif final not in finals:
                self.forced[str(skill.source.parent / path)] = target
        self.excluded[skill.path] = frozenset(left_out - needed)

    def _home(self, skill: Skill) -> str:
        """The directory of a skill as a path that hatchling's `sources` then rewrite."""
        if self.target != "wheel" or skill.path not in self.project.mapped:
            return skill.root
        base = home_package(self.project.root, self.project.config, self.distribution).replace(".", "/")
        if (self.project.root / "src" / base).is_dir():
            base = f"src/{base}"
        return f"{base}/.agents/{ROOT_SKILLS}/{posixpath.relpath(skill.root, ROOT_SKILLS)}"

    def _unlinked(self) -> Iterator[Finding]:
        """Root skills that library-skills cannot see in an editable install."""
        link = self.project.root / ".agents" / ROOT_SKILLS
        if os.path.realpath(link) != os.path.realpath(self.project.root / ROOT_SKILLS):
            yield finding(
                "SK524", Location(f"{ROOT_SKILLS}/"), "library-skills does not see root skills/ when editable"
            )

    def _plan_entry_points(self) -> None:
        """Names, attributes and values of what is registered; an author's own entry point stands, and is verified."""
        skills = {}
        for skill in self.project.skills:
            written = (skill.written("name") or "").strip()
            place = str(skill.source.resolve()) if self.editable and skill.source else self.places.get(skill.path, "")
            if _NAME.match(written) and place:  # else a finding of SK2 says why
                skills[written] = place
        attributes = attribute_names(skills)
        parents = sorted({posixpath.dirname(posixpath.dirname(place)) for place in skills.values()})
        directories = {f"SKILLS_DIRECTORY{'' if n == 1 else f'_{n}'}": path for n, path in enumerate(parents, 1)}
        module = hatchling.final_path(self.build_config, f"{module_name(self.distribution)}.py")
        importable = module[: -len(".py")].replace("/", ".")
        used_files: set[str] = set()
        used_directories: set[str] = set()
        for group, kind in self.project.config.groups.items():
            declared = hatchling.declared_entry_points(self.metadata, group)
            if kind == "file":
                named = {skill: attributes[skill] for skill in skills if skill not in declared}
                used_files.update(named.values())
            else:
                own = [f"{self.distribution}{'' if n == 1 else f'-{n}'}" for n in range(1, len(directories) + 1)]
                named = {
                    name: attribute for name, attribute in zip(own, directories, strict=True) if name not in declared
                }
                used_directories.update(named.values())
            self.points[group] = {name: f"{importable}:{attribute}" for name, attribute in named.items()}
        if SKILL_GROUP in self.points:
            self.registered = skills
        files = {attributes[name]: place for name, place in skills.items() if attributes[name] in used_files}
        kept = {name: path for name, path in directories.items() if name in used_directories}
        if files or kept:
            self.source = module_source(files, kept, module, absolute=self.editable)

    def load(self, build_data: dict[str, Any]) -> None:
        """Carry the plan out: forced files, the generated module, entry points."""
        forced = dict(self.forced)
        if self.source:
            directory = tempfile.mkdtemp(prefix="hatch-skills-")
            atexit.register(shutil.rmtree, directory, ignore_errors=True)
            file = Path(directory) / f"{module_name(self.distribution)}.py"
            file.write_bytes(self.source.encode())
            file.chmod(0o644)
            forced[str(file)] = file.name
            for group, points in self.points.items():
                hatchling.add_entry_points(self.metadata, group, points)
        build_data["force_include"].update(forced)
        if self.editable and build_data.get("force_include_editable"):
            build_data["force_include_editable"].update(forced)

    def prove(self, artifact: Path) -> list[Finding]:
        """Open the finished archive and compare it with the plan."""
        try:
            archive = open_archive(artifact, artifact.name)
            if self.editable:
                return self._prove_editable(archive.file("entry_points.txt"))
            top = f"{archive.top}/" if self.target == "sdist" else ""
            shipment = ship(
                archive,
                selection=self.selection,
                expected=self.project.skills,
                targets={path: f"{top}{place}" for path, place in self.places.items()},
                registered=self.registered if self.target == "wheel" else {},
                excluded=self.excluded,
                pyproject=Path("pyproject.toml") if self.project.root == Path.cwd() else None,
            )
            report = check((), selection=self.selection, shipments=(shipment,), ignore=self.project.config.ignore)
        except ArchiveError as error:
            return [finding("SK513", Location(artifact.name), f"the archive cannot be read: {error}")]
        return list(report.findings)

    def _prove_editable(self, written: tuple[str, bytes] | None) -> list[Finding]:
        groups, _ = parse_entry_points(written[1].decode("utf-8")) if written else ({}, ())
        return [
            finding("SK506", Location("pyproject.toml"), f"the entry point {name!r} of {group} is not in the wheel")
            for group, points in self.points.items()
            for name in points
            if name not in {known for known, _ in groups.get(group, ())}
        ]
