"""SK5: packaging and discovery, judged on finished archives."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator

from hatch_skills.core.findings import Location, Severity
from hatch_skills.core.quotation import find_key, find_string, toml_lines
from hatch_skills.core.rules.registry import Flaw, rule
from hatch_skills.core.runtimes.distribution import SKILL_GROUP
from hatch_skills.core.shipment import Shipment, accident
from hatch_skills.core.skill import Skill

__all__ = ["Shipment"]


def __dir__() -> list[str]:
    return list(__all__)


_OUTSIDE = (".agents", ".claude", "SKILL.md", "skills", "src")


def _judged(shipment: Shipment) -> tuple[Skill, ...]:
    """The skills that an archive ships: all of a wheel, of an sdist those that are meant and not its test material."""
    if shipment.archive.kind == "wheel":
        return shipment.skills
    meant = shipment.meant
    return tuple(skill for skill in shipment.skills if skill.path in meant or not (meant or accident(skill.path)))


def _quoted(shipment: Shipment, pattern: str, otherwise: Location) -> Location:
    """The line of pyproject.toml that names a path in quotes, where there is one."""
    file = shipment.pyproject
    found = find_string(file, pattern, file.as_posix(), "tool") if file is not None else None
    return found or otherwise


def _entry_point(shipment: Shipment, name: str) -> Location:
    """Where an entry point is declared, in pyproject.toml if it can be quoted."""
    file = shipment.pyproject
    table = f"project.entry-points.{SKILL_GROUP}"
    found = find_key(file, table, name, file.as_posix()) if file is not None else None
    metadata = f"{shipment.distribution.metadata}/entry_points.txt"
    return found or Location(metadata, archive=shipment.archive.shown)


def _place(shipment: Shipment, path: str) -> Location:
    """The source of a shipped skill where it is known, else its place in the archive."""
    meant = shipment.meant.get(path)
    return meant.spot() if meant is not None else Location(path, archive=shipment.archive.shown)


@rule(
    "SK500",
    "no-skill-found",
    Severity.ERROR,
    hint="Put a skill at src/<package>/.agents/skills/<name>/SKILL.md, or name its place: "
    'tool.hatch-skills.skills = ["path/to/*/SKILL.md"].',
    source="a check of nothing is no check",
    scope="face",
)
def no_skill_found(_: object) -> Iterator[Flaw]:
    """A search that was asked for found no skill.

    Nothing is never green: a moved directory or a wrong glob would otherwise switch every check off in silence. Where a
    project has no skill yet, `allow-empty = true` in `[tool.hatch-skills]` says so.
    """
    yield from ()


@rule(
    "SK501",
    "skill-not-shipped",
    Severity.ERROR,
    hint="Let the build backend include the directory of the skill; the Hatch build hook does it by itself.",
    source="the finished archive",
    scope="archive",
)
def skill_not_shipped(shipment: Shipment) -> Iterator[Flaw]:
    """A skill of the project is not in the archive.

    Build backends drop what they do not take for package data: setuptools every SKILL.md, hatchling and poetry what git
    ignores, all of them what lies outside the package. An editable install still finds the skill, users get nothing.
    """
    for wanted, shipped in shipment.pairs:
        if shipped is None:
            why = shipment.why_lost(wanted.path)
            kind = shipment.archive.kind
            yield Flaw(
                wanted.spot(),
                f"the skill is in the project and not in the {kind}" + (f": {why}" if why else ""),
            )


@rule(
    "SK502",
    "resource-not-shipped",
    Severity.ERROR,
    hint="Let the build backend include every file of the skill; the Hatch build hook does it by itself.",
    source="the finished archive",
    scope="archive",
)
def resource_not_shipped(shipment: Shipment) -> Iterator[Flaw]:
    """A file of a shipped skill is not in the archive.

    The skill is found after installation and fails at its first step: a script, a reference or a template is missing.
    A stock `.gitignore` with `lib/` or `.env*` is enough, and setuptools ships only Python files.
    """
    for wanted, shipped in shipment.pairs:
        if shipped is None:
            continue
        excluded = shipment.excluded.get(wanted.path, frozenset())
        for path, member in wanted.members.items():
            if member.kind == "file" and path not in shipped.members and path not in excluded:
                why = shipment.why_lost(wanted.place(path))
                yield Flaw(
                    Location(wanted.place(path)),
                    f"the file is in the skill and not in the {shipment.archive.kind}" + (f": {why}" if why else ""),
                )


@rule(
    "SK504",
    "bytes-differ",
    Severity.ERROR,
    hint="Build again from a clean tree, and let nothing rewrite the files on the way.",
    source="the finished archive",
    scope="archive",
)
def bytes_differ(shipment: Shipment) -> Iterator[Flaw]:
    """A shipped file has other bytes than the source: a stale copy, or converted line ends."""
    for wanted, shipped in shipment.pairs:
        if shipped is None:
            continue
        if wanted.data != shipped.data:
            yield Flaw(wanted.spot(), f"the {shipment.archive.kind} holds other bytes ({shipped.path})")
        for path, member in wanted.members.items():
            other = shipped.members.get(path)
            if other is None or path == wanted.file_name or "file" not in (member.kind, other.kind):
                continue
            if member.kind != other.kind or member.size != other.size or member.read() != other.read():
                yield Flaw(
                    Location(wanted.place(path)), f"the {shipment.archive.kind} holds other bytes ({other.path})"
                )


@rule(
    "SK505",
    "record-wrong",
    Severity.ERROR,
    hint="Let the build backend write RECORD; whoever changes a wheel has to write it again.",
    source="PyPA specification “Recording installed projects”",
    scope="archive",
)
def record_wrong(shipment: Shipment) -> Iterator[Flaw]:
    """RECORD does not list a file of a skill, or lists it with another hash or size.

    Runtimes search RECORD; a file that it does not list is not found, not verified and not removed.
    """
    archive = shipment.archive
    if archive.kind != "wheel":
        return
    record = archive.record()
    if record is None:
        yield Flaw(Location(archive.shown), "the wheel has no RECORD")
        return
    for skill in shipment.skills:
        for path in {f"{skill.root}/{member}" for member in skill.members} | {skill.path}:
            if path not in archive.members:
                continue
            row = record.get(path)
            if row is None:
                yield Flaw(_place(shipment, skill.path), f"RECORD does not list {path}")
                continue
            digest, size = row
            algorithm, _, wanted = digest.partition("=")
            data = archive.members[path].read()
            if algorithm == "sha256":
                made = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                if made != wanted:
                    yield Flaw(_place(shipment, skill.path), f"RECORD has another hash for {path}")
            if size and size != str(len(data)):
                yield Flaw(_place(shipment, skill.path), f"RECORD says {size} bytes for {path}, it has {len(data)}")


@rule(
    "SK506",
    "entry-point-missing",
    Severity.ERROR,
    hint="Build with the hook on; HATCH_BUILD_NO_HOOKS and --no-hooks leave the entry points out.",
    source="ovos-agentic-loop 0.1.0: in an editable install the entry point is the only way to a skill",
    scope="archive",
)
def entry_point_missing(shipment: Shipment) -> Iterator[Flaw]:
    """An entry point that the project promises is not in the wheel, or leads to another skill."""
    points = {point.name: point for point in shipment.distribution.entry_points}
    for name, target in shipment.registered.items():
        point = points.get(name)
        if point is None:
            yield Flaw(_place(shipment, target), f"the entry point {name!r} of opm.agents.skill_md is not in the wheel")
        elif point.path is not None and point.path != target:
            yield Flaw(_place(shipment, target), f"the entry point {name!r} leads to {point.path}, not to {target}")


@rule(
    "SK507",
    "entry-point-broken",
    Severity.ERROR,
    hint="Bind str(Path(__file__).resolve().parent / …) to the name, or delete the entry point: the hook adds its own.",
    source="ovos-agentic-loop 0.1.0, skills/loader.py: anything but the path of a file as str is dropped",
    scope="archive",
)
def entry_point_broken(shipment: Shipment) -> Iterator[Flaw]:
    """An entry point of the skill group leads nowhere.

    The module is not in the wheel, does not bind the name, binds a `Path` instead of text, or names a file that is not
    there. OVOS drops such an entry point without a word. What the source does not tell is a warning.
    """
    for point in shipment.distribution.entry_points:
        where = _entry_point(shipment, point.name)
        if point.problem:
            yield Flaw(where, f"the entry point `{point.name} = {point.value}` leads nowhere: {point.problem}")
        elif not point.certain:
            yield Flaw(
                where,
                f"where the entry point `{point.name} = {point.value}` leads cannot be told without running it",
                "Let `hatch-skills prove` load it.",
                severity=Severity.WARNING,
            )


@rule(
    "SK508",
    "not-found-by-runtime",
    Severity.ERROR,
    hint="Move the skill to <package>/.agents/skills/<name>/, where every runtime finds it.",
    source="the search of the runtime",
    scope="archive",
)
def not_found_by_runtime(shipment: Shipment) -> Iterator[Flaw]:
    """The skill is in the wheel, and a selected runtime does not find it there.

    library-skills looks for `.agents/skills/<name>/SKILL.md` in RECORD and nowhere else. It is an error where that
    runtime was selected by name, and one warning for the package where it was not.
    """
    if shipment.archive.kind != "wheel":
        return
    for profile in shipment.profiles:
        found = {path for hit in shipment.found.get(profile.id, ()) for path in (hit.path, hit.real)}
        if profile.locate is None:
            continue
        lost = [
            skill
            for skill in shipment.skills
            if skill.path not in found
            and skill.file_name == "SKILL.md"
            and not accident(skill.path)
            and not skill.path.endswith(".agents/skills/SKILL.md")
            and skill.path.partition("/")[0] not in _OUTSIDE
            and (not shipment.pairs or skill.path in shipment.meant)
        ]
        for skill in lost if shipment.selection.explicit else lost[:1]:
            looks = f"; it looks for {profile.locates_only}" if profile.locates_only else ""
            more = "" if shipment.selection.explicit or len(lost) == 1 else f" nor {len(lost) - 1} more"
            yield Flaw(
                _place(shipment, skill.path),
                f"{profile.title} does not find {skill.path}{more} in the wheel{looks}",
                runtimes=(profile.id,),
                severity=None if shipment.selection.explicit else Severity.WARNING,
                source=profile.source,
            )


@rule(
    "SK509",
    "outside-the-package",
    Severity.ERROR,
    hint="Map the directory into the package, or move the skill to <package>/.agents/skills/<name>/.",
    source="PyPA specification “Binary distribution format”: the root of a wheel is the root of site-packages",
    scope="archive",
)
def outside_the_package(shipment: Shipment) -> Iterator[Flaw]:
    """A skill lies at the root of the wheel, in `.agents/` or `skills/`.

    It lands beside all packages in site-packages, where no package owns the directory and any other distribution may
    overwrite it. Often it is the maintainers' own skill that was shipped by accident.
    """
    if shipment.archive.kind != "wheel":
        return
    for skill in shipment.skills:
        top = skill.path.partition("/")[0]
        if top in _OUTSIDE:
            where = _quoted(shipment, rf"(?:\./)?{re.escape(top)}(?:/[^\"']*)?", _place(shipment, skill.path))
            yield Flaw(where, f"{skill.path} is installed into {top!r} beside the packages, outside of them")


@rule(
    "SK510",
    "no-name-directory",
    Severity.ERROR,
    hint="Move SKILL.md one level down, into a directory called like the skill.",
    source="library-skills 0.0.19 and the specification: .agents/skills/<name>/SKILL.md",
    scope="archive",
)
def no_name_directory(shipment: Shipment) -> Iterator[Flaw]:
    """SKILL.md lies directly in `.agents/skills/`, without a directory of its own.

    library-skills then ignores it silently.
    """
    for skill in _judged(shipment):
        if f"/{skill.path}".endswith("/.agents/skills/SKILL.md"):
            yield Flaw(_place(shipment, skill.path), f"{skill.path} has no directory of its own")


@rule(
    "SK511",
    "shipped-by-accident",
    Severity.ERROR,
    hint="Leave the directory out of the wheel, or call the file SKILL.md.jinja or the like.",
    source="OVOS takes every SKILL.md of every RECORD for a skill",
    scope="archive",
)
def shipped_by_accident(shipment: Shipment) -> Iterator[Flaw]:
    """The wheel ships a SKILL.md that is an example, a test file or a document.

    Runtimes that search RECORD take every file of that name for a skill, wherever it lies.
    """
    if shipment.archive.kind != "wheel":
        return
    meant = shipment.meant
    for skill in shipment.skills:
        directory = accident(skill.path)
        if directory and skill.path not in meant:
            yield Flaw(
                _place(shipment, skill.path), f"{skill.path} lies below {directory}/, and runtimes take it for a skill"
            )
        elif shipment.pairs and skill.path not in meant and skill.data in {w.data for w, s in shipment.pairs if s}:
            yield Flaw(_place(shipment, skill.path), f"{skill.path} is a second copy of a skill")


@rule(
    "SK513",
    "archive-broken",
    Severity.ERROR,
    hint="Build the archive again.",
    source="PyPA specifications “Binary distribution format” and “Source distribution format”",
    scope="archive",
)
def archive_broken(shipment: Shipment) -> Iterator[Flaw]:
    """The archive cannot be read, or holds one path twice."""
    for path in sorted(set(shipment.archive.duplicates)):
        yield Flaw(Location(path, archive=shipment.archive.shown), "the archive holds this path twice")


_SECRETS = re.compile(
    r"\.env(?:\.(?!example|sample|template|dist)\w+)*|id_(?:rsa|dsa|ecdsa|ed25519)|\.pypirc|\.netrc|\.npmrc"
)


@rule(
    "SK512",
    "credential-file",
    Severity.ERROR,
    hint="Take the file out of the skill; call a sample .env.example.",
    source="what is in an archive is published",
    scope="archive",
)
def credential_file(shipment: Shipment) -> Iterator[Flaw]:
    """The archive carries a file that holds credentials by its name: `.env`, a private key, `.pypirc`.

    Several build backends pack what git ignores. Its content is never shown here.
    """
    for skill in _judged(shipment):
        meant = shipment.meant.get(skill.path)
        for path, member in skill.members.items():
            name = path.rpartition("/")[2]
            secret = _SECRETS.fullmatch(name) is not None
            if name.endswith((".pem", ".key")) and member.kind == "file" and member.size < 65536:
                secret = re.search(rb"PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}", member.read()) is not None
            if secret:
                where = Location(meant.place(path)) if meant else Location(skill.place(path), archive=skill.archive)
                yield Flaw(where, f"{name!r} is a file for credentials, and it is in the {shipment.archive.kind}")


@rule(
    "SK514",
    "entry-point-unresolved",
    Severity.WARNING,
    hint="Resolve it: str(Path(__file__).resolve().parent / …).",
    source="ovos-agentic-loop 0.1.0 resolves what RECORD lists, and compares texts",
    scope="archive",
)
def entry_point_unresolved(shipment: Shipment) -> Iterator[Flaw]:
    """An entry point gives a path that is not resolved.

    Where the environment is reached through a link, or the path holds `..`, OVOS holds it for another file than the one
    that RECORD lists, and loads the skill twice.
    """
    for point in shipment.distribution.entry_points:
        if point.path is not None and not point.problem and not point.resolved:
            where = _entry_point(shipment, point.name)
            yield Flaw(where, f"the path that the entry point `{point.name} = {point.value}` gives is not resolved")


@rule(
    "SK515",
    "executable-bit-lost",
    Severity.WARNING,
    hint="Call it as `python scripts/…`, or let the backend keep the mode.",
    source="setuptools takes Python files for modules; builds on Windows know no executable bit",
    scope="archive",
)
def executable_bit_lost(shipment: Shipment) -> Iterator[Flaw]:
    """A script is executable in the tree and not in the archive."""
    for wanted, shipped in shipment.pairs:
        for path, member in wanted.members.items():
            other = shipped.members.get(path) if shipped is not None else None
            if other is not None and member.kind == "file" and member.executable and not other.executable:
                yield Flaw(
                    Location(wanted.place(path)), f"the file is executable here and not in the {shipment.archive.kind}"
                )


@rule(
    "SK516",
    "path-too-long",
    Severity.WARNING,
    hint="Shorten the names of directories and files.",
    source="Windows holds 260 characters for a whole path, a usual site-packages takes about 100 of them",
    scope="archive",
)
def path_too_long(shipment: Shipment) -> Iterator[Flaw]:
    """A path of a skill is so long that Windows cannot install it below a usual site-packages."""
    for skill in _judged(shipment):
        for path in skill.members:
            whole = skill.place(path)
            if len(whole) > 160:
                yield Flaw(Location(whole, archive=skill.archive), f"the path has {len(whole)} characters")


@rule(
    "SK517",
    "data-directory",
    Severity.WARNING,
    hint="Ship the skill inside the package.",
    source="PyPA specification “Binary distribution format”: data goes below the prefix of the environment",
    scope="archive",
)
def data_directory(shipment: Shipment) -> Iterator[Flaw]:
    """The wheel ships a skill as a data file.

    It is installed below the prefix of the environment, where `importlib.resources` does not reach it, and where a copy
    of an earlier version stays behind.
    """
    lost = sum(shipped is None for _, shipped in shipment.pairs)
    for skill in shipment.skills:
        top, _, below = skill.path.partition("/")
        if shipment.archive.kind != "wheel" or not top.endswith(".data"):
            continue
        target = skill.root.partition("/data/")[2] or below
        where = _quoted(shipment, re.escape(target), Location(skill.path, archive=skill.archive))
        if lost > 1:
            message = (
                f"{lost} skills of the project map to the one path {target}/SKILL.md; data files are no package data"
            )
            yield Flaw(where, message, severity=Severity.ERROR)
        else:
            yield Flaw(where, f"{skill.path} is a data file, outside of the package")


@rule(
    "SK518",
    "stale-when-editable",
    Severity.WARNING,
    hint="Put the skill into a real directory inside the package, or let the hook map root skills/.",
    source="hatchling 1.33: an editable wheel holds a copy of every force-include",
    scope="archive",
)
def stale_when_editable(shipment: Shipment) -> Iterator[Flaw]:
    """The skill is mapped into the wheel by force-include, so that an editable install gets a copy of it.

    The copy is made once; later edits do not arrive, and `importlib.resources` does not show it.
    """
    file = shipment.pyproject
    for wanted, shipped in shipment.pairs:
        if file is None or shipped is None or shipment.archive.kind != "wheel":
            continue
        path = wanted.relative or wanted.path
        for line in toml_lines(file):
            key = re.match(r"""\s*["']([^"']+)["']\s*=""", line.text)
            mapped = key and line.table.endswith(".force-include") and "targets.sdist" not in line.table
            if key and mapped and f"{path}/".startswith(f"{key[1].strip('/')}/"):
                where = Location(file.as_posix(), line.number, line.text.index(key[1]))
                yield Flaw(where, f"{key[1]!r} is mapped by force-include: an editable install sees a stale copy")
                break


@rule(
    "SK519",
    "lost-through-sdist",
    Severity.ERROR,
    hint="Let the sdist hold what the wheel is made of, at the same paths.",
    source="`python -m build` and installers without a wheel build from the sdist",
    scope="face",
)
def lost_through_sdist(_: object) -> Iterator[Flaw]:
    """The wheel made from the sdist lacks a skill that the wheel made from the tree has.

    A setting that also applies to the sdist, or a source that the sdist does not hold, loses the skill on the way that
    installers and `python -m build` take.
    """
    yield from ()


@rule(
    "SK520",
    "build-fails",
    Severity.ERROR,
    hint="Repair the build; `python -m build` shows all of its output.",
    source="the project's own build backend",
    scope="face",
)
def build_fails(_: object) -> Iterator[Flaw]:
    """The project does not build, so that nothing can be proven."""
    yield from ()


@rule(
    "SK521",
    "metadata-unreadable",
    Severity.WARNING,
    hint="Install the distribution again.",
    source="importlib.metadata; one malformed entry_points.txt hides every entry point of the environment from OVOS",
    scope="face",
)
def metadata_unreadable(_: object) -> Iterator[Flaw]:
    """The metadata of an installed distribution cannot be read, so that its skills are not found."""
    yield from ()


@rule(
    "SK522",
    "metadata-twice",
    Severity.WARNING,
    hint="Uninstall the distribution until nothing is left of it, and install it once.",
    source="PyPA specification “Recording installed projects”",
    scope="face",
)
def metadata_twice(_: object) -> Iterator[Flaw]:
    """One project has two metadata directories: a broken upgrade left the old one behind."""
    yield from ()


@rule(
    "SK523",
    "stale-copy",
    Severity.WARNING,
    hint="Copy the skill again with the tool that made the copy; look first whether it was changed by hand.",
    source="clients read the copy below the home directory or the project, not the installed package",
    scope="face",
)
def stale_copy(_: object) -> Iterator[Flaw]:
    """A client's copy of a skill differs from the installed package: it was made from another version, or edited."""
    yield from ()


@rule(
    "SK524",
    "unseen-when-editable",
    Severity.WARNING,
    hint="Add the link to the repository: mkdir -p .agents && ln -s ../skills .agents/skills",
    source="library-skills 0.0.19 searches the source root of an editable install for .agents/skills/*/SKILL.md",
    scope="face",
)
def unseen_when_editable(_: object) -> Iterator[Flaw]:
    """library-skills does not see root `skills/` in an editable install.

    Nothing of a build backend changes that; a link in the repository does. OVOS finds the skills by their entry points,
    and the wheel is not concerned.
    """
    yield from ()


@rule(
    "SK525",
    "environment-stale",
    Severity.WARNING,
    hint="Install the project again.",
    source="an install, editable or not, knows the entry points and files of the day on which it was made",
    scope="face",
)
def environment_stale(_: object) -> Iterator[Flaw]:
    """The environment holds the project as it was at another time.

    A skill or an entry point that was added, renamed or deleted after `pip install`, also after `pip install -e`, is
    not seen there; what is found instead is the old text.
    """
    yield from ()


@rule(
    "SK526",
    "locator-differs",
    Severity.ERROR,
    hint="Tell the authors of hatch-skills; the real runtime is right.",
    source="the real runtime, asked in the same place",
    scope="face",
)
def locator_differs(_: object) -> Iterator[Flaw]:
    """A real runtime, which is installed here, finds other skills in the wheel than hatch-skills says."""
    yield from ()
