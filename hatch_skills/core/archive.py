"""Wheels and sdists: their members, their skills, and the facts that locators look at."""

from __future__ import annotations

import csv
import io
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from email.parser import HeaderParser
from functools import cached_property
from pathlib import Path, PurePosixPath

from hatch_skills.core.constant import read_constant
from hatch_skills.core.entry_points import parse_entry_points
from hatch_skills.core.members import CONTENT_LIMIT, SIZE_LIMIT, ArchiveError, read_members
from hatch_skills.core.runtimes.distribution import SKILL_GROUP, Distribution, EntryPoint
from hatch_skills.core.skill import Member, Skill, cut
from hatch_skills.core.text import Text

__all__ = ["Archive", "ArchiveError", "open_archive"]

_SITE = "/" + "_/" * 20
"""Stands for the directory that a wheel is installed into; deep enough for every ``..`` of a module."""

_LIBRARY = re.compile(r"[^/]+\.data/(?:purelib|platlib)/")
_METADATA = ("METADATA", "RECORD", "entry_points.txt")


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True)
class Archive:
    """A wheel or sdist: ``kind`` is ``wheel`` or ``sdist``, ``top`` the one directory at the root of an sdist."""

    path: Path
    shown: str
    kind: str
    members: Mapping[str, Member]
    duplicates: tuple[str, ...] = ()
    top: str = ""

    def skills(self) -> tuple[Skill, ...]:
        """Every skill in the archive, sorted by path.

        Raises:
            ArchiveError: a file of a skill is broken, or they are beyond the bounds.
        """
        return self._skills

    @cached_property
    def _skills(self) -> tuple[Skill, ...]:
        found = []
        held = 0
        for path in self.members:
            name = posixpath.basename(path)
            if name != "SKILL.md" and (
                name.lower() != "skill.md" or posixpath.join(posixpath.dirname(path), "SKILL.md") in self.members
            ):
                continue
            skill = self._skill(path)
            if name == "SKILL.md" or skill.data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"---"):
                found.append(skill)
                held += len(skill.data)
                if held > CONTENT_LIMIT:
                    raise ArchiveError(f"its SKILL.md files have more than {CONTENT_LIMIT:,} bytes")
        self._verify(found)
        return tuple(sorted(found, key=lambda skill: skill.path))

    def _verify(self, skills: Iterable[Skill]) -> None:
        """Read every file of the skills once, so that nothing breaks later in the midst of a check."""
        read: set[str] = set()
        total = 0
        for skill in skills:
            for member in skill.members.values():
                if member.kind == "file" and member.path not in read:
                    read.add(member.path)
                    total += len(member.read())
                    if total > SIZE_LIMIT:
                        raise ArchiveError(f"its skills unpack to more than {SIZE_LIMIT:,} bytes")

    def _skill(self, path: str) -> Skill:
        member = self.members[path]
        directory = posixpath.dirname(path)
        readable = member.kind == "file"
        return Skill(
            path=path,
            directory=PurePosixPath(directory).name,
            data=cut(member.read()) if readable else b"",
            real_directory=PurePosixPath(directory).name,
            found="file" if readable else "missing",
            linked=member.kind == "link",
            origin=self.kind,
            archive=self.shown,
            collect=lambda: self.below(directory),
        )

    def below(self, directory: str) -> Mapping[str, Member]:
        """The members below a directory by their path relative to it; links know whether they leave it."""
        prefix = f"{directory}/" if directory else ""
        return {
            path[len(prefix) :]: _aimed(member, directory) if member.kind == "link" else member
            for path, member in sorted(self.members.items())
            if path.startswith(prefix)
        }

    @cached_property
    def info(self) -> str:
        """The ``*.dist-info`` directory of a wheel; empty if there is none."""
        return next((head for head in _tops(self.members) if head.endswith(".dist-info")), "")

    def file(self, suffix: str) -> tuple[str, bytes] | None:
        """The member of the ``*.dist-info`` directory called `suffix`, with its bytes."""
        path = f"{self.info}/{suffix}"
        member = self.members.get(path)
        return (path, member.read()) if member is not None and member.kind == "file" else None

    def record(self) -> Mapping[str, tuple[str, str]] | None:
        """The rows of RECORD: path, as it is once installed, to hash and size as written; None without RECORD."""
        found = self.file("RECORD")
        if found is None:
            return None
        return {_installed(row[0]): (row[1], row[2]) for row in _rows(found[1]) if len(row) >= 3}

    def distribution(self) -> Distribution:
        """The facts of a wheel as an installer would leave them; paths are relative to its root."""
        metadata = self.file("METADATA")
        headers = HeaderParser().parsestr(metadata[1].decode("utf-8", "replace") if metadata else "")
        record = self.file("RECORD")
        rows: tuple[tuple[str, str | None], ...] | None = None
        if record is not None:
            rows = tuple(
                (row, row if row in self.members else None)
                for row in (_installed(first) for first, *_ in _rows(record[1]))
                if posixpath.basename(row).lower() == "skill.md"
            )
        points, problem = self._entry_points()
        return Distribution(
            name=str(headers.get("Name") or self.path.name.partition("-")[0]),
            version=str(headers.get("Version") or ""),
            metadata=self.info,
            record=rows,
            entry_points=points,
            problems=(problem,) if problem else (),
        )

    def entry_points(self) -> tuple[EntryPoint, ...]:
        """The entry points of the skill group, each with the file it names as far as the source tells."""
        return self._entry_points()[0]

    def _entry_points(self) -> tuple[tuple[EntryPoint, ...], str]:
        """The entry points, and why no tool can read the file; that hides those of all other distributions too."""
        found = self.file("entry_points.txt")
        if found is None:
            return (), ""
        groups, broken = parse_entry_points(found[1].decode("utf-8", "replace"))
        pairs = groups.get(SKILL_GROUP, ())
        text = Text(found[1])
        if not broken and text.undecodable is None:
            return tuple(resolve_entry_point(name, value, self.members) for name, value in pairs), ""
        why = f"the line {broken[0]!r} has no `=`" if broken else "it is not UTF-8"
        problem = f"entry_points.txt cannot be read: {why}"
        return tuple(EntryPoint(SKILL_GROUP, name, value, problem=problem) for name, value in pairs), problem


def _installed(path: str) -> str:
    """Where an installer puts a member of a wheel, from site-packages; data, scripts and headers go elsewhere."""
    return _LIBRARY.sub("", posixpath.normpath(path), count=1)


def _aimed(member: Member, directory: str) -> Member:
    """A link of an archive, which leaves `directory` unless it leads into it or to a directory that holds it."""
    aim = posixpath.normpath(posixpath.join(posixpath.dirname(member.path), member.target))
    inside = directory in ("", aim) or aim.startswith(f"{directory}/")
    loop = aim == "." or f"{directory}/".startswith(f"{aim}/")
    leaves = aim.startswith(("/", "../")) or aim == ".."
    return replace(member, outside=leaves or not (inside or loop))


def _rows(record: bytes) -> Iterable[list[str]]:
    """The rows of a RECORD file that are not empty, up to one that is no CSV."""
    try:
        yield from (row for row in csv.reader(io.StringIO(record.decode("utf-8", "replace"), newline="")) if row)
    except csv.Error:
        return


def resolve_entry_point(name: str, value: str, members: Mapping[str, Member]) -> EntryPoint:
    """What an entry point of the skill group names, read from the module's source among `members`."""
    module, _, attribute = value.partition(":")
    module, attribute = module.strip(), attribute.partition("[")[0].strip()
    if not attribute or not all(part.isidentifier() for part in module.split(".")):
        return EntryPoint(SKILL_GROUP, name, value, problem=f"{value!r} is no object reference (module:attribute)")
    base = module.replace(".", "/")
    file = next((path for path in (f"{base}/__init__.py", f"{base}.py") if path in members), None)
    if file is None:
        known = any(path.startswith((base + ".", base + "/")) for path in members)
        if known:
            return EntryPoint(SKILL_GROUP, name, value, certain=False)
        return EntryPoint(SKILL_GROUP, name, value, problem=f"the module {module!r} is not there ({base}.py)")
    bound, _, inner = attribute.partition(".")
    try:
        constant = read_constant(members[file].read(), bound, _SITE + file)
    except ArchiveError as error:
        return EntryPoint(SKILL_GROUP, name, value, problem=str(error))
    if constant.problem:
        return EntryPoint(SKILL_GROUP, name, value, problem=f"{file} is no Python: {constant.problem}")
    if not constant.bound:
        return EntryPoint(SKILL_GROUP, name, value, problem=f"{file} does not bind {bound!r}")
    if constant.value is None or inner:
        return EntryPoint(SKILL_GROUP, name, value, certain=False)
    path = posixpath.normpath(constant.value)
    if not path.startswith("/"):
        path = f"./{path}"
    elif path.startswith(_SITE[:3]):
        path = posixpath.relpath(path, _SITE)
    if constant.type != "str":
        return EntryPoint(
            SKILL_GROUP, name, value, path, problem=f"{attribute} is a Path, and only text is taken", type=constant.type
        )
    if path.startswith("./"):
        return EntryPoint(
            SKILL_GROUP, name, value, problem=f"{attribute} is {constant.value!r}, which depends on where one works"
        )
    if path not in members:
        return EntryPoint(SKILL_GROUP, name, value, problem=f"{attribute} names {path!r}, which is not there")
    return EntryPoint(SKILL_GROUP, name, value, path, path, resolved=constant.resolved)


def open_archive(path: Path, shown: str = "") -> Archive:
    """Open a wheel or sdist and list its members; nothing is unpacked.

    Raises:
        ArchiveError: the file is missing, broken, encrypted or beyond the bounds.
    """
    kind = "wheel" if path.name.endswith(".whl") else "sdist"
    members = read_members(path, _installed if kind == "wheel" else posixpath.normpath)
    tops = _tops(members)
    if kind == "wheel":
        infos = [top for top in tops if top.endswith(".dist-info")]
        if len(infos) > 1:
            raise ArchiveError(f"it has {len(infos)} metadata directories: {', '.join(infos)}")
    top = tops[0] if kind == "sdist" and len(tops) == 1 else ""
    archive = Archive(path, shown or path.as_posix(), kind, members, tuple(members.duplicates), top)
    for suffix in _METADATA:
        archive.file(suffix)
    return archive


def _tops(members: Iterable[str]) -> list[str]:
    return sorted({path.partition("/")[0] for path in members})
