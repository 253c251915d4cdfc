"""Tokens of block YAML with comments among them, as the scanner inside strictyaml 1.7.3 makes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hatch_skills.core.yaml_text import DEPTH_LIMIT

__all__ = ["Refused", "comment_of", "scanner_class"]

_CHOMPING = re.compile(r".[1-9]?([+-]?)")


def __dir__() -> list[str]:
    return list(__all__)


class Refused(Exception):
    """strictyaml gives no value: ``outcome`` is ``rejected`` (its own error) or ``crash`` (another exception)."""

    def __init__(self, outcome: str, detail: str) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail


def comment_of(token: Any) -> Any:
    """The comment of a token, as a list of what stands beside it and what stands above it; None without one."""
    return getattr(token, "comment", None)


@dataclass(slots=True)
class _Comment:
    """A comment or blank lines; ``line`` is where it starts."""

    line: int
    id: str = "<comment>"
    comment: None = None


@lru_cache(maxsize=1)
def scanner_class() -> Any:
    """PyYAML's scanner with comments as tokens, and LF as the only line end that begins a new count of columns.

    strictyaml scans with a descendant of PyYAML that keeps comments and blank lines for writing the file again. It
    hands each to a token beside or below it, and fails where a token already has one. Made late, as YAML costs 50 ms.
    """
    import yaml

    class Scanner(yaml.reader.Reader, yaml.scanner.Scanner):
        def __init__(self, text: str) -> None:
            yaml.reader.Reader.__init__(self, text)
            yaml.scanner.Scanner.__init__(self)
            self.spaces: Any = None
            self.breaks: list[str] = []
            self.noted = False
            self.settled: Any = None
            self.looked_back = False

        def forward(self, length: int = 1) -> None:
            passed = self.buffer[self.pointer : self.pointer + length]
            self.pointer += length
            self.index += length
            lines = passed.count("\n")
            if lines:
                self.line += lines
                self.column = 0
                passed = passed[passed.rfind("\n") + 1 :]
            self.column += len(passed) - passed.count("\ufeff")

        def head(self) -> Any:
            """The next token, once it is settled whether it is a key and which comments stand above it."""
            if not self.tokens or self.tokens[0] is not self.settled:
                while self.need_more_tokens():
                    self.fetch_more_tokens()
                self.gather()
                self.settled, self.looked_back = self.tokens[0], False
                if self.settled.id == "<comment>":
                    self.settled = None
            elif not self.looked_back:
                self.stale_possible_simple_keys()
                self.looked_back = True
            return self.tokens[0]

        def gather(self) -> None:
            """Give the comments before the next token to it."""
            found: list[Any] = []
            if self.tokens[0].id == "<comment>":
                found.append(self.drop(0))
            while self.need_more_tokens():
                self.fetch_more_tokens()
                if self.tokens[0].id == "<comment>":
                    found.append(self.drop(0))
            if found:
                if comment_of(self.tokens[0]) is None:
                    self.tokens[0].comment = [None, None]
                elif comment_of(self.tokens[0])[1] is not None:
                    raise Refused("crash", "AssertionError: comments before and behind the mark of a block")
                comment_of(self.tokens[0])[1] = found
            if not self.done and len(self.tokens) < 2:
                self.fetch_more_tokens()

        def drop(self, index: int) -> Any:
            self.tokens_taken += 1
            return self.tokens.pop(index)

        def take(self) -> Any:
            """The next token with the comment beside it; a scalar also takes those on the lines below it."""
            token = self.head()
            if token.id in ("<scalar>", ":") and len(self.tokens) > 1 and self.tokens[1].id == "<comment>":
                first = self.tokens[1]
                if token.id == "<scalar>" or token.end_mark.line == first.line:
                    while len(self.tokens) > 1 and self.tokens[1].id == "<comment>":
                        self.drop(1)
                        self.fetch_more_tokens()
                    if comment_of(token) is None:
                        token.comment = [None, None]
                    comment_of(token)[0] = first
            return self.drop(0)

        def fetch_more_tokens(self) -> None:
            comment = self.scan_to_next_token()
            if comment is None:
                super().fetch_more_tokens()
            else:
                self.tokens.append(comment)

        def scan_to_next_token(self) -> Any:
            """Pass blanks; a comment, or two line ends in a row with all blanks and tabs after them, are a token."""
            if self.index == 0 and self.peek() == "\ufeff":
                self.forward()
            while True:
                while self.peek() == " ":
                    self.forward()
                if self.peek() == "#":
                    comment = _Comment(self.line)
                    while self.peek() not in "\0\n\x85\u2028\u2029":
                        self.forward()
                    while self.scan_line_break():  # type: ignore[no-untyped-call]
                        pass
                    self.allow_simple_key = self.allow_simple_key or not self.flow_level
                    return comment
                if not self.scan_line_break():  # type: ignore[no-untyped-call]
                    return None
                self.allow_simple_key = self.allow_simple_key or not self.flow_level
                if self.peek() == "\n":
                    comment = _Comment(self.line)
                    while self.peek() in " \t" or self.scan_line_break():  # type: ignore[no-untyped-call]
                        if self.peek() in " \t":
                            self.forward()
                    return comment

        def fetch_flow_collection_start(self, TokenClass: Any) -> None:
            if self.flow_level >= DEPTH_LIMIT:
                raise Refused("rejected", "the YAML has a collection in brackets")
            super().fetch_flow_collection_start(TokenClass)

        def scan_plain_spaces(self, indent: int, start_mark: Any) -> Any:
            self.spaces = super().scan_plain_spaces(indent, start_mark)
            return self.spaces

        def scan_plain(self) -> Any:
            self.spaces = None
            token: Any = super().scan_plain()
            if self.spaces and self.spaces[0] == "\n":
                token.comment = [_Comment(token.start_mark.line), None]
            return token

        def scan_block_scalar_ignored_line(self, start_mark: Any) -> None:
            rest = self.buffer[self.pointer : self.pointer + 1024]
            self.noted = rest.lstrip(" ").startswith("#")
            super().scan_block_scalar_ignored_line(start_mark)

        def scan_block_scalar_indentation(self) -> Any:
            found: Any = super().scan_block_scalar_indentation()
            self.breaks = found[0]
            return found

        def scan_block_scalar_breaks(self, indent: int) -> Any:
            found: Any = super().scan_block_scalar_breaks(indent)
            self.breaks = found[0]
            return found

        def scan_block_scalar(self, style: str) -> Any:
            chomping = _CHOMPING.match(self.buffer, self.pointer)
            token: Any = super().scan_block_scalar(style)
            if self.noted:
                token.comment = [None, [_Comment(token.start_mark.line)]]
            if self.breaks and chomping and chomping[1] != "+":  # all comments behind the block vanish in it
                while self.scan_to_next_token():
                    pass
                token.comment = [_Comment(self.line), comment_of(token) and comment_of(token)[1]]
            return token

    return Scanner
