"""The subset of YAML that `loomflow` reads: nested mappings, lists, `|` and `>` blocks, and typed scalars."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["SubsetError", "read_loomflow_yaml"]

_INTEGER = re.compile(r"-?\d+")
_FLOAT = re.compile(r"-?\d+\.\d+")
_WORDS = {"~": None, "null": None, "true": True, "false": False}
_DEPTH = 950
"""Levels of nesting after which Python's default limit ends the recursive parser of `loomflow`."""


def __dir__() -> list[str]:
    return list(__all__)


class SubsetError(Exception):
    """The text is not of the subset; its message says why."""


def read_loomflow_yaml(text: str) -> dict[str, Any]:
    """The mapping that `loomflow` makes of the text between the fences.

    Blank lines and lines that begin with ``#`` are dropped everywhere, in blocks too. Source: loomflow 0.20.0,
    skills/_frontmatter.py.

    Raises:
        SubsetError: a line is indented too deeply or has no colon, or a mapping is written in braces.
        RecursionError: nested too deeply.
        ValueError: an integer of more than 4,300 digits.
    """
    return _Lines(text).mapping()


class _Lines:
    """The lines that count: the indent of each, and the line without blanks at its end."""

    def __init__(self, text: str) -> None:
        self.lines: list[tuple[int, str]] = []
        for line in text.splitlines():
            bare = line.strip()
            if bare and bare[0] != "#":
                ended = line.rstrip()
                self.lines.append((len(ended) - len(bare), ended))
        self.at = 0

    def indent(self) -> int:
        """The indent of the next line, -1 behind the last one."""
        return self.lines[self.at][0] if self.at < len(self.lines) else -1

    def bare(self) -> str:
        indent, line = self.lines[self.at]
        return line[indent:]

    def mapping(self) -> dict[str, Any]:
        root: dict[str, Any] = {}
        open_mappings = [(0, root)]
        while True:
            found = self.indent()
            while len(open_mappings) > 1 and found < open_mappings[-1][0]:
                open_mappings.pop()
            indent, values = open_mappings[-1]
            if found < indent:
                return root
            line = self.bare()
            if found > indent:
                raise SubsetError(f"the line {line[:60]!r} is indented by {found} where {indent} is expected")
            key, colon, rest = line.partition(":")
            if not colon:
                raise SubsetError(f"the line {line[:60]!r} has no colon")
            self.at += 1
            key, rest, inner = key.strip(), rest.strip(), self.indent()
            if rest or inner <= indent or self.bare().startswith("- "):
                values[key] = self.value(rest, indent, inner)
                continue
            below: dict[str, Any] = {}
            values[key] = below
            open_mappings.append((inner, below))
            if len(open_mappings) > _DEPTH:
                raise RecursionError

    def value(self, rest: str, indent: int, inner: int) -> Any:
        """What is no mapping: a scalar or list on this line, or a block or list below it."""
        if rest in ("", "|", ">"):
            if inner <= indent:
                return "" if rest else None
            return self.block(inner, rest) if rest else self.items(inner)
        if rest[0] == "[" and rest[-1] == "]":
            inside = rest[1:-1].strip()
            return [_scalar(item.strip()) for item in inside.split(",")] if inside else []
        if rest[0] == "{" and rest[-1] == "}":
            raise SubsetError("a mapping is written in braces")
        return _scalar(rest)

    def items(self, indent: int) -> list[Any]:
        items = []
        while self.indent() == indent and self.bare().startswith("- "):
            items.append(_scalar(self.bare()[2:].strip()))
            self.at += 1
        return items

    def block(self, indent: int, mark: str) -> str:
        begin = self.at
        while self.indent() >= indent:
            self.at += 1
        lines = [line[indent:] for _, line in self.lines[begin : self.at]]
        return "\n".join(lines) if mark == "|" else " ".join(line.strip() for line in lines)


def _scalar(text: str) -> Any:
    if len(text) < 6 and (not text or text.lower() in _WORDS):
        return _WORDS.get(text.lower())
    if text[0] in "\"'" and text[0] == text[-1]:
        return text[1:-1]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text
