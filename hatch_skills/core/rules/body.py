"""SK3: the body, its links, and the files of the skill."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from hatch_skills.core.findings import Location, Severity
from hatch_skills.core.markdown import Link, confirmed, link_candidates, unclosed_fence
from hatch_skills.core.rules.registry import Case, Flaw, rule
from hatch_skills.core.skill import Skill

__all__ = ["linked_paths"]

_SPECIFICATION = "Agent Skills specification, section “Body content”"
_WINDOWS_NAMES = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|\Z)", re.IGNORECASE)


def __dir__() -> list[str]:
    return list(__all__)


def _relative_links(skill: Skill) -> Iterator[Link]:
    if skill.text.undecodable:
        return
    for link in link_candidates(skill.front_matter.body):
        if link.is_relative and link.path and "{" not in link.target:
            yield link


def _links(case: Case) -> Iterator[tuple[Link, str]]:
    """Relative links of the body with the path they lead to, relative to the skill; may begin with ``..``."""
    for link in _relative_links(case.skill):
        yield link, posixpath.normpath(link.path.replace("\\", "/"))


def _exists(case: Case, path: str) -> bool:
    members = case.skill.members
    return path == "." or path in members or any(member.startswith(path + "/") for member in members)


def linked_paths(skill: Skill) -> frozenset[str]:
    """Relative paths of the files of a skill that its body links to."""
    found = (posixpath.normpath(link.path) for link in _relative_links(skill))
    return frozenset(path for path in found if path in skill.members)


def _at(case: Case, link: Link) -> Location:
    front_matter = case.skill.front_matter
    base = len(front_matter.text.content) - len(front_matter.body)
    return case.skill.at(base + link.offset)


@rule(
    "SK301",
    "broken-link",
    Severity.ERROR,
    hint="Add the file, or correct the path: it is relative to the skill's directory.",
    source="Agent Skills specification, section “File references”",
)
def broken_link(case: Case) -> Iterator[Flaw]:
    """A relative link of the body leads to a file that is not in the skill.

    An agent that follows the link finds nothing. Links inside code count for nothing.
    """
    body = case.skill.front_matter.body
    for link, path in _links(case):
        if not path.startswith("..") and not _exists(case, path) and confirmed(body, link):
            shipped = "shipped with the skill" if case.skill.origin != "tree" else "there"
            yield Flaw(_at(case, link), f"the link leads to {link.path!r}, which is not {shipped}")


@rule(
    "SK302",
    "link-leaves-skill",
    Severity.ERROR,
    hint="Put the file into the skill, or name it by a URL.",
    source="installers copy the directory of the skill and nothing else",
)
def link_leaves_skill(case: Case) -> Iterator[Flaw]:
    """A relative link of the body leads out of the skill's directory.

    Whoever installs a skill gets its directory and nothing else, so that the link is dead there. A link to a sibling
    skill is a warning, as whole sets are sometimes installed together.
    """
    body = case.skill.front_matter.body
    for link, path in _links(case):
        if path.startswith("..") and confirmed(body, link):
            sibling = re.match(r"\.\./[a-z0-9-]+(?:/|\Z)", path) is not None
            yield Flaw(
                _at(case, link),
                f"the link {link.path!r} leaves the skill",
                severity=Severity.WARNING if sibling else None,
            )


@rule(
    "SK303",
    "empty-body",
    Severity.WARNING,
    hint="Write the instructions below the front matter.",
    source=_SPECIFICATION,
)
def empty_body(case: Case) -> Iterator[Flaw]:
    """The skill has no instructions.

    The body is what the model is given once it has chosen the skill; for OVOS it is the whole prompt.
    """
    front_matter = case.skill.front_matter
    if front_matter.closing_line and not front_matter.body.strip():
        yield Flaw(case.skill.spot(front_matter.closing_line, 1), "the body is empty")


@rule(
    "SK304",
    "body-too-long",
    Severity.WARNING,
    hint="Move detail into files below references/ and link them.",
    source="Agent Skills specification, section “Progressive disclosure”: keep SKILL.md under 500 lines",
)
def body_too_long(case: Case) -> Iterator[Flaw]:
    """The file has more than 500 lines.

    The guideline exists because the whole body goes into the model's context; long bodies are cut by some clients.
    """
    count = len(case.skill.text.lines)
    if count > 500:
        yield Flaw(case.skill.spot(), f"the file has {count:,} lines, the guideline is 500")


@rule(
    "SK305",
    "unclosed-code-fence",
    Severity.WARNING,
    hint="Close the code block with as many backticks as opened it.",
    source="CommonMark 0.31, 4.5",
)
def unclosed_code_fence(case: Case) -> Iterator[Flaw]:
    """A code block of the body is never closed, so that everything below it counts as code."""
    if case.skill.text.undecodable:
        return
    front_matter = case.skill.front_matter
    line = unclosed_fence(front_matter.body)
    if line:
        yield Flaw(
            case.skill.spot(front_matter.body_line + line - 1, 1), "the code block that opens here is never closed"
        )


@rule(
    "SK311",
    "windows-file-name",
    Severity.ERROR,
    hint="Rename the file.",
    source="Microsoft, “Naming files, paths, and namespaces”",
)
def windows_file_name(case: Case) -> Iterator[Flaw]:
    """A file of the skill has a name that Windows cannot hold, or that holds control characters or no text.

    The archive is built here, and cannot be unpacked there.
    """
    for path in case.skill.members:
        reason = _bad_name(path)
        if reason:
            yield Flaw(Location(case.skill.place(path), archive=case.skill.archive), f"the file name {reason}")


def _bad_name(path: str) -> str:
    for part in path.split("/"):
        if any(0xD800 <= ord(c) <= 0xDFFF for c in part):
            return "is no text (bytes that are not UTF-8)"
        if any(ord(c) < 32 or ord(c) == 127 for c in part):
            return f"{part!r} holds a control character"
        bad = next((c for c in part if c in '<>:"|?*\\'), None)
        if bad:
            return f"{part!r} holds {bad!r}, which Windows refuses"
        if _WINDOWS_NAMES.match(part):
            return f"{part!r} is the name of a device on Windows"
        if part.endswith((".", " ")):
            return f"{part!r} ends with {part[-1]!r}, which Windows drops"
    return ""


@rule(
    "SK312",
    "case-collision",
    Severity.ERROR,
    hint="Rename one of them.",
    source="file systems of Windows and macOS ignore case",
)
def case_collision(case: Case) -> Iterator[Flaw]:
    """Two files of the skill differ by case only: one of them is lost on Windows and macOS."""
    seen: dict[str, str] = {}
    for path in case.skill.members:
        folded = path.casefold()
        if folded in seen:
            yield Flaw(
                Location(case.skill.place(path), archive=case.skill.archive),
                f"{path!r} and {seen[folded]!r} differ by case only",
            )
        seen.setdefault(folded, path)


@rule(
    "SK313",
    "script-not-executable",
    Severity.WARNING,
    hint="Set the executable bit (`git update-index --chmod=+x`), or call it as `python scripts/…`.",
    source="POSIX: a `#!` line works on executable files only",
)
def script_not_executable(case: Case) -> Iterator[Flaw]:
    """A script begins with `#!` and is not executable.

    An agent that calls it by its path gets “permission denied”. setuptools and builds on Windows lose the bit.
    """
    for path, member in case.skill.members.items():
        plain = member.kind == "file" and not member.executable and path.startswith("scripts/")
        if plain and member.read()[:2] == b"#!":
            where = " in the archive" if case.skill.archive else ""
            yield Flaw(
                Location(case.skill.place(path), archive=case.skill.archive),
                f"the script has a `#!` line and is not executable{where}",
            )


@rule(
    "SK314",
    "carriage-return-in-shebang",
    Severity.ERROR,
    hint="Save the script with LF line ends; let .gitattributes say `*.sh text eol=lf`.",
    source="the kernel looks for an interpreter whose name ends in a carriage return",
)
def carriage_return_in_shebang(case: Case) -> Iterator[Flaw]:
    """The `#!` line of a script ends with CRLF: it cannot be run on Linux and macOS (“bad interpreter”)."""
    for path, member in case.skill.members.items():
        if member.kind == "file" and path.startswith("scripts/"):
            first = member.read()[:4096].split(b"\n", 1)[0]
            if first.startswith(b"#!") and first.endswith(b"\r"):
                yield Flaw(
                    Location(case.skill.place(path), 1, len(first), case.skill.archive),
                    "the `#!` line ends with a carriage return",
                )


@rule(
    "SK315",
    "symbolic-link",
    Severity.WARNING,
    hint="Put a copy of the file there.",
    source="wheels hold no links; build backends copy, keep, drop or refuse them",
)
def symbolic_link(case: Case) -> Iterator[Flaw]:
    """The skill holds a symbolic link.

    Wheels hold no links. Build backends make a second copy, keep the link in the sdist, drop it or refuse it, so that
    the wheel from the sdist differs from the one from the tree. The build hook refuses links.
    """
    for path, member in case.skill.members.items():
        if member.kind == "link" and not member.outside and not (path == "SKILL.md" and case.skill.found != "file"):
            yield Flaw(
                Location(case.skill.place(path), archive=case.skill.archive),
                f"{path!r} is a symbolic link to {member.target!r}",
            )
        elif member.kind == "other":
            yield Flaw(
                Location(case.skill.place(path), archive=case.skill.archive),
                f"{path!r} is no regular file",
                severity=Severity.ERROR,
            )


@rule(
    "SK316",
    "test-named-script",
    Severity.WARNING,
    hint="Rename it, or keep the skill out of pytest's collection.",
    source="pytest collects test_*.py and *_test.py",
)
def test_named_script(case: Case) -> Iterator[Flaw]:
    """A script of the skill is called like a test.

    pytest imports `test_*.py` where it finds it; a tool that connects or exits then ends the run of whoever has the
    skill in the tree.
    """
    for path, member in case.skill.members.items():
        name = posixpath.basename(path)
        if member.kind == "file" and path.startswith("scripts/") and re.fullmatch(r"test_.*\.py|.*_test\.py", name):
            yield Flaw(
                Location(case.skill.place(path), archive=case.skill.archive), f"pytest takes {path!r} for a test"
            )


_MENTIONED = re.compile(r"`((?:\./)?(?:scripts|references|assets)/[\w./-]*\.\w{1,5})`")
_BACKSLASHED = re.compile(r"(?<![\w\\.:-])(?:\.\\)?(?:scripts|references|assets)\\[\w-][\w.\\-]*\.\w{1,5}")
_JUNK_DIRECTORIES = {"node_modules": "installed packages", ".idea": "editor files", ".vscode": "editor files"}
_JUNK_FILES = (
    (re.compile(r".*(?:\.bak|\.orig|\.rej|\.swp|~)\Z"), "a backup"),
    (re.compile(r".*\.(?:zip|tar|tgz|tar\.gz|whl|skill)\Z"), "an archive"),
    (re.compile(r"(?:Thumbs\.db|desktop\.ini|\._.*)\Z"), "a file of the desktop"),
)
LARGE = 5 * 1024 * 1024


@rule(
    "SK306",
    "mentioned-file-missing",
    Severity.INFO,
    hint="Add the file, or correct the path.",
    source="one in ten real skills that name a path in backticks names one that is not there",
)
def mentioned_file_missing(case: Case) -> Iterator[Flaw]:
    """The body names a path such as `scripts/x.py` in backticks, and there is no such file in the skill.

    It may be an example, or a file of the user; where it is meant, the agent finds nothing.
    """
    if case.skill.text.undecodable:
        return
    body = case.skill.front_matter.body
    if not any(mark in body for mark in ("scripts/", "references/", "assets/")):
        return
    base = len(case.skill.text.content) - len(body)
    for match in _MENTIONED.finditer(body):
        if not _exists(case, posixpath.normpath(match[1])):
            yield Flaw(case.skill.at(base + match.start(1)), f"`{match[1]}` is not in the skill")


@rule(
    "SK307",
    "backslash-path",
    Severity.WARNING,
    hint="Write the path with `/`.",
    source="`\\` separates directories on Windows only",
)
def backslash_path(case: Case) -> Iterator[Flaw]:
    """The body names a file of the skill with backslashes, which lead nowhere outside of Windows."""
    if case.skill.text.undecodable or "\\" not in case.skill.text.content:
        return
    body = case.skill.front_matter.body
    base = len(case.skill.text.content) - len(body)
    for match in _BACKSLASHED.finditer(body):
        yield Flaw(case.skill.at(base + match.start()), f"`{match[0]}` is written with backslashes")


@rule(
    "SK317",
    "skill-in-skill",
    Severity.WARNING,
    hint="Put the skills beside each other.",
    source="OVOS takes both, library-skills the inner one in wheels only",
)
def skill_in_skill(case: Case) -> Iterator[Flaw]:
    """A SKILL.md lies inside another skill: some runtimes take both, some one of them."""
    for path in case.skill.members:
        if path != case.skill.file_name and posixpath.basename(path) == "SKILL.md":
            yield Flaw(Location(case.skill.place(path), archive=case.skill.archive), f"{path!r} lies inside a skill")


@rule(
    "SK318",
    "large-file",
    Severity.WARNING,
    hint="Leave it out, or let a script fetch it when it is needed.",
    source="a wheel carries it to everybody who installs the package",
)
def large_file(case: Case) -> Iterator[Flaw]:
    """A file of the skill has more than 5 MiB."""
    for path, member in case.skill.members.items():
        if member.kind == "file" and member.size > LARGE:
            where = Location(case.skill.place(path), archive=case.skill.archive)
            yield Flaw(where, f"{path!r} has {member.size / 1024**2:.1f} MiB")


@rule(
    "SK319",
    "junk",
    Severity.WARNING,
    hint="Delete it, or keep it outside of the skill.",
    source="every file of a skill is shipped with it",
)
def junk(case: Case) -> Iterator[Flaw]:
    """The skill holds what no agent needs: installed packages, backups, archives, files of an editor or the desktop."""
    said: set[str] = set()
    for path in case.skill.members:
        where = Location(case.skill.place(path), archive=case.skill.archive)
        directory = next((part for part in path.split("/")[:-1] if part in _JUNK_DIRECTORIES), "")
        if directory:
            if directory not in said:
                count = sum(directory in other.split("/")[:-1] for other in case.skill.members)
                yield Flaw(where, f"{directory}/ holds {_JUNK_DIRECTORIES[directory]} ({count} files)")
            said.add(directory)
            continue
        kind = next((kind for pattern, kind in _JUNK_FILES if pattern.match(posixpath.basename(path))), "")
        if kind:
            yield Flaw(where, f"{path!r} is {kind}")


@rule(
    "SK320",
    "project-is-the-skill",
    Severity.WARNING,
    hint="Move SKILL.md to .agents/skills/<name>/.",
    source="installers copy the directory of the skill with everything in it",
)
def project_is_the_skill(case: Case) -> Iterator[Flaw]:
    """SKILL.md lies at the root of a project, so that tests, history and pictures belong to the skill."""
    marks = ("pyproject.toml", "setup.py", "package.json", "Cargo.toml")
    if case.skill.origin == "tree" and any(mark in case.skill.members for mark in marks):
        yield Flaw(case.skill.spot(), "the directory of the skill is the root of a project")
