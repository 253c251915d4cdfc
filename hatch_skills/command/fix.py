"""`hatch-skills fix`: rewrites what can be rewritten safely, or shows it as a diff."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from hatch_skills.command.options import Wishes, runtime_option, wishes_for
from hatch_skills.core.archive import is_archive
from hatch_skills.core.check import applies, nothing_found
from hatch_skills.core.edits import Fixed, fix
from hatch_skills.core.findings import Misuse
from hatch_skills.core.project import load_project
from hatch_skills.core.report import three_lines
from hatch_skills.core.runtimes import profiles
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import load_skill, skills_below

__all__ = ["command"]


def __dir__() -> list[str]:
    return list(__all__)


@click.command("fix")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--diff", "shows", is_flag=True, help="Print what would change as a unified diff, and write nothing.")
@click.option("--unsafe", is_flag=True, help="Also make edits that change the type of a value, or mend broken YAML.")
@runtime_option
def command(paths: tuple[Path, ...], shows: bool, unsafe: bool, runtimes: tuple[str, ...]) -> None:
    """Rewrite the front matter of skills so that every runtime reads what was written (default: this project's skills).

    Bodies are never touched, and values stay equal. Exit status: 0 done or nothing to do, 1 if --diff shows something
    or a file could not be written, 2 misuse or no skill found.
    """
    wrong = [f"{path}: there is no such file or directory" for path in paths if not os.path.lexists(path)]
    wrong += [f"{path}: an archive is not edited" for path in paths if path.is_file() and is_archive(path)]
    if wrong:
        raise Misuse(*wrong)
    count = changed = failed = 0
    for skill, wishes in _once(paths, runtimes):
        count += 1
        selected = profiles(wishes.selection.runtimes)
        fixed = fix(skill, [each for each in selected if applies(each, skill, wishes.selection)], unsafe=unsafe)
        for reason in fixed.left:
            click.echo(f"{skill.path}: left alone: {reason}", err=True)
        if not fixed.done:
            continue
        try:
            _show(skill, fixed) if shows else _write(skill, fixed)
            changed += 1
        except OSError as error:
            click.echo(f"{skill.path}: not written: {error.strerror or error}", err=True)
            failed += 1
    if not count:
        return
    did = f"{changed} would change" if shows else f"{changed} changed"
    click.echo(f"{count} skill{'' if count == 1 else 's'}, {did if changed else 'nothing to fix'}", err=True)
    if failed or (shows and changed):
        raise SystemExit(1)


def _once(paths: tuple[Path, ...], runtimes: tuple[str, ...]) -> Iterator[tuple[Skill, Wishes]]:
    """Each skill one time, read when its turn comes, with what the project of its path wishes."""
    seen: set[str] = set()
    for path in paths or (Path(),):
        wishes = wishes_for(path, runtimes, ())
        for skill in _skills(path, wishes, project=not paths):
            assert skill.source is not None
            real = os.path.realpath(skill.source)
            if real not in seen:
                seen.add(real)
                yield skill, wishes
    if not seen:
        raise SystemExit(2)


def _skills(path: Path, wishes: Wishes, *, project: bool) -> tuple[Skill, ...]:
    if project:
        found = load_project(path, wishes.config)
        if not found.skills:
            click.echo(three_lines(nothing_found("pyproject.toml", found.looked, found.left_out)), err=True)
            if wishes.config.allow_empty:
                raise SystemExit(0)
        return found.skills
    if not path.is_dir():
        return (_load(path),)
    skills = skills_below(path, "" if path == Path() else path.as_posix())
    if not skills:
        click.echo(three_lines(nothing_found(str(path), f"below {path}")), err=True)
    return skills


def _load(path: Path) -> Skill:
    """The skill at a path; what is no regular file is not opened, as that may wait forever."""
    if path.exists() and not path.is_file():
        return replace(load_skill(path.parent / "", path.as_posix()), source=path, found="unreadable")
    return load_skill(path, path.as_posix())


def _show(skill: Skill, fixed: Fixed) -> None:
    """The change as a unified diff, in bytes, so that no locale and no line end alters it."""
    path = skill.path.lstrip("/")
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", data.decode("utf-8")) for data in (skill.data, fixed.data))
    lines = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}")
    shown = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    click.echo("".join(shown).encode("utf-8", "surrogateescape"), nl=False)


def _write(skill: Skill, fixed: Fixed) -> None:
    """Put the new bytes in the place of the file in one step, and say what was done.

    Raises:
        OSError: the file cannot be written, or not with the mode and the owner that it has; it is as it was.
    """
    path = Path(skill.source or skill.path)
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "the file is read-only")
    status = path.stat()
    handle, name = tempfile.mkstemp(prefix=".SKILL.md.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(fixed.data)
            file.flush()
            _keep_owner(name, status)
            os.chmod(name, stat.S_IMODE(status.st_mode))
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    click.echo(f"{skill.path}: {'; '.join(fixed.done)}")


def _keep_owner(name: str, status: os.stat_result) -> None:
    made = os.stat(name)
    if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid):
        os.chown(name, status.st_uid, status.st_gid)
