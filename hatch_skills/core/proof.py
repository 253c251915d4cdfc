"""The proof: build a project outside of its tree, install the wheel into a clean place, ask who finds the skills."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hatch_skills.core.archive import ArchiveError, open_archive
from hatch_skills.core.check import Report, applies, check, finding
from hatch_skills.core.config import Selection, read_toml
from hatch_skills.core.environment import ask_environment
from hatch_skills.core.findings import Finding, Location, Misuse, Severity
from hatch_skills.core.project import Project, uses_hook
from hatch_skills.core.quotation import find_key, toml_lines
from hatch_skills.core.runtimes import profiles
from hatch_skills.core.runtimes.distribution import Found
from hatch_skills.core.runtimes.profile import Profile
from hatch_skills.core.shipment import Shipment, accident, ship
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill
from hatch_skills.core.version_control import why_ignored

__all__ = ["BuildFailed", "Proof", "SdistProof", "build_wheel", "can_build", "failure", "prove", "prove_sdist"]

_LEFT_BEHIND = (
    "build",
    "dist",
    "*.egg-info",
    "__pycache__",
    ".tox",
    ".nox",
    ".hatch",
    "*.pyc",
    "node_modules",
    ".*_cache",
)
_VERSION_CONTROL = (".git", ".hg")
_LINES = 30


def __dir__() -> list[str]:
    return list(__all__)


class BuildFailed(Exception):
    """The project's own backend did not build; the text holds the end of its output."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of the skills of a project: the wheel, what is in it, and what each runtime finds once installed.

    ``site`` is the directory that the wheel was installed into; ``found`` what each runtime that searches packages
    found there.
    """

    wheel: Path
    site: Path
    selection: Selection
    shipment: Shipment
    report: Report
    found: Mapping[str, tuple[Found, ...]]

    def of_wheel(self, skill: Skill) -> tuple[Finding, ...]:
        """Findings about a skill in the wheel."""
        return tuple(item for item in self.report.findings if _about(item, skill) and item.rule != "SK508")

    def of_wheel_at_large(self) -> tuple[Finding, ...]:
        """Findings about the wheel that belong to no skill of the project."""
        skills = [wanted for wanted, _ in self.shipment.pairs]
        return tuple(item for item in self.report.findings if not any(_about(item, skill) for skill in skills))

    def of_installed(self, skill: Skill) -> tuple[Finding, ...]:
        """Who does not find a skill after installation, or reads another name there."""
        return tuple(self._of_installed(skill))

    def _of_installed(self, skill: Skill) -> Iterator[Finding]:
        path = self.installed(skill)
        for profile in profiles(self.selection.runtimes):
            if profile.locate is None or not applies(profile, skill, self.selection):
                continue
            looks = f"; it looks for {profile.locates_only}" if profile.locates_only else ""
            hits = [hit for hit in self.found[profile.id] if path and os.path.realpath(hit.path) == path]
            if path is None:
                message = f"{profile.title} does not find the skill after installation: it is not in the wheel"
            elif not hits:
                message = f"{profile.title} does not find the skill after installation{looks}"
            elif len({hit.path for hit in hits}) > 1:
                message = f"{profile.title} finds the skill {len(hits)} times after installation"
            else:
                reading = profile.read(load_skill(Path(path), path))
                if reading.accepted:
                    continue
                message = f"{profile.title} finds the skill after installation and does not take it: {reading.detail}"
            hint = "Let the build backend include the skill (see SK501)." if path is None else ""
            item = finding("SK508", skill.spot(), message, hint)
            yield replace(item, runtimes=(profile.id,), source=profile.source)

    def installed(self, skill: Skill) -> str | None:
        """The resolved path of the installed SKILL.md of a skill of the project, or None if it is not there."""
        shipped = next((shipped for wanted, shipped in self.shipment.pairs if wanted.path == skill.path), None)
        if shipped is None:
            return None
        path = os.path.realpath(self.site / shipped.path)
        return path if os.path.isfile(path) else None


def _about(item: Finding, skill: Skill) -> bool:
    return item.location.path == skill.path or item.location.path.startswith(skill.root + "/")


def can_build(root: Path) -> bool:
    """There is a project at `root` that a build frontend takes."""
    return any((root / name).is_file() for name in ("pyproject.toml", "setup.py"))


def prove(
    project: Project,
    selection: Selection,
    scratch: Path,
    *,
    wheel: Path | None = None,
    why_lost: Callable[[str], str] | None = None,
) -> Proof:
    """Build (unless a wheel is given), install into `scratch`, probe from a clean interpreter, and compare.

    Args:
        project: the project and the skills that have to be found.
        selection: the runtimes to be satisfied.
        scratch: an empty directory outside the project; the caller removes it.
        wheel: a finished wheel to be proven instead of one that is built here.
        why_lost: the cause for a lost path of the tree; by default what git says of it.

    Raises:
        BuildFailed: the backend failed, or the wheel cannot be read or installed.
        Misuse: a package that the proof needs is not installed.
    """
    built = wheel or build_wheel(project.root, scratch)
    pyproject = project.root / "pyproject.toml"
    try:
        archive = open_archive(built, built.name)
        shipment = ship(
            archive,
            selection=selection,
            expected=project.skills,
            why_lost=why_lost or why_ignored,
            pyproject=pyproject,
        )
        if uses_hook(read_toml(pyproject)):
            shipment = shipment.promising()
        site = install_wheel(built, scratch / "installed")
    except (ArchiveError, OSError, ValueError) as error:
        raise BuildFailed(f"{built.name} cannot be installed: {error}") from error
    stray = [skill for skill in shipment.skills if skill.path not in shipment.meant] if wheel is None else []
    stray = [skill for skill in stray if not project.skills and not accident(skill.path)]
    report = check(stray, selection=selection, shipments=(shipment,), ignore=project.config.ignore)
    if wheel is None and any(shipped is None for _, shipped in shipment.pairs):
        on_the_way = _lost_through_sdist(project, selection, scratch, shipment)
        report = replace(report, findings=(*report.findings, *on_the_way))
    environment = ask_environment(paths=[str(site)], ask=True)
    inside = os.path.realpath(site) + os.sep
    found: dict[str, tuple[Found, ...]] = {}
    differing: list[Finding] = []
    for profile in profiles(selection.runtimes):
        if profile.locate is not None:
            hits = profile.locate(environment.distributions)
            found[profile.id] = tuple(hit for hit in hits if os.path.realpath(hit.path).startswith(inside))
        theirs = environment.asked.get(profile.id)
        if theirs is not None:
            real = {os.path.realpath(skill["path"]) for skill in theirs}
            real = {path for path in real if path.startswith(inside)}
            mine = {os.path.realpath(hit.path) for hit in found[profile.id]}
            differing += (
                [_differs(profile, site, real, mine)] if real != mine and _readable(profile, mine - real) else []
            )
    points = [point for distribution in environment.distributions for point in distribution.entry_points]
    broken = [
        finding(
            "SK507",
            Location("pyproject.toml"),
            f"the entry point `{point.name}` leads nowhere after installation: {point.problem or 'out of the wheel'}",
        )
        for point in points
        if point.problem or not (point.real or "").startswith(inside)
    ]
    known = {item.rule for item in report.findings if item.severity is Severity.ERROR}
    more = [*differing, *(broken if "SK507" not in known else ())]
    report = replace(report, findings=tuple(sorted([*report.findings, *more], key=lambda item: item.order)))
    return Proof(built, site, selection, shipment, report, found)


def _readable(profile: Profile, only_ours: set[str]) -> bool:
    """What we locate and the real runtime does not list is taken by the reader, so that the locators differ."""
    taken = [path for path in only_ours if profile.read(load_skill(Path(path), path)).accepted]
    return bool(taken) or not only_ours


def _differs(profile: Profile, site: Path, real: set[str], mine: set[str]) -> Finding:
    def shown(paths: set[str]) -> str:
        return ", ".join(sorted(os.path.relpath(path, site) for path in paths)) or "nothing"

    message = f"the real {profile.title} finds {shown(real)}; hatch-skills says {shown(mine)}"
    return finding("SK526", Location("pyproject.toml"), message)


def _lost_through_sdist(project: Project, selection: Selection, scratch: Path, shipment: Shipment) -> Iterator[Finding]:
    """Skills that a wheel made straight from the tree has, and the one made from the sdist has not."""
    try:
        direct = ship(
            open_archive(build_wheel(project.root, scratch / "direct", through_sdist=False)),
            selection=selection,
            expected=project.skills,
        )
    except (BuildFailed, ArchiveError):
        return
    arrived = {wanted.path for wanted, shipped in direct.pairs if shipped is not None}
    lost = [wanted for wanted, shipped in shipment.pairs if shipped is None and wanted.path in arrived]
    if lost:
        pyproject = project.root / "pyproject.toml"
        where = next((place for place in _selecting(pyproject) if place), lost[0].spot())
        names = ", ".join(skill.directory for skill in lost)
        message = f"the wheel made from the sdist lacks what the wheel made from the tree has: {names}"
        yield finding("SK519", where, message)


@dataclass(frozen=True, slots=True)
class SdistProof:
    """What became of the skills on the way through the sdist: the sdist, the wheel from it, the wheel from the tree."""

    findings: tuple[Finding, ...]
    lost: tuple[Finding, ...]

    def of_sdist(self, skill: Skill) -> tuple[Finding, ...]:
        """What the sdist, or the wheel made from it, has lost of a skill."""
        return (*(item for item in self.findings if _about(item, skill)), *self.lost)


def prove_sdist(project: Project, selection: Selection, scratch: Path) -> SdistProof:
    """Build the sdist, the wheel from it and the wheel from the tree, and compare them with the tree.

    Raises:
        BuildFailed: one of the builds failed.
        Misuse: `build` is not installed.
    """
    through = build_wheel(project.root, scratch)
    (sdist,) = (path for path in (scratch / "built").iterdir() if path != through)
    try:
        archives = [open_archive(path, path.name) for path in (sdist, through)]
    except ArchiveError as error:
        raise BuildFailed(f"{sdist.name} cannot be read: {error}") from error
    shipments = [ship(archive, selection=selection, expected=project.skills) for archive in archives]
    report = check((), selection=selection, shipments=shipments, ignore=project.config.ignore)
    lost = tuple(_lost_through_sdist(project, selection, scratch, shipments[1]))
    return SdistProof(tuple(item for item in report.findings if item.rule != "SK508"), lost)


def _selecting(pyproject: Path) -> Iterator[Location | None]:
    """Where settings stand that select files for sdist and wheel at once, or for the sdist alone."""
    tables = ("tool.hatch.build", "tool.hatch.build.targets.sdist", "tool.pdm.build", "tool.poetry", "tool.flit.sdist")
    for table in tables:
        for key in ("packages", "only-include", "include", "exclude", "includes", "excludes"):
            yield find_key(pyproject, table, key, pyproject.as_posix())


def failure(root: Path, failed: BuildFailed) -> Finding:
    """The finding for a build that failed: at the line of pyproject.toml that maps a path of the backend's message."""
    pyproject = root / "pyproject.toml"
    last = [line.strip() for line in str(failed).splitlines() if line.strip()]
    told = next((line for line in reversed(last) if re.match(r"[\w.]*(?:Error|Exception)\b", line)), last[-1])
    for line in toml_lines(pyproject):
        mapping = re.match(r"""\s*["']([^"']+)["']\s*=\s*["']([^"']+)["']""", line.text)
        if mapping and any(
            re.search(rf"(?:\A|[/`'\" ]){re.escape(part.strip('/'))}(?:[/`'\" ]|\Z)", told) for part in mapping.groups()
        ):
            where = Location(pyproject.as_posix(), line.number, len(line.text) - len(line.text.lstrip()) + 1)
            return finding("SK520", where, f"the project does not build: {told}", "Delete or correct this mapping.")
    return finding("SK520", Location(pyproject.as_posix()), f"the project does not build: {told}")


def build_wheel(root: Path, scratch: Path, *, through_sdist: bool = True) -> Path:
    """Build a wheel of the project at `root` in a copy below `scratch`, through its sdist unless told otherwise.

    The environment's own backend is used where every build requirement is met there, an isolated one elsewhere.

    Raises:
        BuildFailed: the backend failed.
        Misuse: `build` is not installed.
    """
    try:
        import build
        import build.env
    except ImportError as error:
        raise Misuse('the proof needs the package `build`; install "hatch-skills[pytest]"') from error
    copy = copy_project(root, scratch / "tree")
    outcome = scratch / "built"
    outcome.mkdir(parents=True, exist_ok=True)
    output: list[str] = []

    def run(command: Sequence[str], cwd: str | None = None, extra_environ: Mapping[str, str] | None = None) -> None:
        ran = subprocess.run(
            command, cwd=cwd, env={**_environment(), **(extra_environ or {})}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
        output.append(ran.stdout)
        if ran.returncode:
            raise subprocess.CalledProcessError(ran.returncode, command, ran.stdout)

    try:
        if not through_sdist:
            return _built(copy, "wheel", outcome, run)
        sdist = _built(copy, "sdist", outcome, run)
        unpacked = _unpack(sdist, scratch / "unpacked")
        return _built(unpacked, "wheel", outcome, run)
    except (
        build.BuildException,
        build.BuildBackendException,
        subprocess.CalledProcessError,
        tarfile.TarError,
        OSError,
    ) as error:
        said = "\n".join(output).strip().splitlines()[-_LINES:]
        raise BuildFailed("\n".join([*said, str(error)])) from error


def _environment() -> dict[str, str]:
    """The environment of a build: that of this process, with the scripts of the interpreter on the path."""
    scripts = os.path.dirname(sys.executable)
    return {**os.environ, "PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])}


def _built(source: Path, kind: str, outcome: Path, run: object) -> Path:
    import build
    import build.env

    distribution: build._types.Distribution = "sdist" if kind == "sdist" else "wheel"
    builder = build.ProjectBuilder(source, sys.executable, runner=run)  # type: ignore[arg-type]
    if _met(builder, distribution):
        return Path(builder.build(distribution, outcome))
    with build.env.DefaultIsolatedEnv() as environment:
        isolated = build.ProjectBuilder.from_isolated_env(environment, source, runner=run)  # type: ignore[arg-type]
        environment.install(isolated.build_system_requires)
        environment.install(isolated.get_requires_for_build(distribution))
        return Path(isolated.build(distribution, outcome))


def _met(builder: object, distribution: str) -> bool:
    """Every build requirement is met in this environment."""
    import build

    assert isinstance(builder, build.ProjectBuilder)
    requirements = set(builder.build_system_requires)
    if any(next(iter(build.check_dependency(item)), None) is not None for item in requirements):
        return False
    try:
        return not builder.check_dependencies("sdist" if distribution == "sdist" else "wheel")
    except (build.BuildBackendException, subprocess.CalledProcessError):
        return False


def _unpack(sdist: Path, target: Path) -> Path:
    target.mkdir(parents=True, exist_ok=True)
    with tarfile.open(sdist) as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(target, filter="data")
        else:
            archive.extractall(target)
    (top,) = target.iterdir()
    return top


def copy_project(root: Path, target: Path) -> Path:
    """Copy a project without what earlier builds left behind; version control above it stays readable.

    Returns:
        the directory of the project in the copy, as deep below `target` as the project lies below its repository.
    """
    root = root.resolve()
    repository = next((place for place in (root, *root.parents) if _controlled(place)), root)
    copy = target / root.relative_to(repository)
    shutil.copytree(root, copy, symlinks=True, ignore=_ignored)
    for link in [Path(here) / name for here, dirs, files in os.walk(copy) for name in (*dirs, *files)]:
        if link.is_symlink():
            _keep_aim(link, root / link.relative_to(copy), root)
    for place in (repository, *(parent for parent in root.parents if repository in parent.parents)):
        above = target / place.relative_to(repository)
        for name in (".gitignore", ".hgignore"):
            if place != root and (place / name).is_file():
                shutil.copyfile(place / name, above / name)
    control = repository / ".git"
    if control.is_dir():
        (target / ".git").write_text(f"gitdir: {control}\n", encoding="utf-8")
    elif control.is_file():
        text = control.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
        (target / ".git").write_text(f"gitdir: {(repository / text).resolve()}\n", encoding="utf-8")
    return copy


def _controlled(place: Path) -> bool:
    return any((place / name).exists() for name in _VERSION_CONTROL)


def _ignored(directory: str, names: list[str]) -> set[str]:
    left = {name for name in names for pattern in _LEFT_BEHIND if fnmatch.fnmatch(name, pattern)}
    left |= {name for name in names if name in _VERSION_CONTROL}
    left |= {name for name in names if os.path.lexists(os.path.join(directory, name, "pyvenv.cfg"))}
    # a skill may be called build or dist, and a package may hold a module directory of that name
    kept = {name for name in left if name in ("build", "dist") and not _is_output(directory, name)}
    return left - kept


def _is_output(directory: str, name: str) -> bool:
    place = os.path.join(directory, name)
    beside_project = os.path.lexists(os.path.join(directory, "pyproject.toml")) or os.path.lexists(
        os.path.join(directory, "setup.py")
    )
    return beside_project and not os.path.lexists(os.path.join(place, "__init__.py"))


def _keep_aim(link: Path, original: Path, root: Path) -> None:
    """Let a relative link that leaves the project lead where it led before."""
    aim = os.readlink(original)
    if os.path.isabs(aim):
        return
    leads = Path(os.path.normpath(original.parent / aim))
    if leads != root and root not in leads.parents:
        link.unlink()
        link.symlink_to(leads)


def install_wheel(wheel: Path, target: Path) -> Path:
    """Install a wheel into `target` as pip would leave it, and return its site-packages directory.

    Raises:
        Misuse: `installer` is not installed.
    """
    try:
        from installer import install
        from installer.destinations import SchemeDictionaryDestination
        from installer.sources import WheelFile
        from installer.utils import get_launcher_kind
    except ImportError as error:
        raise Misuse('the proof needs the package `installer`; install "hatch-skills[pytest]"') from error
    site = target / "site-packages"
    schemes = {
        "purelib": site,
        "platlib": site,
        "scripts": target / "bin",
        "data": target,
        "headers": target / "include",
    }
    for place in schemes.values():
        place.mkdir(parents=True, exist_ok=True)
    destination = SchemeDictionaryDestination(
        {name: str(place) for name, place in schemes.items()}, sys.executable, get_launcher_kind()
    )
    with WheelFile.open(wheel) as source:
        install(source, destination, additional_metadata={"INSTALLER": b"hatch-skills\n"})
    return site
