"""Skills in a directory: a walk that follows no link and forgets no dot directory."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import overload

from hatch_skills.core.skill import FILE_LIMIT, Member, Skill, cut

__all__ = ["Skills", "is_archive", "load_skill", "never_ships", "skill_directories", "skills_below"]

_CACHES = frozenset(
    {
        "__pycache__", ".git", ".hg", ".svn", ".jj", ".tox", ".nox", ".hatch", ".pixi", ".eggs",
        ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints",
    }
)  # fmt: skip
_NOT_SEARCHED = _CACHES | {"node_modules"}
_OUTPUT = frozenset({"build", "dist"})


def __dir__() -> list[str]:
    return list(__all__)


def never_ships(name: str) -> bool:
    """A file or directory of this name is a cache or bookkeeping that no archive carries."""
    return name in _CACHES or name == ".DS_Store" or (name.endswith((".pyc", ".pyo", ".pyd")) and name[0] != ".")


def is_archive(path: Path) -> bool:
    """The name of a file is that of a wheel or an sdist."""
    return path.name.endswith((".whl", ".tar.gz", ".tgz", ".zip"))


def _is_environment(directory: str) -> bool:
    return _holds(directory, "pyvenv.cfg")


def skill_directories(
    root: Path, *, enter: Callable[[str, str], bool] = lambda _relative, _name: True
) -> Iterator[tuple[str, str]]:
    """Directories with a SKILL.md below `root`, each with the name of that file, in sorted order.

    Args:
        root: the directory to walk, itself included.
        enter: asked with the path of a directory relative to `root` (``/`` between the parts, empty for `root`) and the
            name of a child whether to go there.

    Yields:
        The path relative to `root` (empty for `root`) and the name of the file: ``SKILL.md``, or a name that differs
        from it by case only.

    A link is followed only where it stands in the place of a skill directory, and one directory is given once.
    Caches, version control, environments, ``node_modules``, and ``build`` and ``dist`` where they are no package, are
    not searched; a skill may have any of these names.
    """
    seen: set[str] = set()
    links: list[tuple[str, str]] = []
    stack = [""]
    while stack:
        relative = stack.pop()
        here = os.path.join(root, relative) if relative else str(root)
        try:
            entries = sorted(os.scandir(here), key=lambda entry: entry.name)
        except OSError:
            continue
        file_name = _skill_file([entry.name for entry in entries])
        if file_name is not None:
            seen.add(os.path.realpath(here))
            yield relative, file_name
        below: list[str] = []
        for entry in entries:
            name = entry.name
            child = f"{relative}/{name}" if relative else name
            if name in _NOT_SEARCHED and not _holds(entry.path, "SKILL.md"):
                continue
            if name in _OUTPUT and not _holds(entry.path, "SKILL.md", "__init__.py"):
                continue
            if entry.is_symlink():
                if os.path.isdir(entry.path) and enter(relative, name):
                    links.append((child, entry.path))
            elif entry.is_dir(follow_symlinks=False) and enter(relative, name) and not _is_environment(entry.path):
                below.append(child)
        stack.extend(reversed(below))
    for child, path in links:
        real = os.path.realpath(path)
        if real in seen:
            continue
        try:
            file_name = _skill_file(os.listdir(real))
        except OSError:
            continue
        if file_name == "SKILL.md":
            seen.add(real)
            yield child, file_name


def _holds(directory: str, *names: str) -> bool:
    return any(os.path.lexists(os.path.join(directory, name)) for name in names)


def _skill_file(names: list[str]) -> str | None:
    if "SKILL.md" in names:
        return "SKILL.md"
    return next((name for name in sorted(names) if len(name) == 8 and name.lower() == "skill.md"), None)


def load_skill(path: Path, shown: str, relative: str = "") -> Skill:
    """The skill whose SKILL.md lies at `path`; reports show `shown`, and `relative` is the path from the root.

    Whatever stands there is taken: a directory, a link to nothing and an unreadable file become a skill with `found`
    saying so.
    """
    data, found = _read(path)
    directory = path.parent
    absolute = Path(os.path.abspath(directory))
    return Skill(
        path=shown,
        directory=absolute.name,
        data=data,
        real_directory=os.path.basename(os.path.dirname(os.path.realpath(path))),
        found=found,
        linked=path.is_symlink() or absolute.is_symlink(),
        source=path,
        relative=relative or shown,
        collect=lambda: _members(directory),
    )


def _read(path: Path) -> tuple[bytes, str]:
    """The bytes of a file up to the bound, and what stands at `path`; nothing that waits for a writer is opened."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            return b"", "directory" if stat.S_ISDIR(mode) else "unreadable"
        with path.open("rb") as file:
            data = file.read(FILE_LIMIT + 4)
    except (FileNotFoundError, NotADirectoryError):
        return b"", "missing"
    except OSError:
        return b"", "unreadable"
    return cut(data), "file"


class Skills(Sequence[Skill]):
    """Skills of a directory in the order of their paths, each read when it is asked for and not kept."""

    def __init__(self, places: Sequence[tuple[Path, str, str]]) -> None:
        self._places = places

    @overload
    def __getitem__(self, index: int) -> Skill: ...

    @overload
    def __getitem__(self, index: slice) -> Skills: ...

    def __getitem__(self, index: int | slice) -> Skill | Skills:
        if isinstance(index, slice):
            return Skills(self._places[index])
        return load_skill(*self._places[index])

    def __len__(self) -> int:
        return len(self._places)


def skills_below(root: Path, shown: str = "") -> Skills:
    """Every skill below a directory, sorted by path; `shown` is put before the paths that reports show.

    A file that differs from ``SKILL.md`` by case only counts where it begins like front matter.
    """
    places = []
    for relative, file_name in skill_directories(root):
        inside = f"{relative}/{file_name}" if relative else file_name
        place = (root / relative / file_name, f"{shown}/{inside}" if shown else inside, inside)
        if file_name == "SKILL.md" or _begins_like_front_matter(load_skill(*place)):
            places.append(place)
    return Skills(sorted(places, key=lambda place: place[1]))


def _begins_like_front_matter(skill: Skill) -> bool:
    return skill.data.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"---")


def _members(directory: Path) -> Mapping[str, Member]:
    members: dict[str, Member] = {}
    base = os.path.realpath(directory)
    stack = [""]
    while stack:
        relative = stack.pop()
        here = os.path.join(base, relative) if relative else base
        try:
            entries = sorted(os.scandir(here), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            if never_ships(entry.name):
                continue
            if entry.is_symlink():
                members[path] = _link(entry.path, path, base)
            elif entry.is_dir(follow_symlinks=False):
                if not _is_environment(entry.path):
                    stack.append(path)
            else:
                members[path] = _file(entry, path)
    return dict(sorted(members.items()))


def _link(absolute: str, path: str, base: str) -> Member:
    real = os.path.realpath(absolute)
    inside = real == base or real.startswith(base + os.sep)
    loop = base.startswith(real.rstrip(os.sep) + os.sep)
    outside = not inside and not loop
    return Member(path, "link", target=os.readlink(absolute), outside=outside)


def _file(entry: os.DirEntry[str], path: str) -> Member:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return Member(path, "other")
    if not stat.S_ISREG(status.st_mode) or not os.access(entry.path, os.R_OK):
        return Member(path, "other")
    absolute = Path(entry.path)
    return Member(path, "file", status.st_size, bool(status.st_mode & 0o100), read=absolute.read_bytes)
