"""A skill: one SKILL.md and the files beside it, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from hatch_skills.core.findings import Location
from hatch_skills.core.front_matter import FrontMatter
from hatch_skills.core.text import Text

__all__ = ["FILE_LIMIT", "Member", "Skill", "cut"]

FILE_LIMIT = 16 * 1024 * 1024
"""Bytes of a SKILL.md that are read; beyond that it is reported and left unread."""


def __dir__() -> list[str]:
    return list(__all__)


def cut(data: bytes) -> bytes:
    """The bytes of a SKILL.md up to the bound and one character more, so that it shows."""
    if len(data) <= FILE_LIMIT:
        return data
    end = FILE_LIMIT + 1
    while data[end : end + 1] and data[end] & 0xC0 == 0x80:  # not through a character
        end += 1
    return data[:end]


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a skill.

    ``kind`` is ``file``, ``link`` or ``other`` (sockets, devices, what cannot be read); ``target`` is what a link says;
    ``outside`` is true for a link that leaves the skill for another place than a directory that holds it;
    ``executable`` tells the owner's bit; ``read`` gives the bytes.
    """

    path: str
    kind: str
    size: int = 0
    executable: bool = False
    target: str = ""
    outside: bool = False
    read: Callable[[], bytes] = field(default=bytes, compare=False, repr=False)


@dataclass(frozen=True)
class Skill:
    """One skill.

    ``path`` is the place of its SKILL.md as reports show it (``/`` between the parts); ``directory`` the name of the
    directory as it was reached and ``real_directory`` the same after every link is resolved; ``found`` is ``file``,
    ``directory``, ``missing`` or ``unreadable``: what stands at `path`; ``linked`` is true if the file or its
    directory is a symbolic link.
    ``collect`` gives the members when somebody asks for them. ``origin`` is ``tree``, ``wheel``, ``sdist`` or
    ``environment``; ``archive`` the path of the wheel or sdist; ``source``
    the file itself where there is one, and ``relative`` its path from the root of the project.
    """

    path: str
    directory: str
    data: bytes = b""
    real_directory: str = ""
    found: str = "file"
    linked: bool = False
    origin: str = "tree"
    archive: str = ""
    source: Path | None = None
    relative: str = ""
    collect: Callable[[], Mapping[str, Member]] = field(default=dict, compare=False, repr=False)

    @cached_property
    def members(self) -> Mapping[str, Member]:
        """Every file below the skill by its relative path, links and odd things included, caches left out."""
        return self.collect()

    @property
    def file_name(self) -> str:
        """The last part of `path`."""
        return PurePosixPath(self.path).name

    @property
    def root(self) -> str:
        """The directory of the skill as reports show it, ``.`` for the current one."""
        return str(PurePosixPath(self.path).parent)

    def at(self, offset: int) -> Location:
        """The location of the character at `offset` of the SKILL.md, in code points."""
        line, column = self.text.position(offset)
        return Location(self.path, line, column, self.archive)

    def spot(self, line: int = 0, column: int = 0) -> Location:
        """A location in the SKILL.md; without a line, the file itself."""
        return Location(self.path, line, column, self.archive)

    def place(self, relative: str) -> str:
        """The path of a file of this skill as reports show it."""
        return relative if self.root == "." else f"{self.root}/{relative}"

    @cached_property
    def text(self) -> Text:
        """The SKILL.md as text."""
        return Text(self.data)

    @cached_property
    def front_matter(self) -> FrontMatter:
        """The SKILL.md cut at its fences."""
        return FrontMatter(self.text)

    def written(self, key: str) -> str | None:
        """The text that was written for a top-level key, as YAML means it; None if it is no scalar or not there."""
        entry = self.front_matter.entry(key)
        if entry is None or entry.value.kind != "scalar":
            return None
        return entry.value.text
