"""Bytes as text: where each character stands, and what is no text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_skills.core.text import Text, Undecodable

_odd = st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", "é".encode(), "😀".encode(), b"\xff", b"\x85", b"\x0c"]))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_every_line_end_ends_a_line(end: str) -> None:
    """LF, CR and CRLF each end one line, and none of them opens a further line at the end of the text."""
    text = Text(f"ab{end}{end}c{end}".encode())
    assert text.lines == ("ab", "", "c")
    assert text.position(text.content.index("c")) == (3, 1)
    assert text.universal == "ab\n\nc\n"
    assert text.undecodable is None


def test_mixed_line_ends_count_as_in_an_editor() -> None:
    """LF CR are two line ends, CR LF is one; form feed, U+0085 and U+2028 are none."""
    text = Text("a\n\rb\r\nc\x0cd\x85e\u2028f\rg".encode())
    assert text.lines == ("a", "", "b", "c\x0cd\x85e\u2028f", "g")
    assert [text.position(text.content.index(letter)) for letter in "abcfg"] == [(1, 1), (3, 1), (4, 1), (4, 7), (5, 1)]


def test_columns_count_code_points() -> None:
    """A character beyond the basic plane is one column, and so is a combining mark."""
    text = Text("😀e\u0301x\n😀y".encode())
    assert text.position(text.content.index("x")) == (1, 4)
    assert text.position(text.content.index("y")) == (2, 2)


def test_the_end_of_the_text_has_a_position() -> None:
    """The offset behind the last character is a place too: at the end of its line, or on the next one."""
    assert Text(b"ab").position(2) == (1, 3)
    assert Text(b"ab\r\n").position(4) == (2, 1)
    assert Text(b"").position(0) == (1, 1)
    assert Text(b"").lines == ()


def test_a_byte_that_is_no_utf8_is_named_with_its_place() -> None:
    """Line and column count characters, the offset counts bytes; the text goes on with U+FFFD."""
    text = Text("é\r\n😀ü".encode() + b"\xe9t")
    assert text.undecodable == Undecodable(offset=10, byte=0xE9, line=2, column=3)
    assert text.content == "é\r\n😀ü\ufffdt"


def test_a_truncated_character_is_named_at_its_first_byte() -> None:
    """A text that ends inside a character is no UTF-8 from there on."""
    assert Text(b"a\n" + "😀".encode()[:3]).undecodable == Undecodable(offset=2, byte=0xF0, line=2, column=1)


@pytest.mark.parametrize(
    ("codec", "name"), [("utf-16", "UTF-16"), ("utf-32", "UTF-32"), ("utf-16-be", "UTF-16"), ("utf-32-be", "UTF-32")]
)
def test_the_mark_of_another_encoding_names_it(codec: str, name: str) -> None:
    """UTF-16 and UTF-32 are recognised by their byte order mark, in either order."""
    content = "---\nname: x\n"
    data = content.encode(codec) if len(codec) == 6 else ("\ufeff" + content).encode(codec)
    undecodable = Text(data).undecodable
    assert undecodable is not None
    assert (undecodable.encoding, undecodable.line, undecodable.byte) == (name, 1, data[undecodable.offset])


def test_latin_1_has_no_mark() -> None:
    """Bytes of an encoding without a mark are named without one."""
    undecodable = Text("größe".encode("latin-1")).undecodable
    assert undecodable == Undecodable(offset=2, byte=0xF6, line=1, column=3)


def test_a_byte_order_mark_stays() -> None:
    """The UTF-8 mark is the first character of the content."""
    assert Text(b"\xef\xbb\xbf---").content == "\ufeff---"
    assert Text(b"\xef\xbb\xbf---").has_bom
    assert not Text(b"---\xef\xbb\xbf").has_bom


@given(_odd)
def test_positions_lead_back_to_the_text(pieces: list[bytes]) -> None:
    """The line and column of each offset name that character, whatever the line ends are."""
    text = Text(b"".join(pieces))
    lines = re.split(r"\r\n|\n|\r", text.content)
    for offset, character in enumerate(text.content):
        line, column = text.position(offset)
        assert character in "\r\n" or lines[line - 1][column - 1] == character
    assert text.universal.split("\n") == lines
    assert tuple(lines if lines[-1] else lines[:-1]) == text.lines


@given(_odd)
def test_undecodable_bytes_are_the_first_ones(pieces: list[bytes]) -> None:
    """What precedes the named byte is text, and its position is that of the replacement character."""
    text = Text(b"".join(pieces))
    if text.undecodable is None:
        assert b"\xff" not in pieces
        return
    before = text.data[: text.undecodable.offset].decode()
    assert text.content.startswith(before + "\ufffd")
    assert (text.undecodable.line, text.undecodable.column) == text.position(len(before))
