"""Rewrites of lists and mappings in the front matter: flow style as block style, tools as one text."""

from __future__ import annotations

from hatch_skills.core.front_matter import FrontMatter
from hatch_skills.core.portable import block_style, plain
from hatch_skills.core.rewrites import (
    Rewrite,
    WrittenEntry,
    comments_in,
    line_end_of,
    line_start,
    rest_of_line,
    written_entries,
    written_entry,
)
from hatch_skills.core.yaml_text import Node

__all__ = ["flow_rewrites", "tools_rewrites"]

_TEXT_KEYS = frozenset({"name", "description", "argument-hint"})
"""Keys whose value is text wherever they are known, so that `[file]` there was never meant as a list."""


def __dir__() -> list[str]:
    return list(__all__)


def flow_rewrites(front_matter: FrontMatter) -> tuple[Rewrite, ...]:
    """Each outermost collection in flow style in block style, except where the key wants text."""
    found: list[Rewrite] = []
    base = front_matter.span[0]
    for top in written_entries(front_matter):
        waiting: list[tuple[WrittenEntry | None, Node]] = [] if top.key.text in _TEXT_KEYS else [(top, top.value)]
        while waiting:
            entry, node = waiting.pop()
            if node.kind == "scalar":
                continue
            if node.style == "flow":
                rewrite = _in_block(top, entry, node, base)
                found += [rewrite] if rewrite else []
                continue
            waiting += [(None, item) for item in node.items]
            inner = [written_entry(top.source, key, value) for key, value in node.pairs]
            waiting += [(entry, entry.value) for entry in inner if entry is not None]
    return tuple(sorted(found, key=lambda rewrite: rewrite.start))


def _in_block(top: WrittenEntry, entry: WrittenEntry | None, node: Node, base: int) -> Rewrite | None:
    """A value or, without an entry, an item of a list in block style; no comment is lost."""
    source, line_end = top.source, line_end_of(top.source)
    after = rest_of_line(source, node.end)
    before = source[entry.colon : node.start] if entry else ""
    above, beside = comments_in(before), comments_in(after)
    if above is None or beside is None or "#" in _between(node, source, node.end):
        return None
    comments = above + beside
    says = f"`{top.key.text}` in block style"
    if entry is None:
        text = block_style(node, source, node.start - line_start(source, node.start), line_end)
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
    for entry in written_entries(front_matter):
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
        if "#" in written or rest_of_line(entry.source, end).strip():
            continue
        base = front_matter.span[0]
        what = "`allowed-tools` as one text"
        return (Rewrite(base + entry.colon, base + end, f" {form}", what, "allowed-tools", form),)
    return ()
