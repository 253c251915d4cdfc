"""Repairs of a SKILL.md around its values: what stands above the fences, fences, line ends, lines that are no YAML."""

from __future__ import annotations

import re

from hatch_skills.core.front_matter import FrontMatter
from hatch_skills.core.portable import quoted
from hatch_skills.core.rewrites import SIZE_LIMIT, Rewrite, line_end_of
from hatch_skills.core.text import Text
from hatch_skills.core.yaml_text import read_yaml

__all__ = ["fence_repairs", "head_repairs", "line_end_repairs", "line_repairs", "tab_repairs"]

_BROKEN_LINES = 50
_END = r"(?:\r\n|\n|\r)"
_ABOVE = re.compile(rf"(?:[ \t]*{_END}|#[^\r\n]*{_END})*")
_OPENING = re.compile(rf"---[ \t]*{_END}")
_LICENCE = re.compile(r"SPDX-|copyright|\(c\) |©|licen[sc]e|all rights reserved|yaml-language-server", re.IGNORECASE)
_NO_COMMENT = re.compile(r"---|[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_FIELD = re.compile(r"[\r\n][\"']?(?:name|description)[\"']?[ \t]*:")
_PAIR = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):[ \t]+(?=[^\s\"'|>&!#])(.*\S)[ \t]*")


def __dir__() -> list[str]:
    return list(__all__)


def head_repairs(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """What stands above the opening fence: removed where it is blank, moved below it where it is a licence comment.

    A heading stays, as moving it would take it from the body; so does a rule `---` that opens no fields.
    """
    content = front_matter.text.content
    rest = content.lstrip("\ufeff")
    above = _ABOVE.match(rest)
    opening = _OPENING.match(rest, above.end()) if above else None
    if above is None or opening is None or len(rest) - above.end() == len(content):
        return ()
    comment = above[0].strip(" \t\r\n")
    parts = re.split(r"\n[ \t]*\n", re.sub(_END, "\n", comment)) if comment else []
    if _NO_COMMENT.search(comment) or not all(_LICENCE.search(part) for part in parts):
        return ()
    says = ["byte order mark removed"] if front_matter.text.has_bom else []
    says += (
        ["comment moved below the fence"] if comment else ["blank lines above the fence removed"] if above[0] else []
    )
    moved = f"{comment}{line_end_of(opening[0])}" if comment else ""
    candidate = FrontMatter(Text(f"{opening[0]}{moved}{rest[opening.end() :]}".encode()))
    if not candidate.closing_line or not _FIELD.search(candidate.yaml.text):
        return ()
    return (Rewrite(0, len(content) - len(rest) + opening.end(), opening[0] + moved, "; ".join(says)),)


def line_end_repairs(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """LF in front matter and fences, unless the body has other line ends: half a file would be worse."""
    content, body = front_matter.text.content, front_matter.body
    head = content[: len(content) - len(body)]
    if not front_matter.closing_line or "\r" not in head or "\r" in body:
        return ()
    kind = "CRLF" if "\r\n" in head else "CR"
    return (Rewrite(0, len(head), re.sub(_END, "\n", head), f"{kind} line ends of the front matter are LF"),)


def fence_repairs(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """No blanks after a fence, and a line end after the closing one."""
    if not front_matter.closing_line:
        return ()
    text, found = front_matter.text, []
    for number in (1, front_matter.closing_line):
        start, line = text.starts[number - 1], text.lines[number - 1]
        if line != "---":
            found.append(Rewrite(start + 3, start + len(line), "", "blanks after a fence removed"))
    if front_matter.closing_line >= len(text.starts):
        end = len(text.content)
        found.append(Rewrite(end, end, line_end_of(text.content), "line end added after the closing fence"))
    return tuple(found)


def tab_repairs(front_matter: FrontMatter, width: int) -> tuple[Rewrite, ...]:
    """Spaces instead of tabs where lines begin, in front matter that is no YAML."""
    if not front_matter.closing_line or front_matter.yaml.error is None:
        return ()
    source = front_matter.yaml.text
    indented = re.sub(r"(?<=[\r\n])[ \t]+(?=[^ \t\r\n])", lambda match: match[0].replace("\t", " " * width), source)
    if indented == source:
        return ()
    return (Rewrite(*front_matter.span, indented, "tabs at the beginning of lines are spaces", heals=True),)


def line_repairs(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """Quotes around each value that is no YAML: one that holds ``: ``, or begins with ``[``, ``*``, ``@`` or ``%``."""
    if not front_matter.closing_line or front_matter.yaml.error is None or len(front_matter.yaml.text) > SIZE_LIMIT:
        return ()
    text = front_matter.text
    lines = list(text.lines[1 : front_matter.closing_line - 1])
    found: dict[int, Rewrite] = {}
    while len(found) <= _BROKEN_LINES:
        source = "".join(f"\n{line}" for line in lines)
        error = read_yaml(source).error
        if error is None:
            return tuple(found[at] for at in sorted(found))
        places = (source.count("\n", 0, offset) - 1 for offset in (error.offset, error.context_offset or 0))
        at = next((place for place in places if place not in found and _is_pair(lines, place)), None)
        match = None if at is None else _PAIR.fullmatch(lines[at])
        if at is None or match is None:
            return ()
        if match[2][0] in "[{" and (error.context.startswith("while parsing a flow") or "nested" in error.problem):
            return ()  # a collection that is broken inside was not meant as text
        form, start = quoted(match[2]), text.starts[1 + at]
        begin, end = start + match.start(2), start + match.end(2)
        found[at] = Rewrite(begin, end, form, f"`{match[1]}` in quotes", match[1], match[2], heals=True)
        lines[at] = f"{match[1]}: {form}"
    return ()


def _is_pair(lines: list[str], at: int) -> bool:
    """A line holds a key and the whole of its value, without anything that could be a comment."""
    if not 0 <= at < len(lines) or " #" in lines[at] or not _PAIR.fullmatch(lines[at]):
        return False
    following = next((line for line in lines[at + 1 :] if line.strip()), "")
    return not following.startswith((" ", "\t"))
