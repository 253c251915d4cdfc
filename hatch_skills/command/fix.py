"""`hatch-skills fix`: rewrites what can be rewritten safely, or shows it as a diff."""

from __future__ import annotations

import contextlib
import difflib
import errno
import os
import re
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path

import click

from hatch_skills.command.options import runtime_option, wishes_for
from hatch_skills.core.check import applies, nothing_found
from hatch_skills.core.config import Selection
from hatch_skills.core.edits import fix
from hatch_skills.core.findings import Misuse
from hatch_skills.core.project import load_project
from hatch_skills.core.report import three_lines
from hatch_skills.core.runtimes import profiles
from hatch_skills.core.skill import Skill
from hatch_skills.core.tree import is_archive, load_skill, skills_below

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
    sources = _collect(paths, runtimes)
    count = changed = failed = 0
    seen: set[str] = set()
    for skill, selection in ((skill, selection) for skills, selection in sources for skill in skills):
        real = os.path.realpath(skill.source or skill.path)
        if real in seen:
            continue
        seen.add(real)
        count += 1
        chosen = [each for each in profiles(selection.runtimes) if applies(each, skill, selection)]
        fixed = fix(skill, chosen, unsafe=unsafe)
        for reason in fixed.left:
            click.echo(f"{skill.path}: left alone: {reason}", err=True)
        if not fixed.done:
            continue
        if shows:
            click.echo(_diff(skill, fixed.data), nl=False)
        else:
            try:
                _write(Path(skill.source or skill.path), fixed.data)
            except OSError as error:
                click.echo(f"{skill.path}: not written: {error.strerror or error}", err=True)
                failed += 1
                continue
            click.echo(f"{skill.path}: {'; '.join(fixed.done)}")
        changed += 1
    did = f"{changed} {'would change' if shows else 'changed'}" if changed or failed else "nothing to fix"
    click.echo(f"{count} skill{'' if count == 1 else 's'}, {did}", err=True)
    if failed or (shows and changed):
        raise SystemExit(1)


def _collect(paths: tuple[Path, ...], runtimes: tuple[str, ...]) -> list[tuple[Sequence[Skill], Selection]]:
    """The skills of each path with the runtimes that its project wants; ends the command where there are none.

    Raises:
        Misuse: an unknown runtime, or the configuration of a project is wrong.
    """
    found: list[tuple[Sequence[Skill], Selection]] = []
    fine = False
    for path in paths or (Path(),):
        wishes = wishes_for(path, runtimes, ())
        if paths:
            skills: Sequence[Skill] = _skills(path)
            nothing = nothing_found(str(path), f"below {path}")
        else:
            project = load_project(path, wishes.config)
            skills, nothing = project.skills, nothing_found("pyproject.toml", project.looked, project.left_out)
            fine = wishes.config.allow_empty
        if not skills:
            click.echo(three_lines(nothing), err=True)
        found += [(skills, wishes.selection)] if skills else []
    if not found:
        raise SystemExit(0 if fine else 2)
    return found


def _skills(path: Path) -> Sequence[Skill]:
    if path.is_dir():
        return skills_below(path, "" if path == Path() else path.as_posix())
    if path.exists() and not path.is_file():  # a pipe or a device is not opened, as that may wait forever
        return (Skill(path.as_posix(), path.absolute().parent.name, found="other", source=path),)
    return (load_skill(path, path.as_posix()),)


def _diff(skill: Skill, data: bytes) -> bytes:
    """The change as a unified diff, in bytes, so that no locale and no line end alters it."""
    path = skill.path.lstrip("/")
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", each.decode("utf-8")) for each in (skill.data, data))
    lines = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}")
    shown = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return "".join(shown).encode("utf-8", "surrogateescape")


def _write(path: Path, data: bytes) -> None:
    """Put new bytes in the place of a file in one step, with its mode and its owner.

    Raises:
        OSError: that is not possible; the file is as it was, and nothing is left beside it.
    """
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only")
    status = path.stat()
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with open(scratch, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
            file.flush()
            made = scratch.stat()
            if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid):
                os.chown(scratch, status.st_uid, status.st_gid)
            scratch.chmod(stat.S_IMODE(status.st_mode))
            os.fsync(file.fileno())
        os.replace(scratch, path)
    except BaseException:
        with contextlib.suppress(OSError):
            scratch.unlink()
        raise
