"""Rewrites of single front matter entries: spans of the file, and what stands there in portable form."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from hatch_skills.core.front_matter import FrontMatter
from hatch_skills.core.portable import plain, quoted
from hatch_skills.core.yaml_text import Node

__all__ = [
    "SIZE_LIMIT", "Rewrite", "WrittenEntry", "comments_in", "key_rewrites", "line_end_of", "line_start",
    "quote_rewrites", "rest_of_line", "text_rewrites", "written_entries", "written_entry",
]  # fmt: skip

SIZE_LIMIT = 20_000
"""Code points of front matter whose values are rewritten; ten times what the largest real ones have."""

_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_COLON = re.compile(r"[ \t]*:(?=[ \t\r\n]|\Z)")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_TYPED = frozenset({"int", "float", "bool", "timestamp"})
_NUMBERS = frozenset({"int", "float", "timestamp"})
_TEXTS = frozenset({"name", "description", "license", "compatibility"})


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What is put in the place of the code points from `start` to `end` of a file, and in words what that does.

    Where ``key`` is given, every runtime that reads this field has to hold exactly ``value`` afterwards; ``heals`` says
    that the front matter is YAML afterwards.
    """

    start: int
    end: int
    text: str
    what: str
    key: str = ""
    value: str = ""
    heals: bool = False


def line_end_of(text: str) -> str:
    """The line end that new lines of a text get."""
    return "\r\n" if "\r\n" in text else "\n" if "\n" in text or "\r" not in text else "\r"


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """One ``key: value`` in block style and where it stands in the YAML text; ``line`` is where its line begins."""

    source: str
    key: Node
    value: Node
    line: int
    colon: int

    @property
    def indent(self) -> str:
        """What stands before the key; anything but blanks means that no line can be put above it."""
        return self.source[self.line : self.key.start]

    @property
    def label(self) -> str:
        """The key and its colon as every runtime reads them: without quotes and without blanks between."""
        key = self.key
        return f"{(_KEY.fullmatch(key.text) and plain(key.text)) or self.source[key.start : key.end]}:"


def written_entry(source: str, key: Node, value: Node) -> WrittenEntry | None:
    """Where a key and its value stand; None for an alias, and for a key that is no text right before its colon."""
    if key.kind != "scalar" or value.start < key.end:
        return None
    colon = _COLON.match(source, key.end)
    if colon is None:
        return None
    return WrittenEntry(source, key, value, line_start(source, key.start), colon.end())


def line_start(source: str, at: int) -> int:
    """Where the line of a place begins."""
    return max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1


def written_entries(front_matter: FrontMatter) -> Iterator[WrittenEntry]:
    """The top-level entries that stand on lines of their own, without anchors, aliases and tags."""
    yaml = front_matter.yaml
    root, source = yaml.root, yaml.text
    if root is None or root.kind != "mapping" or root.style != "block" or len(source) > SIZE_LIMIT:
        return
    if _ODD.search(source):
        return
    remarks = sorted(remark.offset for remark in yaml.remarks)
    ends = [*(key.start for key, _ in root.pairs[1:]), len(source)]
    for (key, value), end in zip(root.pairs, ends, strict=True):
        entry = written_entry(source, key, value)
        if entry is None or entry.indent.strip(" ") or key.tag != "str":
            continue
        if bisect_left(remarks, key.start) == bisect_left(remarks, end):
            yield entry


def comments_in(gap: str) -> list[str] | None:
    """The comments between two parts of an entry; None if there is anything else."""
    found = []
    for number, line in enumerate(re.split(r"\r\n|\n|\r", gap)):
        bare = line.strip(" \t")
        if bare and (bare[0] != "#" or (number == 0 and line[0] == "#")):
            return None
        found += [bare] if bare else []
    return found


def rest_of_line(source: str, at: int) -> str:
    """What follows on the same line."""
    match = re.compile(r"[^\r\n]*").match(source, at)
    return match[0] if match else ""


def text_rewrites(front_matter: FrontMatter, fields: Collection[str], *, unsafe: bool = False) -> tuple[Rewrite, ...]:
    """Each text of `fields` as plain text on one line, its comments on lines above it; `unsafe` quotes typed words."""
    found = []
    for entry in written_entries(front_matter):
        if entry.key.text in fields and entry.value.kind == "scalar":
            rewrite = _one_line(entry, front_matter.span[0], unsafe)
            found += [rewrite] if rewrite else []
    return tuple(found)


def _one_line(entry: WrittenEntry, base: int, unsafe: bool) -> Rewrite | None:
    source, key, value = entry.source, entry.key, entry.value
    before = source[entry.colon : value.start]
    raw = source[value.start : value.end]
    if value.style in ("|", ">"):
        raw = raw.rstrip(" \t\r\n")
        after = rest_of_line(raw, 0).lstrip("|>+-0123456789")
        end = value.start + len(raw)
    else:
        after = rest_of_line(source, value.end)
        end = value.end + len(after) if after.strip() else value.end
    above, beside = comments_in(before), comments_in(after)
    if above is None or beside is None:
        return None
    comments = above + beside
    several = bool(re.search(r"[\r\n]", raw) or re.search(r"[\r\n]", before))
    if beside and not value.style and (key.text != "name" or not all(re.match(r"#+(?:\s|\Z)", c) for c in beside)):
        return None  # the rest of a sentence more often than a comment, and then a case for its author
    text = value.text.strip()
    form = plain(text) if value.tag == "str" else None
    retyped = unsafe and key.text in _TEXTS and value.tag in _TYPED and not value.style and not several
    if retyped:
        form = quoted(text)
    label = entry.label
    changed = form is not None and (bool(value.style) or several or bool(comments) or retyped)
    if not changed and source[key.start : entry.colon] == label and not before.strip(" "):
        return None
    if form is None:
        if several or comments or not raw:
            return None
        form = raw
    line_end = line_end_of(source)
    lines = [*comments, f"{label} {form}"]
    says = _says(key.text, entry, several, retyped, bool(comments))
    replacement = line_end.join(entry.indent + line for line in lines)
    return Rewrite(base + entry.line, base + end, replacement, says, key.text, text)


def _says(key: str, entry: WrittenEntry, several: bool, retyped: bool, comments: bool) -> str:
    moved = ", its comment above it" if comments else ""
    if several or entry.value.style in ("|", ">"):
        return f"`{key}` on one line{moved}"
    if retyped:
        return f"`{key}` in quotes"
    if entry.value.style and plain(entry.value.text.strip()):
        return f"`{key}` without quotes{moved}"
    return f"comment beside `{key}` moved above it" if comments else f"`{key}:` written plainly"


def key_rewrites(front_matter: FrontMatter, fields: Collection[str]) -> tuple[Rewrite, ...]:
    """Each key of `fields` that holds a collection, without quotes and without blanks before its colon."""
    base = front_matter.span[0]
    return tuple(
        Rewrite(base + entry.key.start, base + entry.colon, entry.label, f"`{entry.key.text}:` written plainly")
        for entry in written_entries(front_matter)
        if entry.key.text in fields and entry.value.kind != "scalar"
        if entry.source[entry.key.start : entry.colon] != entry.label
    )


def quote_rewrites(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """Each number and date right below `metadata` in double quotes, as it was written."""
    base = front_matter.span[0]
    return tuple(
        Rewrite(base + value.start, base + value.end, f'"{value.text}"', f"`metadata.{key.text}` in quotes")
        for entry in written_entries(front_matter)
        if entry.key.text == "metadata" and entry.value.style == "block"
        for key, value in entry.value.pairs
        if value.tag in _NUMBERS and value.style == "" and entry.source[value.start : value.end] == value.text
    )
