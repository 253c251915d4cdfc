"""Rewrites of single front matter entries: spans of the file, and what stands there in portable form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from hatch_skills.core.front_matter import FrontMatter
from hatch_skills.core.portable import block_style, plain, quoted
from hatch_skills.core.yaml_text import Node

__all__ = ["Rewrite", "flow_rewrites", "line_end_of", "quote_rewrites", "text_rewrites", "tools_rewrites"]

_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_COLON = re.compile(r"[ \t]*:(?=[ \t\r\n]|\Z)")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_TYPED = frozenset({"int", "float", "bool", "timestamp"})
_NUMBERS = frozenset({"int", "float", "timestamp"})
_TEXT_KEYS = frozenset({"name", "description", "argument-hint"})
"""Keys whose value is text wherever they are known, so that `[file]` there was never meant as a list."""


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What is put in the place of the code points from `start` to `end` of a file, and in words what that does.

    Where ``key`` is given, every runtime that reads this field has to hold exactly ``value`` afterwards.
    """

    start: int
    end: int
    text: str
    what: str
    key: str = ""
    value: str = ""


def line_end_of(text: str) -> str:
    """The line end that new lines of a text get."""
    return "\r\n" if "\r\n" in text else "\n" if "\n" in text or "\r" not in text else "\r"


@dataclass(frozen=True, slots=True)
class _Entry:
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


def _entry(source: str, key: Node, value: Node) -> _Entry | None:
    if key.kind != "scalar" or value.start < key.end:
        return None
    colon = _COLON.match(source, key.end)
    if colon is None:
        return None
    return _Entry(source, key, value, _line_start(source, key.start), colon.end())


def _line_start(source: str, at: int) -> int:
    return max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1


def _entries(front_matter: FrontMatter) -> Iterator[_Entry]:
    """The top-level entries that stand on lines of their own, without anchors, aliases and tags."""
    yaml = front_matter.yaml
    root, source = yaml.root, yaml.text
    if root is None or root.kind != "mapping" or root.style != "block" or _ODD.search(source):
        return
    ends = [*(key.start for key, _ in root.pairs[1:]), len(source)]
    for (key, value), end in zip(root.pairs, ends, strict=True):
        entry = _entry(source, key, value)
        if entry is None or entry.indent.strip(" ") or key.tag != "str":
            continue
        if not any(key.start <= remark.offset < end for remark in yaml.remarks):
            yield entry


def _comments(gap: str) -> list[str] | None:
    """The comments between two parts of an entry; None if there is anything else."""
    found = []
    for number, line in enumerate(re.split(r"\r\n|\n|\r", gap)):
        bare = line.strip(" \t")
        if bare and (bare[0] != "#" or (number == 0 and line[0] == "#")):
            return None
        found += [bare] if bare else []
    return found


def _rest(source: str, at: int) -> str:
    """What follows on the same line."""
    match = re.compile(r"[^\r\n]*").match(source, at)
    return match[0] if match else ""


def text_rewrites(front_matter: FrontMatter, fields: Collection[str], *, unsafe: bool = False) -> tuple[Rewrite, ...]:
    """Each text of `fields` as plain text on one line, its comments on lines above it; `unsafe` quotes typed words."""
    found = []
    for entry in _entries(front_matter):
        if entry.key.text in fields and entry.value.kind == "scalar":
            rewrite = _one_line(entry, front_matter.span[0], unsafe)
            found += [rewrite] if rewrite else []
    return tuple(found)


def _one_line(entry: _Entry, base: int, unsafe: bool) -> Rewrite | None:
    source, key, value = entry.source, entry.key, entry.value
    before = source[entry.colon : value.start]
    raw = source[value.start : value.end]
    if value.style in ("|", ">"):
        raw = raw.rstrip(" \t\r\n")
        after = _rest(raw, 0).lstrip("|>+-0123456789")
        end = value.start + len(raw)
    else:
        after = _rest(source, value.end)
        end = value.end + len(after) if after.strip() else value.end
    above, beside = _comments(before), _comments(after)
    if above is None or beside is None:
        return None
    comments = above + beside
    several = bool(re.search(r"[\r\n]", raw) or re.search(r"[\r\n]", before))
    if beside and not value.style and (key.text != "name" or not all(re.match(r"#+(?:\s|\Z)", c) for c in beside)):
        return None  # the rest of a sentence more often than a comment, and then a case for its author
    text = value.text.strip()
    form = plain(text) if value.tag == "str" else None
    retyped = unsafe and value.tag in _TYPED and not value.style and not several
    if retyped:
        form = quoted(text)
    written = plain(key.text) if _KEY.fullmatch(key.text) else None
    label = f"{written or source[key.start : key.end]}:"
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


def _says(key: str, entry: _Entry, several: bool, retyped: bool, comments: bool) -> str:
    moved = ", its comment above it" if comments else ""
    if several or entry.value.style in ("|", ">"):
        return f"`{key}` on one line{moved}"
    if retyped:
        return f"`{key}` in quotes"
    if entry.value.style and plain(entry.value.text.strip()):
        return f"`{key}` without quotes{moved}"
    return f"comment beside `{key}` moved above it" if comments else f"`{key}:` written plainly"


def flow_rewrites(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """Each outermost collection in flow style in block style, except where the key wants text."""
    found: list[Rewrite] = []
    base = front_matter.span[0]
    for top in _entries(front_matter):
        waiting: list[tuple[_Entry | None, Node]] = [] if top.key.text in _TEXT_KEYS else [(top, top.value)]
        while waiting:
            entry, node = waiting.pop()
            if node.kind == "scalar":
                continue
            if node.style == "flow":
                rewrite = _in_block(top, entry, node, base)
                found += [rewrite] if rewrite else []
                continue
            waiting += [(None, item) for item in node.items]
            inner = [_entry(top.source, key, value) for key, value in node.pairs]
            waiting += [(entry, entry.value) for entry in inner if entry is not None]
    return tuple(sorted(found, key=lambda rewrite: rewrite.start))


def _in_block(top: _Entry, entry: _Entry | None, node: Node, base: int) -> Rewrite | None:
    """A value or, without an entry, an item of a list in block style; no comment is lost."""
    source, line_end = top.source, line_end_of(top.source)
    after = _rest(source, node.end)
    before = source[entry.colon : node.start] if entry else ""
    above, beside = _comments(before), _comments(after)
    if above is None or beside is None or "#" in _between(node, source, node.end):
        return None
    comments = above + beside
    says = f"`{top.key.text}` in block style"
    if entry is None:
        text = block_style(node, source, node.start - _line_start(source, node.start), line_end)
        return None if text is None or comments else Rewrite(base + node.start, base + node.end, text, says)
    if comments and entry.indent.strip(" "):
        return None
    column = len(entry.indent) + 2
    text = block_style(node, source, column, line_end)
    if text is None:
        return None
    lines = [*(entry.indent + comment for comment in comments), source[entry.line : entry.colon], " " * column + text]
    return Rewrite(base + entry.line, base + node.end + len(after), line_end.join(lines), says)


def _between(node: Node, source: str, end: int) -> str:
    """What a collection is written with beside its keys, values and items: marks, blanks and comments."""
    if node.kind == "scalar":
        return ""
    parts, at = [], node.start
    for child in (*node.items, *(child for pair in node.pairs for child in pair)):
        parts += [source[at : child.start], _between(child, source, child.end)]
        at = max(at, child.end)
    return "".join([*parts, source[at:end]])


def tools_rewrites(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """A list of `allowed-tools` as the string of the specification, where no tool holds a blank."""
    for entry in _entries(front_matter):
        value = entry.value
        if entry.key.text != "allowed-tools" or value.kind != "sequence" or not value.items:
            continue
        words = [item.text if (item.kind, item.tag) == ("scalar", "str") else "" for item in value.items]
        form = plain(" ".join(words))
        if form is None or not all(words) or form.split() != words:
            continue
        last = value.items[-1]
        end = value.end if value.style == "flow" else last.start + len(entry.source[last.start : last.end].rstrip())
        written = entry.source[entry.colon : value.start] + _between(value, entry.source, end)
        if "#" in written or _rest(entry.source, end).strip():
            continue
        base = front_matter.span[0]
        what = "`allowed-tools` as one text"
        return (Rewrite(base + entry.colon, base + end, f" {form}", what, "allowed-tools", form),)
    return ()


def quote_rewrites(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """Each number and date right below `metadata` in double quotes, as it was written."""
    base = front_matter.span[0]
    return tuple(
        Rewrite(base + value.start, base + value.end, f'"{value.text}"', f"`metadata.{key.text}` in quotes")
        for entry in _entries(front_matter)
        if entry.key.text == "metadata" and entry.value.style == "block"
        for key, value in entry.value.pairs
        if value.tag in _NUMBERS and value.style == "" and entry.source[value.start : value.end] == value.text
    )
