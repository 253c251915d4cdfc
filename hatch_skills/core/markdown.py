"""Links of a Markdown body with their line and column; the CommonMark parser is asked only where it matters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

__all__ = ["Link", "confirmed", "link_candidates", "unclosed_fence"]

_INLINE = re.compile(r"\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?=[\s)])")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*(?:<([^<>\n]*)>|(\S+))", re.MULTILINE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Link:
    """A text that may be the destination of a link: as written, with its offset in code points."""

    target: str
    offset: int

    @property
    def path(self) -> str:
        """The destination as a path: fragment and query cut off, percent signs and backslash escapes undone."""
        bare = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", re.split(r"[#?]", self.target, maxsplit=1)[0])
        return unquote(bare)

    @property
    def is_relative(self) -> bool:
        """The destination is a relative path: no scheme, no host, no fragment alone, no absolute path."""
        target = self.target
        return bool(target) and target[0] not in "#/?~" and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target)


def link_candidates(body: str) -> Iterator[Link]:
    """Every text that looks like a link destination, in code or not, in order of kind and place."""
    if "](" in body:
        for match in _INLINE.finditer(body):
            group = 1 if match[1] is not None else 2
            yield Link(match[group], match.start(group))
    if "]:" in body:
        for match in _REFERENCE.finditer(body):
            group = 1 if match[1] is not None else 2
            yield Link(match[group], match.start(group))


@lru_cache(maxsize=8)
def _destinations(body: str) -> frozenset[str]:
    """Where the links and images of a body lead, as the CommonMark parser says; unquoted."""
    from markdown_it import MarkdownIt

    found: set[str] = set()
    stack: list[Any] = list(MarkdownIt("commonmark").parse(body))
    while stack:
        token = stack.pop()
        if token.type in ("link_open", "image"):
            found.add(unquote(str(token.attrs.get("href") or token.attrs.get("src") or "")))
        stack.extend(token.children or ())
    return frozenset(found)


@lru_cache(maxsize=8)
def _code_lines(body: str) -> frozenset[int]:
    """Line numbers, from 0, that the CommonMark parser counts as code blocks."""
    from markdown_it import MarkdownIt

    lines: set[int] = set()
    for token in MarkdownIt("commonmark").parse(body):
        if token.type in ("fence", "code_block") and token.map:
            lines.update(range(*token.map))
    return frozenset(lines)


def confirmed(body: str, link: Link) -> bool:
    """The CommonMark parser takes this candidate for a link: not inside code, not escaped."""
    if body.count("\n", 0, link.offset) in _code_lines(body):
        return False
    if unquote(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", link.target)) not in _destinations(body):
        return False
    line_start = body.rfind("\n", 0, link.offset) + 1
    return not _in_code_span(body[line_start:], link.offset - line_start)


def _in_code_span(text: str, offset: int) -> bool:
    """An offset of a line lies between two runs of as many backticks."""
    runs = [(match.start(), match.end()) for match in re.finditer(r"`+", text.split("\n", 1)[0])]
    while runs:
        start, end = runs.pop(0)
        closing = next((run for run in runs if run[1] - run[0] == end - start), None)
        if closing is None:
            continue
        if start < offset < closing[0]:
            return True
        runs = [run for run in runs if run[0] > closing[0]]
    return False


def unclosed_fence(body: str) -> int:
    """The line, from 1, of a code fence that is never closed; 0 if there is none."""
    opened, marker = 0, ""
    for number, line in enumerate(body.splitlines(), 1):
        match = _FENCE.match(line)
        if not match:
            continue
        if not marker:
            if match[1][0] == "`" and "`" in match[2]:
                continue
            opened, marker = number, match[1]
        elif match[1][0] == marker[0] and len(match[1]) >= len(marker) and not match[2].strip():
            opened, marker = 0, ""
    return opened
