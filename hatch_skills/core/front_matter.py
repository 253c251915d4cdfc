"""The fences of a SKILL.md and the YAML between them, with line and column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from hatch_skills.core.text import Text
from hatch_skills.core.yaml_text import Node, Yaml, read_yaml

__all__ = ["Entry", "FrontMatter", "Problem"]

_FENCE = re.compile(r"---[ \t]*\Z")
_BLANK = " \t"


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file has no readable front matter: ``kind`` is a word for rules, line and column count from 1."""

    kind: str
    line: int
    column: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One top-level ``key: value`` of the front matter; offsets count code points of the whole file."""

    key: str
    key_at: int
    value: Node
    value_at: int


class FrontMatter:
    """What stands between the fences, read as the specification means it: fences alone on their lines, YAML between.

    Source: Agent Skills specification of 2026-08-09, section "SKILL.md format".
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.problem: Problem | None = None
        self.closing_line = 0
        lines = text.lines
        if text.undecodable is None and lines and _FENCE.match(lines[0]):
            self.closing_line = next((number for number, line in enumerate(lines[1:], 2) if _FENCE.match(line)), 0)
        if not self.closing_line:
            self.problem = _why_not(text)

    @cached_property
    def span(self) -> tuple[int, int]:
        """Offsets of the YAML text: from the end of the opening fence to the line end before the closing one."""
        if not self.closing_line:
            return (0, 0)
        content = self.text.content
        begin = len(self.text.lines[0])
        end = self._closing_start - 1
        if content[end - 1 : end + 1] == "\r\n":
            end -= 1
        return (begin, max(begin, end))

    @cached_property
    def _closing_start(self) -> int:
        """The offset at which the closing fence begins; counted only as far as that, as bodies are long."""
        if "\r" in self.text.content:
            return self.text.starts[self.closing_line - 1]
        return sum(len(line) + 1 for line in self.text.lines[: self.closing_line - 1])

    @cached_property
    def yaml(self) -> Yaml:
        """The YAML between the fences; an empty document where there are none."""
        begin, end = self.span
        return read_yaml(self.text.content[begin:end])

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every top-level entry in order of appearance, repeated keys included."""
        root = self.yaml.root
        if root is None or root.kind != "mapping":
            return ()
        base = self.span[0]
        return tuple(
            Entry(key.text, base + key.start, value, base + value.start)
            for key, value in root.pairs
            if key.kind == "scalar"
        )

    @cached_property
    def _last(self) -> dict[str, Entry]:
        return {entry.key: entry for entry in self.entries}

    def entry(self, key: str) -> Entry | None:
        """The entry that YAML readers take for `key`: the last one of that name."""
        return self._last.get(key)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column in the file of an offset in the YAML text."""
        return self.text.position(self.span[0] + offset)

    @cached_property
    def body_line(self) -> int:
        """The line, from 1, on which the body begins; 1 where there is no front matter."""
        return self.closing_line + 1

    @cached_property
    def body(self) -> str:
        """The Markdown after the closing fence, as written."""
        if not self.closing_line:
            return self.text.content
        content = self.text.content
        end = self._closing_start + len(self.text.lines[self.closing_line - 1])
        return content[end + (2 if content.startswith("\r\n", end) else 1) :]


def _why_not(text: Text) -> Problem | None:
    """Name the real reason for which no front matter can be cut out; None for bytes that are no text."""
    if text.undecodable is not None:
        return None
    content, lines = text.content, text.lines
    if not content.strip("\ufeff \t\r\n"):
        return Problem(
            "empty-file",
            1,
            1,
            "the file is empty",
            "Write `---`, `name:` and `description:` lines, `---`, and the instructions.",
        )
    first = lines[0].removeprefix("\ufeff")
    if not _FENCE.match(first):
        return _no_opening(lines, first)
    if text.has_bom and any(_FENCE.match(line) for line in lines[1:]):
        return None  # the byte order mark alone is at fault, and has a rule of its own
    return _no_closing(lines)


def _no_opening(lines: tuple[str, ...], first: str) -> Problem:
    opening = next(
        (
            number
            for number, line in enumerate(lines[1:40], 2)
            if line.strip() == "---" and number < len(lines) and re.match(r"[\w-]+[ \t]*:", lines[number])
        ),
        0,
    )
    if first.startswith("---") and first.strip("-"):
        rest = first[3:]
        if re.match(r"[ \t]*[A-Za-z]+[ \t]*\Z", rest):
            language = rest.strip()
            return Problem(
                "front-matter-language",
                1,
                4,
                f"the front matter declares the language {language!r}; only YAML after a bare `---` is read",
                "Write `---` alone on the first line and the fields as YAML.",
            )
        return Problem(
            "fence-not-alone",
            1,
            1,
            f"the opening fence shares its line with {rest.strip(_BLANK)!r}",
            "Break the line after `---`; a fence stands alone on its line.",
        )
    if first[:1] in (" ", "\t") and first.strip() == "---":
        return Problem("fence-indented", 1, 1, "the opening fence is indented", "Start `---` in the first column.")
    if opening:
        shown = first.strip() or next((line.strip() for line in lines if line.strip()), "")
        what = "a blank line" if not first.strip() else repr(shown[:60])
        cure = (
            "Move the comment below the first `---`, where YAML reads it as a comment."
            if first.startswith("#") and not re.match(r"#+ ?[^#:]*\Z", first)
            else f"Move `---` to line 1; what stands above it belongs below line {opening}."
        )
        return Problem(
            "text-above-front-matter",
            1,
            1,
            f"line 1 is {what}, not `---`; the front matter seems to begin on line {opening}",
            cure,
        )
    return Problem(
        "no-front-matter",
        1,
        1,
        f"there is no front matter: line 1 is {first.strip(_BLANK)[:60]!r}, not `---`",
        "Begin the file with `---`, a `name:` line, a `description:` line and `---`.",
    )


def _no_closing(lines: tuple[str, ...]) -> Problem:
    for number, line in enumerate(lines[1:], 2):
        stripped = line.strip()
        if line.startswith("---") and line.strip(_BLANK).strip("-"):
            return Problem(
                "fence-not-alone",
                number,
                1,
                f"the closing fence shares its line with {line[3:].strip(_BLANK)!r}",
                "Break the line after `---`; a fence stands alone on its line.",
            )
        if stripped == "---":
            return Problem(
                "fence-indented", number, 1, "the closing fence is indented", "Start `---` in the first column."
            )
        if stripped == "..." or (len(stripped) > 3 and not stripped.strip("-")):
            return Problem(
                "fence-misspelled",
                number,
                1,
                f"the front matter ends with {stripped[:20]!r}, which is no fence",
                "Write exactly `---` on this line.",
            )
    first_text = next(
        (
            number
            for number, line in enumerate(lines[1:], 2)
            if line.strip() and not re.match(r"[ \t]|#[^ #]|- |[\w\"'-][^:]*:(?:[ \t]|\Z)", line)
        ),
        len(lines) + 1,
    )
    where = f" (`{lines[first_text - 1].strip()[:40]}`)" if first_text <= len(lines) else ""
    return Problem(
        "unclosed-front-matter",
        1,
        1,
        f"the front matter opened on line 1 is never closed; the fence belongs before line {first_text}{where}",
        "Write `---` alone on a line after the last field.",
    )
