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
