"""Links of a Markdown body with their line and column; the CommonMark parser is asked only where it matters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

__all__ = ["BODY_LIMIT", "Link", "confirmed", "link_candidates", "unclosed_fence"]

BODY_LIMIT = 131_072
"""Code points of a body that are searched for links; the parser needs up to three seconds for as many."""

_LINE_END = re.compile(r"\r\n?|\n")
_BEFORE = r"[ \t]*(?:(?:\r\n?|\n)[ \t>]*)?"  # the destination may stand on the next line, also of a quotation
_INLINE = re.compile(r"\]\(" + _BEFORE)
_REFERENCE = re.compile(r"\]:" + _BEFORE)
_LABEL = re.compile(r"[ \t>*+.)0-9-]*\[")
_ANGLED = re.compile(r"<((?:[^<>\\\r\n]|\\.)*)>", re.DOTALL)
_BARE = re.compile(r"(?:[^\x01-\x20\x7f\\()]|\\[^ ]|\\(?= |\Z))+", re.DOTALL)
_PARENTHESES = 8
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")
_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)")
_ANY_FENCE = re.compile(r"((?:[ \t>]|[*+-][ \t]|[0-9]{1,9}[.)][ \t])*)(`{3,}|~{3,})(.*)")
_CLOSING = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z")


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Link:
    """A text that may be the destination of a link: as written, with its offset in code points."""

    target: str
    offset: int

    @property
    def path(self) -> str:
        """The destination as a path: escapes and entities undone, fragment and query cut off, percent signs undone."""
        return unquote(re.split(r"[#?]", _plain(self.target), maxsplit=1)[0])

    @property
    def is_relative(self) -> bool:
        """The destination is a relative path: no scheme, no host, no fragment alone, no absolute path."""
        target = _plain(self.target)
        return bool(target) and target[0] not in "#/?~" and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target)


def _plain(target: str) -> str:
    """A destination without backslash escapes and entities."""
    if "\\" not in target and "&" not in target:
        return target
    import html
    from html.entities import html5

    def character(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        return html.unescape(match[0]) if match[2][0] == "#" else html5.get(match[2] + ";", match[0])

    return _ESCAPED.sub(character, target)


def link_candidates(body: str) -> Iterator[Link]:
    """Every text before `BODY_LIMIT` that looks like a link destination, in code or not, in order of kind and place."""
    body = body[:BODY_LIMIT]
    if "](" in body:
        for match in _INLINE.finditer(body):
            yield from _destination(body, match.end())
    if "]:" in body:
        for match in _REFERENCE.finditer(body):
            line = body[_line_start(body, match.start()) : match.start()]
            if _LABEL.match(line) or "[" not in line:
                yield from _destination(body, match.end())


def _line_start(body: str, offset: int) -> int:
    return max(body.rfind("\n", 0, offset), body.rfind("\r", 0, offset)) + 1


def _destination(body: str, start: int) -> Iterator[Link]:
    """The destination that begins at `start`: in angle brackets, or without blanks and with balanced parentheses."""
    if body.startswith("<", start):
        angled = _ANGLED.match(body, start)
        if angled is not None:
            yield Link(angled[1], start + 1)
        return
    offset, level = start, 0
    while True:
        piece = _BARE.match(body, offset)
        offset = piece.end() if piece else offset
        character = body[offset : offset + 1]
        level += (character == "(") - (character == ")")
        if character not in ("(", ")") or level < 0 or level > _PARENTHESES:
            break
        offset += 1
    if level <= 0:
        yield Link(body[start:offset], start)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """What the CommonMark parser says: where destinations of links begin, and the first line of an open fence."""

    places: frozenset[int]
    open_fence: int


def confirmed(body: str, link: Link) -> bool:
    """The CommonMark parser takes this candidate for the destination of a link or image.

    A definition counts where a link uses it.
    """
    return link.offset in _parsed(body).places


@lru_cache(maxsize=8)
def _parsed(body: str) -> _Parsed:
    from markdown_it import MarkdownIt

    body = body[:BODY_LIMIT]
    starts = [0, *(match.end() for match in _LINE_END.finditer(body))]
    lines = _LINE_END.split(body.replace("\0", "\ufffd"))  # as the parser does
    environment: dict[str, Any] = {}
    parser = MarkdownIt("commonmark").disable("inline")
    places: set[int] = set()
    labels: set[str] = set()
    open_fence = 0
    tokens = parser.parse(body, environment)
    _follow(parser, environment)
    for token in tokens:
        if token.type == "fence" and token.map and not open_fence and not _is_closed(token, lines):
            open_fence = token.map[0] + 1
        if token.type != "inline" or not token.map or "]" not in token.content:
            continue
        environment["destinations"] = []
        parser.inline.parse(token.content, parser, environment, [])
        rows = _lines_of(token, lines, starts)
        for destination in environment["destinations"]:
            if isinstance(destination, str):
                labels.add(destination)
            else:
                there, here = rows[bisect_right(rows, (destination, len(body))) - 1]
                places.add(here + destination - there)
    for label in labels & environment.get("references", {}).keys():
        places.update(_definition(body, environment["references"][label], starts, parser))
    return _Parsed(frozenset(places), open_fence)


def _is_closed(token: Any, lines: list[str]) -> bool:
    """The last line of a fence closes it, and is no line of its content."""
    first, behind = token.map
    content = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
    return content == behind - first - 2 and _CLOSING.match(lines[behind - 1]) is not None


def _follow(parser: Any, environment: dict[str, Any]) -> None:
    """Let the rules for links and images note each destination: an offset in the inline text, or a label."""
    from markdown_it.common.utils import isStrSpace, normalizeReference
    from markdown_it.rules_inline import image, link

    bases = [0]

    def noting(rule: Callable[[Any, bool], bool], opening: int) -> Callable[[Any, bool], bool]:
        def parse(state: Any, silent: bool) -> bool:
            start = state.pos
            if silent:
                return rule(state, silent)
            bases.append(bases[-1] + (start + opening if opening == 2 else 0))  # an image's text is parsed on its own
            try:
                taken = rule(state, silent)
            finally:
                bases.pop()
            if taken:
                end = state.md.helpers.parseLinkLabel(state, start + opening - 1, opening == 1)
                note(state, state.src[start + opening : end], end)
            return taken

        return parse

    def note(state: Any, label: str, end: int) -> None:
        if state.src[state.pos - 1] == "]":
            # where an inline destination breaks off, the parser goes on to look for a label behind it
            opening = end + 1 if state.src[end + 1 : end + 2] == "[" else state.src.rfind("[", end, state.pos)
            written = state.src[opening + 1 : state.pos - 1] if end < opening else ""
            environment["destinations"].append(normalizeReference(written or label))
        else:
            place = end + 2
            while isStrSpace(state.src[place]) or state.src[place] == "\n":
                place += 1
            environment["destinations"].append(bases[-1] + place + (state.src[place] == "<"))

    parser.inline.ruler.at("link", noting(link, 1))
    parser.inline.ruler.at("image", noting(image, 2))


def _lines_of(token: Any, lines: list[str], starts: list[int]) -> list[tuple[int, int]]:
    """Where each line of the text of an inline token begins, there and here; the text lacks markers and indentation."""
    texts = token.content.split("\n")
    # the parser cuts lines of other white space off, and counts them
    number = next((number for number in range(*token.map) if texts[0].strip() in lines[number]), token.map[0])
    offset, found = 0, []
    for line, start, text in zip(lines[number:], starts[number:], texts, strict=False):
        found.append((offset, start + line.rfind(text.strip()) - (len(text) - len(text.lstrip()))))
        offset += len(text) + 1
    return found


def _definition(body: str, reference: Any, starts: list[int], parser: Any) -> Iterator[int]:
    """The place of the destination in the lines of a definition."""
    first, behind = reference["map"]
    stop = starts[behind] if behind < len(starts) else len(body)
    for match in _REFERENCE.finditer(body, starts[first], stop):
        for link in _destination(body, match.end()):
            if parser.normalizeLink(_plain(link.target.replace("\0", "\ufffd"))) == reference["href"]:
                yield link.offset
                return


def unclosed_fence(body: str) -> int:
    """The line, from 1, of a code fence that is never closed; 0 if there is none.

    Where the fences come in pairs by their look, the parser is not asked.
    """
    if "```" not in body and "~~~" not in body:
        return 0
    lines = _LINE_END.split(body) if "\r" in body else body.split("\n")
    opened = _opened(lines, _FENCE)
    if len(body) > BODY_LIMIT or (not opened and not _opened(lines, _ANY_FENCE)):
        return opened
    return _parsed(body).open_fence


def _opened(lines: list[str], pattern: re.Pattern[str]) -> int:
    opened, marker, quotes = 0, "", 0
    for number, line in enumerate(lines, 1):
        match = pattern.match(line) if "```" in line or "~~~" in line else None
        if not match:
            continue
        before, found, behind = match.groups()
        if not marker:
            if found[0] != "`" or "`" not in behind:
                opened, marker, quotes = number, found, before.count(">")
        elif (
            found.startswith(marker)
            and not behind.strip(" \t")
            and not before.strip(" \t>")
            and before.count(">") == quotes
        ):
            opened, marker = 0, ""
    return opened
