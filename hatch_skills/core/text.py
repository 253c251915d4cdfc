"""The bytes of one file as text, with the line and column of every character."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

__all__ = ["Text", "Undecodable"]

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(frozen=True, slots=True)
class Undecodable:
    """Why bytes are no UTF-8: ``offset`` in bytes, the ``byte`` there, and an ``encoding`` if its mark is known."""

    offset: int
    byte: int
    line: int
    column: int
    encoding: str = ""


class Text:
    """The decoded content of a file; bytes that are no UTF-8 become U+FFFD and are named by `undecodable`.

    Line ends are kept as they are; LF, CR and CRLF each end a line, as in every editor. A byte order
    mark stays the first character, because runtimes stumble over it.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.undecodable: Undecodable | None = None
        try:
            self.content = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.content = data.decode("utf-8", "replace")
            encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "")
            lines = _LINE_END.split(data[: error.start].decode("utf-8"))
            self.undecodable = Undecodable(error.start, data[error.start], len(lines), len(lines[-1]) + 1, encoding)

    @property
    def has_bom(self) -> bool:
        """The text begins with U+FEFF."""
        return self.content.startswith("\ufeff")

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset at which each line begins."""
        if "\r" not in self.content:
            return (0, *accumulate(len(line) + 1 for line in self.content.split("\n")[:-1]))
        return (0, *(match.end() for match in _LINE_END.finditer(self.content)))

    @cached_property
    def universal(self) -> str:
        """The content as Python's text mode gives it: CR and CRLF are LF."""
        if "\r" not in self.content:
            return self.content
        return self.content.replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; a final line end opens no further line."""
        lines = _LINE_END.split(self.content) if "\r" in self.content else self.content.split("\n")
        if lines[-1] == "":
            lines.pop()
        return tuple(lines)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset` (0-based, in code points)."""
        if "starts" not in self.__dict__ and "\r" not in self.content:
            start = self.content.rfind("\n", 0, offset) + 1
            return self.content.count("\n", 0, start) + 1, offset - start + 1
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1
