"""Members of zip and tar files: listed without unpacking, read within bounds, broken in one way only."""

from __future__ import annotations

import struct
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

from hatch_skills.core.skill import Member

__all__ = ["CONTENT_LIMIT", "MEMBER_LIMIT", "SIZE_LIMIT", "ArchiveError", "Members", "read_members"]

MEMBER_LIMIT = 200_000
"""Members of an archive that are looked at."""

SIZE_LIMIT = 1024**3
"""Bytes of an unpacked sdist, or of all skills of a wheel, that are read."""

CONTENT_LIMIT = 128 * 1024**2
"""Bytes of one member, or of every SKILL.md together, that are read; an archive with more is refused."""

try:
    from lzma import LZMAError
except ImportError:  # an interpreter may lack it; zipfile then refuses such members
    LZMAError = OSError  # type: ignore[misc,assignment]

_BROKEN = (
    OSError, EOFError, zlib.error, LZMAError, zipfile.BadZipFile, tarfile.TarError, struct.error, ValueError, KeyError,
    IndexError, OverflowError, RuntimeError, MemoryError,
)  # fmt: skip
"""What the readers of the standard library raise at broken bytes; some recurse, some ask for what is not there."""


def __dir__() -> list[str]:
    return list(__all__)


class ArchiveError(Exception):
    """A file is no readable wheel or sdist; the text says why."""


def read_members(path: Path, place: Callable[[str], str]) -> Members:
    """The members of a wheel, zip or tar file; directories are none. `place` gives the path for a name.

    Raises:
        ArchiveError: the file is missing, broken, encrypted or beyond the bounds.
    """
    try:
        return (_zip if path.name.endswith((".whl", ".zip")) else _tar)(path, place)
    except FileNotFoundError as error:
        raise ArchiveError("there is no such file") from error
    except _BROKEN as error:
        raise ArchiveError(_said(error)) from error


def _said(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


class Members(dict[str, Member]):
    """Members of an archive in its order, with the paths that come twice."""

    def __init__(self) -> None:
        super().__init__()
        self.duplicates: list[str] = []

    def take(self, member: Member) -> None:
        """Add a member.

        Raises:
            ArchiveError: its path leaves the archive, or there are too many.
        """
        parts = member.path.split("/")
        if member.path.startswith("/") or ".." in parts:
            raise ArchiveError(f"the member {member.path!r} leaves the archive")
        if len(self) + len(self.duplicates) >= MEMBER_LIMIT:
            raise ArchiveError(f"it has more than {MEMBER_LIMIT:,} members")
        if member.path in self:
            self.duplicates.append(member.path)
        self[member.path] = member


def _zip(path: Path, place: Callable[[str], str]) -> Members:
    file = path.open("rb")
    try:
        archive = zipfile.ZipFile(file)
    except BaseException:
        file.close()
        raise
    weakref.finalize(archive, file.close)  # it lives as long as the members
    members = Members()
    for info in archive.infolist():
        if info.is_dir():
            continue
        if info.flag_bits & 1:
            raise ArchiveError(f"{info.filename} is encrypted")
        mode = info.external_attr >> 16
        link = (mode & 0o170000) == 0o120000
        read = _zip_reader(archive, info)
        target = read().decode("utf-8", "replace") if link and info.file_size <= 4096 else ""
        kind = "link" if link else "file"
        members.take(Member(place(info.filename), kind, info.file_size, bool(mode & 0o100), target, read=read))
    return members


def _zip_reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        _bound(info.filename, info.file_size)
        try:
            with archive.open(info) as file:
                data = file.read()  # no more than the declared size
        except _BROKEN as error:
            raise ArchiveError(f"{info.filename}: {_said(error)}") from error
        return _whole(info.filename, data, info.file_size)

    return read


def _bound(name: str, size: int) -> None:
    if size > CONTENT_LIMIT:
        raise ArchiveError(f"{name} has {size:,} bytes; at most {CONTENT_LIMIT:,} are read")


def _whole(name: str, data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise ArchiveError(f"{name} has {len(data):,} bytes, and {size:,} are declared")
    return data


class _Tape:
    """An unpacked tar file whose headers cannot make the reader ask for more than is sensible."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place, as in any file."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The place, as in any file."""
        return self._file.tell()

    def read(self, size: int = -1) -> bytes:
        """Some bytes, as of any file."""
        if not 0 <= size <= CONTENT_LIMIT + 512:
            raise ArchiveError(f"it asks for {size:,} bytes at once; at most {CONTENT_LIMIT:,} are read")
        return self._file.read(size)


def _unpacked(path: Path) -> IO[bytes]:
    """What a gzip file holds, on disk where it is large; the caller closes it."""
    import gzip

    unpacked = tempfile.SpooledTemporaryFile(max_size=32 * 1024**2)  # noqa: SIM115
    try:
        with gzip.open(path) as stream:
            while block := stream.read(1024**2):
                if unpacked.tell() + len(block) > SIZE_LIMIT:
                    raise ArchiveError(f"it unpacks to more than {SIZE_LIMIT:,} bytes")
                unpacked.write(block)
        unpacked.seek(0)
    except BaseException:
        unpacked.close()
        raise
    return unpacked


def _tar(path: Path, place: Callable[[str], str]) -> Members:
    unpacked = _unpacked(path)
    tape = _Tape(unpacked)
    weakref.finalize(tape, unpacked.close)  # it lives as long as the members
    archive = tarfile.open(fileobj=tape, mode="r:")  # type: ignore[call-overload]  # noqa: SIM115
    members = Members()
    for info in archive:
        if info.isdir():
            continue
        name, executable = place(info.name), bool(info.mode & 0o100)
        linked = members.get(place(info.linkname)) if info.islnk() else None
        if linked is not None:
            members.take(replace(linked, path=name, executable=executable))
            continue
        kind = "file" if info.isfile() or info.islnk() else "link" if info.issym() else "other"
        target = info.linkname if kind == "link" else ""
        members.take(Member(name, kind, info.size, executable, target, read=_tar_reader(archive, info)))
    return members


def _tar_reader(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        if info.islnk():
            raise ArchiveError(f"{info.name}: it is linked to {info.linkname!r}, which is not before it")
        _bound(info.name, info.size)
        try:
            file = archive.extractfile(info)
            data = b"" if file is None else file.read()
        except _BROKEN as error:
            raise ArchiveError(f"{info.name}: {_said(error)}") from error
        return _whole(info.name, data, info.size if file is not None else 0)

    return read
