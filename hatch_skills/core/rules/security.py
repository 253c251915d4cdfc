"""SK6: what a skill could smuggle in or give away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hatch_skills.core.findings import Location, Severity
from hatch_skills.core.rules.registry import Case, Flaw, rule
from hatch_skills.core.skill import Member
from hatch_skills.core.text import Text

__all__: list[str] = []


_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f")
_FLAGS = frozenset({"gbeng", "gbsct", "gbwls"})
_BIDI = re.compile("[\u202a\u202b\u202d\u202e\u2066-\u2068]")
_ZERO_WIDTH = re.compile("[\u200b\u2060-\u2064\ufeff]{2,}|[\u200b-\u200d\u2060-\u2064\ufeff]{4,}")
_CLIENT = r"~/\.(?:claude|codex|cursor|gemini|agents|config)/[^\s`'\"]*skills/[^\s`'\")]*"
_HOME = r"/(?:Users|home)/(?!user\b|username\b|you\b|name\b|<)[\w.-]+/[^\s`'\")]*"
_DRIVE = r"[A-Za-z]:\\Users\\(?!user\b|username\b|you\b|name\b|<)[\w.-]+\\[^\s`'\")]*"
_FIXED = re.compile(rf"(?<![\w./~-])(?:{_CLIENT}|{_HOME}|{_DRIVE})")
_INTO_SHELL = re.compile(
    r"(?:\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^|\n]*|\bbase64\s+(?:-d|-D|--decode)\b[^|\n]*)"
    r"\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:(?:/usr)?/bin/)?(?:env\s+)?(?:ba|z|da|k)?sh\b"
    r"|\b(?:ba|z|da|k)?sh\s+(?:-c\s+[\"']?\$\(|<\()\s*(?:curl|wget)\b"
    r"|\b(?:curl|wget)\b[^|\n]*\|\s*(?:sudo\s+)?python[\d.]*\b"
    r"|\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^|\n]*\|\s*(?:iex|Invoke-Expression)\b"
)
_SCRIPTS = (".sh", ".bash", ".zsh", ".ps1", ".py", ".js", ".mjs", "")
SCRIPT_LIMIT = 1024 * 1024


def __dir__() -> list[str]:
    return list(__all__)


@rule(
    "SK601",
    "link-out-of-skill",
    Severity.ERROR,
    hint="Put a copy of the file there, or leave it out.",
    source="a link that is followed carries a file of the host into the archive",
)
def link_out_of_skill(case: Case) -> Iterator[Flaw]:
    """A symbolic link of the skill leads out of it.

    Whoever copies or packs the skill follows the link and takes a file of the host along, or finds nothing there. Its
    content is never read here.
    """
    for path, member in case.skill.members.items():
        if member.kind == "link" and member.outside:
            yield Flaw(
                Location(case.skill.place(path), archive=case.skill.archive),
                f"the link {path!r} leaves the skill (to {member.target!r})",
            )


@rule(
    "SK602",
    "tag-characters",
    Severity.ERROR,
    hint="Delete the characters; select around the place if nothing can be seen.",
    source="Unicode, block “Tags” (U+E0000 to U+E007F); UTS #51 uses it in three flags only",
)
def tag_characters(case: Case) -> Iterator[Flaw]:
    """The file holds invisible tag characters.

    Text in U+E0000 to U+E007F cannot be seen in editors and reviews, and models read it. Only the flags of England,
    Scotland and Wales are made of such characters, and they pass.
    """
    content = case.skill.text.content
    if case.skill.text.undecodable or content.isascii() or not _TAGS.search(content):
        return
    flags = [
        match.span()
        for match in _FLAG.finditer(content)
        if "".join(chr(ord(c) - 0xE0000) for c in match[0][1:-1]) in _FLAGS
    ]
    for match in _TAGS.finditer(content):
        if any(start <= match.start() and match.end() <= end for start, end in flags):
            continue
        hidden = "".join(chr(ord(c) - 0xE0000) for c in match[0] if 0xE0020 <= ord(c) < 0xE007F)
        yield Flaw(
            case.skill.at(match.start()), f"{len(match[0])} invisible tag characters, which read {hidden[:80]!r}"
        )


@rule(
    "SK603",
    "bidirectional-override",
    Severity.ERROR,
    hint="Delete the character.",
    source="Unicode UAX #9; CVE-2021-42574",
)
def bidirectional_override(case: Case) -> Iterator[Flaw]:
    """The file holds a character that reorders the text around it.

    Embeddings, overrides and isolates (U+202A to U+202E, U+2066 to U+2069) make people read something else than models
    do. Right-to-left scripts need none of them.
    """
    if not case.skill.text.undecodable and not case.skill.text.content.isascii():
        for match in _BIDI.finditer(case.skill.text.content):
            yield Flaw(case.skill.at(match.start()), f"U+{ord(match[0]):04X} reorders the text that is shown")


@rule(
    "SK604",
    "zero-width-run",
    Severity.WARNING,
    hint="Delete the characters.",
    source="runs of zero-width characters carry hidden text; joiners of emoji and scripts stand alone",
)
def zero_width_run(case: Case) -> Iterator[Flaw]:
    """The file holds a run of zero-width characters.

    Single joiners belong to emoji and to several scripts; a run of them has no use but to hide something.
    """
    if not case.skill.text.undecodable and not case.skill.text.content.isascii():
        for match in _ZERO_WIDTH.finditer(case.skill.text.content):
            yield Flaw(case.skill.at(match.start()), f"{len(match[0])} zero-width characters in a row")


@rule(
    "SK605",
    "fixed-path",
    Severity.WARNING,
    hint="Write the path relative to the skill, such as scripts/run.py.",
    source="an installed skill lies in another place on every machine",
)
def fixed_path(case: Case) -> Iterator[Flaw]:
    """The body names a path of one installation.

    The home directory of one person or of one client, or the path of the file in the repository, is wrong wherever else
    the skill is installed.
    """
    if case.skill.text.undecodable:
        return
    front_matter = case.skill.front_matter
    body = front_matter.body
    base = len(case.skill.text.content) - len(body)
    own = f"skills/{case.skill.directory}/"
    marks = ("~/.", "/Users/", "/home/", ":\\Users\\")
    for match in _FIXED.finditer(body) if any(mark in body for mark in marks) else ():
        yield Flaw(case.skill.at(base + match.start()), f"`{match[0][:60]}` is a path of one installation")
    if ".agents/skills/" not in body:
        return
    for match in re.finditer(rf"(?<![\w./~-])(?:[\w.-]+/)+{re.escape(own)}[\w./-]+", body):
        if ".agents/skills/" in match[0] and match[0].split("/")[0] != ".agents":
            yield Flaw(case.skill.at(base + match.start()), f"`{match[0][:60]}` is the path in the repository")


@rule(
    "SK606",
    "download-into-shell",
    Severity.WARNING,
    hint="Name a package or a checked file instead, or ignore SK606 with the reason.",
    source="what the server sends is run unseen",
)
def download_into_shell(case: Case) -> Iterator[Flaw]:
    """A command runs what it has just downloaded or decoded.

    `curl … | sh` is sometimes a plain installation and sometimes the attack; whoever reads the skill cannot tell.
    """
    if not case.skill.text.undecodable:
        yield from _piped(case, case.skill.path, case.skill.text)
    for path, member in case.skill.members.items():
        if path != case.skill.file_name and _is_script(path, member):
            yield from _piped(case, case.skill.place(path), Text(member.read()))


def _is_script(path: str, member: Member) -> bool:
    suffix = "." + path.rpartition("/")[2].rpartition(".")[2] if "." in path.rpartition("/")[2] else ""
    in_scripts = path.startswith("scripts/") or member.executable
    return member.kind == "file" and in_scripts and suffix in _SCRIPTS and member.size <= SCRIPT_LIMIT


def _piped(case: Case, path: str, text: Text) -> Iterator[Flaw]:
    if "|" not in text.content and "$(" not in text.content and "<(" not in text.content:
        return
    for match in _INTO_SHELL.finditer(text.content):
        line, column = text.position(match.start())
        yield Flaw(
            Location(path, line, column, case.skill.archive), f"`{match[0][:60]}` runs what it downloads or decodes"
        )


@rule(
    "SK607",
    "command-on-load",
    Severity.WARNING,
    hint="Write the command as a step for the agent.",
    source="some clients run `!`-commands of a skill while they load it",
)
def command_on_load(case: Case) -> Iterator[Flaw]:
    """The body holds a command that some clients run while they load the skill.

    An exclamation mark before a code span runs the command before the model has read a word of the skill; other
    clients show it as it stands.
    """
    if case.skill.text.undecodable:
        return
    front_matter = case.skill.front_matter
    if "!`" not in front_matter.body:
        return
    base = len(case.skill.text.content) - len(front_matter.body)
    for match in re.finditer(r"(?:(?<=\s)|\A)!`([^`\n]+)`", front_matter.body):
        yield Flaw(case.skill.at(base + match.start()), f"some clients run `{match[1][:60]}` when the skill is loaded")


@rule(
    "SK608",
    "hidden-comment",
    Severity.INFO,
    hint="Write what the model has to know as text.",
    source="CommonMark 0.31, 4.6: comments are not rendered",
)
def hidden_comment(case: Case) -> Iterator[Flaw]:
    """The body holds an HTML comment: people who read the rendered page do not see it, models do."""
    if case.skill.text.undecodable:
        return
    front_matter = case.skill.front_matter
    if "<!--" not in front_matter.body:
        return
    base = len(case.skill.text.content) - len(front_matter.body)
    match = re.search(
        r"<!--(?!\s*(?:markdownlint|prettier|vale|toc|end|cspell)\b).{12,}?-->", front_matter.body, re.DOTALL
    )
    if match:
        yield Flaw(case.skill.at(base + match.start()), "an HTML comment, which the rendered page does not show")
