"""Where a pyproject.toml says something: the line and column of text that can be quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hatch_skills.core.findings import Location

__all__ = ["Line", "find_key", "find_string", "toml_lines"]


def __dir__() -> list[str]:
    return list(__all__)


class Line:
    """One line of a TOML file: its number, the table it belongs to, and its text."""

    __slots__ = ("number", "table", "text")

    def __init__(self, number: int, table: str, text: str) -> None:
        self.number = number
        self.table = table
        self.text = text


def toml_lines(file: Path) -> Iterator[Line]:
    """The lines of a TOML file with the table that each stands in; nothing where it cannot be read."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*(.+?)\s*\]\]?\s*(?:#.*)?\Z", line)
        if header and "=" not in header[1]:
            table = re.sub(r"[\"']|\s*(?=\.)|(?<=\.)\s*", "", header[1])
        yield Line(number, table, line)


def find_key(file: Path, table: str, key: str, shown: str) -> Location | None:
    """The place of ``key = …`` in a table, also written ``table.key`` in one above; None if it cannot be quoted."""
    pattern = re.compile(rf"\s*(?:[\w.-]+\.)?([\"']?){re.escape(key)}\1\s*=|.*[{{,]\s*([\"']?){re.escape(key)}\2\s*=")
    for line in toml_lines(file):
        if line.table == table or table.startswith(f"{line.table}."):
            match = pattern.match(line.text)
            if match:
                column = line.text.index(key) + 1
                quote = line.text[column - 2 : column - 1]
                return Location(shown, line.number, column - 1 if quote in "\"'" and quote else column)
    return None


def find_string(file: Path, pattern: str, shown: str, table: str = "") -> Location | None:
    """The place of a quoted text that matches `pattern` as a whole, in tables that begin with `table`."""
    quoted = re.compile(rf"([\"'])(?:{pattern})\1")
    for line in toml_lines(file):
        if line.table.startswith(table):
            match = quoted.search(line.text)
            if match:
                return Location(shown, line.number, match.start() + 1)
    return None
