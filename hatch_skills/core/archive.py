"""Wheels and sdists: their members, their skills, and the facts that locators look at."""

from __future__ import annotations

import csv
import io
import posixpath
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath

from hatch_skills.core.constant import read_constant
from hatch_skills.core.entry_points import parse_entry_points
from hatch_skills.core.runtimes.distribution import SKILL_GROUP, Distribution, EntryPoint
from hatch_skills.core.skill import FILE_LIMIT, Member, Skill

__all__ = ["Archive", "ArchiveError", "open_archive"]

MEMBER_LIMIT = 200_000
"""Members of an archive that are looked at."""

SIZE_LIMIT = 2 * 1024**3
"""Bytes of an unpacked sdist that are read."""

_SITE = "/" + "_/" * 20
"""Stands for the directory that a wheel is installed into; deep enough for every ``..`` of a module."""

_METADATA_LIMIT = 64 * 1024 * 1024


def __dir__() -> list[str]:
    return list(__all__)


class ArchiveError(Exception):
    """A file is no readable wheel or sdist; the text says why."""


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
        """Every skill in the archive, sorted by path."""
        found = []
        for path in self.members:
            name = posixpath.basename(path)
            if name != "SKILL.md" and (
                name.lower() != "skill.md" or posixpath.dirname(path) + "/SKILL.md" in self.members
            ):
                continue
            skill = self._skill(path)
            if name == "SKILL.md" or skill.data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"---"):
                found.append(skill)
        return tuple(sorted(found, key=lambda skill: skill.path))

    def _skill(self, path: str) -> Skill:
        member = self.members[path]
        directory = posixpath.dirname(path)
        readable = member.kind == "file"
        return Skill(
            path=path,
            directory=PurePosixPath(directory).name,
            data=member.read() if readable else b"",
            real_directory=PurePosixPath(directory).name,
            found="file" if readable else "missing",
            linked=member.kind == "link",
            origin=self.kind,
            archive=self.shown,
            collect=lambda: self.below(directory),
        )

    def below(self, directory: str) -> Mapping[str, Member]:
        """The members below a directory by their path relative to it."""
        prefix = f"{directory}/" if directory else ""
        return {path[len(prefix) :]: member for path, member in sorted(self.members.items()) if path.startswith(prefix)}

    def file(self, suffix: str) -> tuple[str, bytes] | None:
        """The member of the top-level ``*.dist-info`` directory called `suffix`, with its bytes."""
        for path, member in self.members.items():
            head, _, tail = path.partition("/")
            if head.endswith(".dist-info") and tail == suffix and member.kind == "file":
                return path, member.read()
        return None

    def record(self) -> Mapping[str, tuple[str, str]] | None:
        """The rows of RECORD: path to hash and size as written; None without RECORD."""
        found = self.file("RECORD")
        if found is None:
            return None
        return {row[0]: (row[1], row[2]) for row in _rows(found[1]) if len(row) >= 3}

    def distribution(self) -> Distribution:
        """The facts of a wheel as an installer would leave them; paths are relative to its root."""
        metadata = self.file("METADATA")
        headers = HeaderParser().parsestr(metadata[1].decode("utf-8", "replace") if metadata else "")
        record = self.file("RECORD")
        rows: tuple[tuple[str, str | None], ...] | None = None
        if record is not None:
            rows = tuple(
                (row, row if row in self.members else None)
                for row, *_ in _rows(record[1])
                if posixpath.basename(row).lower() == "skill.md"
            )
        return Distribution(
            name=headers.get("Name") or self.path.name.partition("-")[0],
            version=headers.get("Version") or "",
            metadata=posixpath.dirname(record[0]) if record else "",
            record=rows,
            entry_points=self.entry_points(),
        )

    def entry_points(self) -> tuple[EntryPoint, ...]:
        """The entry points of the skill group, each with the file it names as far as the source tells."""
        found = self.file("entry_points.txt")
        if found is None:
            return ()
        groups, _ = parse_entry_points(found[1].decode("utf-8", "replace"))
        return tuple(resolve_entry_point(name, value, self.members) for name, value in groups.get(SKILL_GROUP, ()))


def _rows(record: bytes) -> Iterable[list[str]]:
    """The rows of a RECORD file that are not empty."""
    try:
        yield from (row for row in csv.reader(io.StringIO(record.decode("utf-8", "replace"))) if row)
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
    path = posixpath.relpath(path, _SITE) if path.startswith("/") else f"./{path}"
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
    shown = shown or path.as_posix()
    try:
        if path.name.endswith(".whl"):
            return _zip(path, shown, "wheel")
        if path.name.endswith(".zip"):
            return _zip(path, shown, "sdist")
        return _tar(path, shown)
    except FileNotFoundError as error:
        raise ArchiveError("there is no such file") from error
    except (
        OSError,
        EOFError,
        zlib.error,
        zipfile.BadZipFile,
        tarfile.TarError,
        NotImplementedError,
        ValueError,
    ) as error:
        raise ArchiveError(str(error) or type(error).__name__) from error


def _zip(path: Path, shown: str, kind: str) -> Archive:
    archive = zipfile.ZipFile(path)
    infos = archive.infolist()
    if len(infos) > MEMBER_LIMIT:
        raise ArchiveError(f"it has {len(infos)} members; at most {MEMBER_LIMIT} are read")
    members: dict[str, Member] = {}
    duplicates = []
    for info in infos:
        if info.is_dir():
            continue
        mode = info.external_attr >> 16
        if info.filename in members:
            duplicates.append(info.filename)
        link = (mode & 0o170000) == 0o120000
        members[info.filename] = Member(
            info.filename,
            "link" if link else "file",
            info.file_size,
            bool(mode & 0o100),
            read=_zip_reader(archive, info),
        )
    return Archive(path, shown, kind, members, tuple(duplicates), _top(members) if kind == "sdist" else "")


def _zip_reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        if info.flag_bits & 1:
            raise ArchiveError(f"{info.filename} is encrypted")
        try:
            with archive.open(info) as file:
                return file.read(_METADATA_LIMIT)
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise ArchiveError(f"{info.filename}: {error}") from error

    return read


def _tar(path: Path, shown: str) -> Archive:
    unpacked = tempfile.SpooledTemporaryFile(max_size=32 * 1024 * 1024)  # noqa: SIM115 - lives as long as the members
    total = 0
    import gzip

    with gzip.open(path) as stream:
        while block := stream.read(1024 * 1024):
            total += len(block)
            if total > SIZE_LIMIT:
                raise ArchiveError(f"it unpacks to more than {SIZE_LIMIT} bytes")
            unpacked.write(block)
    unpacked.seek(0)
    archive = tarfile.open(fileobj=unpacked)  # noqa: SIM115
    members: dict[str, Member] = {}
    duplicates = []
    for count, info in enumerate(archive):
        if count >= MEMBER_LIMIT:
            raise ArchiveError(f"it has more than {MEMBER_LIMIT} members")
        if info.isdir():
            continue
        name = posixpath.normpath(info.name)
        if name in members:
            duplicates.append(name)
        kind = "file" if info.isfile() or info.islnk() else "link" if info.issym() else "other"
        members[name] = Member(
            name,
            kind,
            info.size,
            bool(info.mode & 0o100),
            info.linkname if kind == "link" else "",
            read=_tar_reader(archive, info),
        )
    return Archive(path, shown, "sdist", members, tuple(duplicates), _top(members))


def _tar_reader(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            file = archive.extractfile(info)
            return b"" if file is None else file.read(FILE_LIMIT + 1)
        except (OSError, EOFError, KeyError, tarfile.TarError) as error:
            raise ArchiveError(f"{info.name}: {error}") from error

    return read


def _top(members: Iterable[str]) -> str:
    tops = {path.partition("/")[0] for path in members}
    return tops.pop() if len(tops) == 1 else ""
