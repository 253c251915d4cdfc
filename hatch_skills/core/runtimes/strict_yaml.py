"""YAML as strictyaml 1.7.3 reads it: block style, nothing but text, and comments that can collide."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hatch_skills.core.runtimes.strict_parser import parse_strict_yaml
from hatch_skills.core.runtimes.strict_scanner import Refused
from hatch_skills.core.yaml_text import Node, Yaml, read_yaml

__all__ = ["Refused", "Untyped", "read_strict_yaml"]

_UNUSUAL = re.compile(r"[#\t\x85\u2028\u2029\ufeff]|\n *(?:[:?.\n]|\Z)")
"""Where strictyaml differs from PyYAML: comments, tabs, blank lines, other line ends, nameless keys, ``...``."""


def __dir__() -> list[str]:
    return list(__all__)


def read_strict_yaml(text: str, shared: Yaml | None = None) -> Any:
    """The value of ``strictyaml.load(text).data``: text, lists and mappings; other text where there is no collection.

    Args:
        text: what stands between the fences, with its last line end.
        shared: the YAML of the same text without that line end, if somebody has parsed it.

    Raises:
        Refused: strictyaml raises instead.
    """
    shorter = text[:-1]
    if text.endswith("\n"):
        yaml_text = shared if shared is not None and shared.text == shorter else read_yaml(shorter)
        if yaml_text.plain or (yaml_text.error is None and not _UNUSUAL.search(shorter)):
            if yaml_text.remarks:
                kind = yaml_text.remarks[0].kind
                raise Refused("rejected", f"the YAML has {'a' if kind == 'tag' else 'an'} {kind}")
            root = yaml_text.root
            return text if root is None else _Values(shorter, {}, closed=True).document(root)
    parsed, comments = parse_strict_yaml(text)
    return text if parsed is None else _Values(text, comments).document(parsed)


class Untyped:
    """What strictyaml makes of a plain ``=`` or ``<<``: an object that is no text."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class _Values:
    """Turns nodes into values in the order and with the demands of strictyaml's constructor."""

    def __init__(self, text: str, comments: Mapping[int, list[Any]], *, closed: bool = False) -> None:
        self.text = text
        self.comments = comments
        self.closed = closed
        self.late = ""

    def document(self, root: Node) -> Any:
        if root.kind == "scalar":
            return self.text
        value = self.mapping(root, top=True) if root.kind == "mapping" else self.value(root)
        if self.late:
            raise Refused("crash", self.late)
        return value

    def value(self, node: Node) -> Any:
        if node.kind == "scalar":
            if node.tag in ("value", "merge"):
                return Untyped(node.text)
            if self.closed and node.style in ("|", ">") and node.end == len(self.text):
                return self.last_block(node)
            return node.text
        if node.style == "flow":
            raise Refused("rejected", "the YAML has a collection in brackets")
        if node.kind == "sequence":
            return [self.value(item) for item in node.items]
        return self.mapping(node)

    def last_block(self, node: Node) -> str:
        """A block at the end of the text that was read without the last line end."""
        header = self.text[node.start : self.text.find("\n", node.start)]
        return node.text if "-" in header or not node.text else node.text + "\n"

    def mapping(self, node: Node, *, top: bool = False) -> dict[str, Any]:
        merged = self.merged(node)
        if top:  # strictyaml reads these and forgets them
            merged, self.late = {}, ""
        values: dict[str, Any] = {}
        before: set[tuple[str, str]] = set()
        indents: set[int] = set()
        for key, value in node.pairs:
            if key.tag == "merge" and key.kind == "scalar":
                continue
            name = self.key(key)
            self.collide(key, ("key", name), before)
            made = self.value(value)
            self.collide(value, ("value", name), before)
            if name in values:
                raise Refused("rejected", f"the key {name!r} stands twice")
            values[name] = made
            if value.kind == "mapping":
                indents.add(self.column(value))
        if len(indents) > 1:
            raise Refused("rejected", "mappings are indented unevenly")
        for name, made in merged.items():
            values.setdefault(name, made)
        return values

    def key(self, node: Node) -> str:
        if node.kind == "mapping":
            self.value(node)
            raise Refused("rejected", "a mapping is used as a key")
        if node.kind == "sequence":
            self.value(node)
            if any(item.kind != "scalar" for item in node.items):
                raise Refused("crash", "TypeError: a list with collections is used as a key")
            self.late = "AssertionError: a list is used as a key"
            return repr([item.text for item in node.items])
        if self.closed and node.style in ("|", ">") and node.end == len(self.text):
            return self.last_block(node)
        return node.text

    def merged(self, node: Node) -> dict[str, Any]:
        """The keys that ``<<`` brings."""
        merged: dict[str, Any] = {}
        found = False
        for key, value in node.pairs:
            if key.kind != "scalar" or key.tag != "merge":
                continue
            if found:
                raise Refused("crash", "DuplicateKeyError: `<<` stands twice")
            sources = value.items if value.kind == "sequence" else (value,)
            if value.style == "flow" or any(source.kind != "mapping" for source in sources):
                raise Refused("rejected", "`<<` does not stand before a mapping")
            for source in sources:
                found = True
                for name, made in self.mapping(source).items():
                    merged.setdefault(name, made)
        return merged

    def collide(self, node: Node, place: tuple[str, str], before: set[tuple[str, str]]) -> None:
        comment = self.comments.get(id(node))
        if comment:
            if place in before:
                raise Refused("crash", "TypeError: a repeated key has comments")
            if comment[1] is not None:
                before.add(place)

    def column(self, node: Node) -> int:
        begin = self.text.rfind("\n", 0, node.start) + 1
        return node.start - begin - self.text.count("\ufeff", begin, node.start)
