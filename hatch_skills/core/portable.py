"""The forms of YAML that every runtime reads alike: plain text on one line, collections in block style."""

from __future__ import annotations

import re

from hatch_skills.core.yaml_text import Node, read_yaml

__all__ = ["block_style", "plain", "quoted"]

_PRINTABLE = r"\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
_PLAIN = re.compile(rf"(?![-?:](?: |\Z))[^ \[\]{{}},#&*!|>'\"%@`]([{_PRINTABLE}]*)")
_AMBIGUOUS = re.compile(r": | #|:\Z|---")
_NUMBER = re.compile(r"[-+]?[.\d][\d_.,:eExXobTZ+-]*")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", "=", "<<"})
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def __dir__() -> list[str]:
    return list(__all__)


def plain(text: str) -> str | None:
    """The text itself where it may stand unquoted on one line and is read as just that text; None elsewhere.

    Not so: an indicator at the beginning, ``: ``, `` #``, ``---``, a colon at the end, words and numbers that get a
    type, line breaks, control characters. Source: the portable profile, clauses 5, 7, 14, 16 to 18.
    """
    match = _PLAIN.fullmatch(text)
    if match is None or not re.match(rf"[{_PRINTABLE}]", text) or text != text.strip():
        return None
    if _AMBIGUOUS.search(text) or _NUMBER.fullmatch(text) or text.casefold() in _WORDS:
        return None
    root = read_yaml(f"key: {text}").root
    if root is None or len(root.pairs) != 1:
        return None
    value = root.pairs[0][1]
    return text if (value.kind, value.tag, value.style, value.text) == ("scalar", "str", "", text) else None


def quoted(text: str) -> str:
    """The text between quotes, so that readers which only cut the quotes off also hold it wherever that is possible."""
    if '"' in text and "'" not in text:
        return f"'{text}'"
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def block_style(node: Node, source: str, column: int, line_end: str) -> str | None:
    """A collection in flow style, written in block style.

    Args:
        node: the collection, with offsets in `source`.
        column: blanks before each line after the first.
        line_end: what ends a line.

    Returns:
        The lines, or None where a part of it is empty, goes over several lines, or has a collection as its key.
    """
    try:
        return _block(node, source, column, line_end)
    except _NoForm:
        return None


class _NoForm(Exception):
    """There is no block style, or none that is known to be read alike."""


def _block(node: Node, source: str, column: int, line_end: str) -> str:
    if not (node.items or node.pairs):
        raise _NoForm  # `[]` and `{}` exist in flow style only
    if node.kind == "sequence":
        lines = [f"- {_item(item, source, column + 2, line_end)}" for item in node.items]
    else:
        lines = [_key(key, source) + _value(value, source, column + 2, line_end) for key, value in node.pairs]
    return f"{line_end}{' ' * column}".join(lines)


def _item(node: Node, source: str, column: int, line_end: str) -> str:
    text = _raw(node, source) if node.kind == "scalar" else _block(node, source, column, line_end)
    if not text:
        raise _NoForm
    return text


def _value(node: Node, source: str, column: int, line_end: str) -> str:
    if node.kind != "scalar":
        return f"{line_end}{' ' * column}{_block(node, source, column, line_end)}"
    raw = _raw(node, source)
    return f" {raw}" if raw else ""


def _key(node: Node, source: str) -> str:
    if node.kind != "scalar":
        raise _NoForm
    plainly = _KEY.fullmatch(node.text) and plain(node.text)
    return f"{plainly or _raw(node, source)}:"


def _raw(node: Node, source: str) -> str:
    raw = source[node.start : node.end]
    if "\n" in raw or "\r" in raw:
        raise _NoForm
    return raw
